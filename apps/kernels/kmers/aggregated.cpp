// SPDX-License-Identifier: BSD-3-Clause
#include "apps/kernels/kmers/kmers.hpp"
#include "windrow/context.hpp"

namespace windrow::apps {

namespace {

constexpr std::size_t batch_size = 1 << 15; // searches under way together
struct search {
  kmer key;
  std::uint64_t slot;
  kmer found; ///< there
};

} // namespace

void kmers::run_aggregated() {
  context ctx(job_, aggregate);
  std::vector<search> searches;
  const auto look = [&] {
    for (auto& s : searches) ctx.atomic_fetch(keys_[s.slot], &s.found);
    ctx.complete_own();
    for (auto& s : searches) {
      if (s.found == no_kmer) ctx.compare_swap(keys_[s.slot], no_kmer, s.key, &s.found);
    }
    ctx.complete_own();
    std::erase_if(searches, [&](const search& s) {
      const bool is_there = s.found == no_kmer || s.found == s.key;
      if (is_there) ctx.inc(counts_[s.slot]);
      return is_there;
    });
    for (auto& s : searches) s.slot = next_slot(s.slot);
  };

  for_each_of_mine([&](kmer k) {
    searches.push_back({k, first_slot(k), no_kmer});
    if (searches.size() == batch_size) look();
  });
  while (!searches.empty()) look();
  ctx.barrier();
}

} // namespace windrow::apps
