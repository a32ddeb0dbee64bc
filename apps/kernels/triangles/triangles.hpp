// SPDX-License-Identifier: BSD-3-Clause
// Triangle counting, edge by edge: reads of varying size that depend on earlier reads, or probes.
#pragma once

#include "apps/kernels/kernel.hpp"
#include "apps/kernels/triangles/upper_triangle.hpp"

namespace windrow::apps {

class triangles final : public kernel {
 public:
  triangles(job& j, const workload& w) : job_(j), upper_(upper_triangle(j, w.graph)) {}
  void reset() override { found_ = 0; }
  void run(kernel_style) override;
  std::uint64_t checksum() override { return found_; }
  std::uint64_t operations() const override { return pairs_of(upper_); }

 private:
  void run_blocking();
  void run_aggregated();
  void run_mailbox();

  job& job_;
  sparse_matrix<> upper_;
  std::uint64_t found_ = 0; ///< by this PE
};

extern const kernel_entry triangles_entry;

} // namespace windrow::apps
