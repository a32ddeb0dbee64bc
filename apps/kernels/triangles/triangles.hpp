// SPDX-License-Identifier: BSD-3-Clause
// Triangle counting, edge by edge: reads of varying size that depend on earlier reads, or probes.
#pragma once

#include "apps/kernels/kernel.hpp"
#include "apps/kernels/triangles/upper_triangle.hpp"

namespace windrow::apps {

class triangles final : public kernel {
 public:
  triangles(job& j, const workload& w)
      : job_(j), upper_(upper_triangle(j, w.graph)), found_here_(j, static_cast<std::uint64_t>(j.pes())) {}
  void reset() override;
  std::uint64_t checksum() override { return found_ + found_here_.local()[0]; }
  std::uint64_t operations() const override { return pairs_of(upper_); }

 private:
  void run_blocking() override;
  void run_aggregated() override;
  void run_mailbox() override;
  void run_deferred() override;
  void run_annotated() override;

  job& job_;
  sparse_matrix<> upper_;
  std::uint64_t found_ = 0;               ///< by this PE
  owned_array<std::uint64_t> found_here_; ///< deferred: in rows of this PE, by all
};

extern const kernel_entry triangles_entry;

} // namespace windrow::apps
