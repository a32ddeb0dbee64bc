// SPDX-License-Identifier: BSD-3-Clause
#include <numeric>
#include <vector>

#include "apps/graph/csr.hpp"
#include "apps/kernels/transpose_matrix/transpose_matrix.hpp"

namespace windrow::apps {

sequential_answer sequential_transpose_matrix(const workload& w) {
  const graph::csr matrix(w.graph);
  const auto n = matrix.vertices();
  std::vector<std::uint64_t> end, columns;
  const auto seconds = seconds_of([&] {
    end.assign(n + 1, 0);
    columns.resize(matrix.edges());
    for (std::uint64_t i = 0; i < n; ++i) {
      for (const auto j : matrix.row(i)) ++end[j + 1];
    }
    std::inclusive_scan(end.begin(), end.end(), end.begin());
    // end[j] is where row j of the result begins; filling it moves that to its end.
    for (std::uint64_t i = 0; i < n; ++i) {
      for (const auto j : matrix.row(i)) columns[end[j]++] = i;
    }
  });
  std::uint64_t sum = 0, at = 0;
  for (std::uint64_t row = 0; row < n; ++row) {
    for (; at < end[row]; ++at) sum += hash({row, columns[at]});
  }
  return {sum, seconds};
}

} // namespace windrow::apps
