// SPDX-License-Identifier: BSD-3-Clause
// Topological sort in `windrow bench defer`: fetches that depend on one another, and work that goes on at
// owners.
// owners.
#pragma once

#include <cstdint>
#include <vector>

#include "apps/kernels/topological_sort/topological_sort.hpp"
#include "bench/measure.hpp"
#include "windrow/windrow.hpp"

namespace windrow::bench {

/// The kernel of apps/, in its styles and in three more. Written by hand are the same steps with a message
/// for each entry, as in bale; the kernel's style with mailboxes finds the order in another way, with fewer
/// messages.
class deferred_sort : public apps::topological_sort {
 public:
  /// Of the permuted triangle of an R-MAT graph of 2^scale vertices.
  deferred_sort(job&, unsigned scale);

  void reset() override;
  std::vector<variant> variants();
  /// Entries that are taken out, of all PEs.
  std::uint64_t all_operations() const { return all_operations_; }

 private:
  deferred_sort(job&, const apps::workload&);

  variant in(const char* name, apps::kernel_style);
  void by_hand();
  void coroutine();
  deferred place_in_coroutine(context&, last_entry, std::vector<last_entry>& ready);
  deferred remove(context&, std::uint64_t row, std::uint64_t column, std::vector<last_entry>& ready);
  void annotated();
  void check();
  std::uint64_t lists_size() const;

  std::uint64_t all_operations_, expected_;
  apps::owned_array<std::uint64_t> ready_,
      closed_; ///< annotated: on each PE a number, and as many as it has rows
};

} // namespace windrow::bench
