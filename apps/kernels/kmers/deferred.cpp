// SPDX-License-Identifier: BSD-3-Clause
#include "windrow/deferred.hpp"
#include "apps/kernels/kmers/kmers.hpp"

namespace windrow::apps {

void kmers::run_deferred() {
  context ctx(job_, aggregate);
  for_each_of_mine([&](kmer k) { count(ctx, k, first_slot(k)); });
  ctx.barrier();
}

void kmers::count(context& ctx, kmer k, std::uint64_t slot) {
  ctx.compare_swap(keys_[slot], no_kmer, k).then([this, &ctx, k, slot](kmer found) {
    if (found == no_kmer || found == k)
      ctx.inc(counts_[slot]);
    else
      count(ctx, k, next_slot(slot));
  });
}

} // namespace windrow::apps
