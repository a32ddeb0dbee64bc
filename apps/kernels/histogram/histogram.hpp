// SPDX-License-Identifier: BSD-3-Clause
// Histogram: scattered updates. Counts how many edges end at each vertex.
#pragma once

#include "apps/kernels/kernel.hpp"
#include "apps/kernels/support.hpp"
#include "apps/support/owned_array.hpp"

namespace windrow::apps {

class histogram final : public kernel {
 public:
  histogram(job&, const workload&);
  void reset() override;
  std::uint64_t checksum() override;
  std::uint64_t operations() const override { return targets_.indices.size(); }

 private:
  void run_one_sided(windrow::style) override;
  void run_mailbox() override;
  void run_annotated() override;

  job& job_;
  edge_targets targets_;
  owned_array<std::uint64_t> table_;
};

sequential_answer sequential_histogram(const workload&);

extern const kernel_entry histogram_entry;

} // namespace windrow::apps
