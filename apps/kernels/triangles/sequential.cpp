// SPDX-License-Identifier: BSD-3-Clause
#include "apps/graph/sequential.hpp"
#include "apps/kernels/support.hpp"
#include "apps/kernels/triangles/upper_triangle.hpp"

namespace windrow::apps {

sequential_answer sequential_triangles(const workload& w) {
  const graph::csr oriented(oriented_by_degree(simple_undirected(w.graph)));
  sequential_answer answer{};
  answer.seconds = seconds_of([&] { answer.checksum = graph::triangles_of_oriented(oriented); });
  return answer;
}

} // namespace windrow::apps
