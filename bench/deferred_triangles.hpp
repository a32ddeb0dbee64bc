// SPDX-License-Identifier: BSD-3-Clause
// Triangle counting in `windrow bench defer`: a fetch whose trip count is fetched.
#pragma once

#include <cstdint>
#include <vector>

#include "apps/kernels/triangles/upper_triangle.hpp"
#include "bench/measure.hpp"
#include "windrow/windrow.hpp"

namespace windrow::bench {

/// Entry by entry, as the publications on deferred execution do it: for each edge (u, v) it is fetched where
/// row v is, then each of its entries, and those that row u has too are counted. (The kernels of apps/ fetch
/// whole rows, or send questions.)
class deferred_triangles {
 public:
  /// On an R-MAT graph of 2^scale vertices.
  deferred_triangles(job&, unsigned scale);

  std::vector<variant> variants();
  /// Fetched entries, of all PEs.
  std::uint64_t operations() const { return operations_; }

 private:
  using extent = apps::sparse_matrix<>::extent;

  void blocking();
  void then();
  void coroutine();
  deferred count(context&, const apps::outgoing_edge&);
  void by_hand();
  void annotated();
  void check();

  job& job_;
  apps::sparse_matrix<> upper_;
  std::vector<apps::outgoing_edge> edges_;
  std::uint64_t operations_, expected_;
  std::uint64_t found_ = 0;
};

} // namespace windrow::bench
