// SPDX-License-Identifier: BSD-3-Clause
// k-mer counting: a distributed hash table under load. Counts how often each sequence of 31 bases occurs in a
// set of reads, on either strand.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "apps/kernels/kernel.hpp"
#include "apps/kernels/kmers/kmer.hpp"
#include "apps/kernels/kmers/kmer_table.hpp"
#include "apps/support/owned_array.hpp"

namespace windrow::apps {

/// In the one-sided styles the table is in symmetric memory, with room for all k-mers to be different and
/// half as many again; who finds its place taken goes on to the next one, on the next PE if need be. With
/// mailboxes each PE has a table of its own that grows.
class kmers final : public kernel {
 public:
  kmers(job&, const workload&);
  void reset() override;
  std::uint64_t checksum() override;
  std::uint64_t operations() const override { return kmers_; }

 private:
  void run_blocking() override;
  void run_aggregated() override;
  void run_mailbox() override;
  void run_deferred() override;
  void run_annotated() override;

  /// deferred: counts k in this slot, or in the next one if another k-mer is there.
  void count(context&, kmer k, std::uint64_t slot);
  /// Calls `visit` for each k-mer of this PE's reads.
  template <class Visit>
  void for_each_of_mine(Visit visit) const {
    for (const auto& read : reads_) for_each_kmer(read, visit);
  }
  /// Where a k-mer belongs: its part of the table is as large as its part of all hashes.
  std::uint64_t first_slot(kmer) const;
  std::uint64_t next_slot(std::uint64_t slot) const { return slot + 1 == keys_.size() ? 0 : slot + 1; }
  pe_t owner(kmer) const;

  job& job_;
  std::vector<std::string> reads_;
  std::uint64_t kmers_ = 0; ///< in them
  owned_array<kmer> keys_;  ///< `no_kmer`: free
  owned_array<std::uint64_t> counts_;
  kmer_table table_;
};

sequential_answer sequential_kmers(const workload&);

extern const kernel_entry kmers_entry;

} // namespace windrow::apps
