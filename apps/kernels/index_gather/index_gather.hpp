// SPDX-License-Identifier: BSD-3-Clause
// Index gather: scattered reads. Fetches, for each edge, the degree of the vertex that it ends at (what an
// ordering by degree needs).
#pragma once

#include <vector>

#include "apps/kernels/kernel.hpp"
#include "apps/kernels/support.hpp"
#include "apps/support/owned_array.hpp"

namespace windrow::apps {

class index_gather final : public kernel {
 public:
  index_gather(job&, const workload&);
  void reset() override;
  std::uint64_t checksum() override { return targets_.checksum(gathered_); }
  std::uint64_t operations() const override { return targets_.indices.size(); }

 private:
  void run_one_sided(windrow::style) override;
  void run_mailbox() override;
  void run_deferred() override;
  void run_annotated() override;
  void count_degrees();

  job& job_;
  edge_targets targets_;
  owned_array<std::uint64_t> degrees_;
  std::vector<std::uint64_t> gathered_; ///< degrees[indices[k]] for each k
};

sequential_answer sequential_index_gather(const workload&);

extern const kernel_entry index_gather_entry;

} // namespace windrow::apps
