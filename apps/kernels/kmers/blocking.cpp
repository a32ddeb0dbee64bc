// SPDX-License-Identifier: BSD-3-Clause
#include "apps/kernels/kmers/kmers.hpp"
#include "windrow/one_sided.hpp"

namespace windrow::apps {

void kmers::run_blocking() {
  for_each_of_mine([&](kmer k) {
    for (auto slot = first_slot(k);; slot = next_slot(slot)) {
      auto found = atomic_fetch(job_, keys_[slot]);
      if (found == no_kmer) found = compare_swap(job_, keys_[slot], no_kmer, k);
      if (found == no_kmer || found == k) return inc(job_, counts_[slot]);
    }
  });
  job_.barrier();
}

} // namespace windrow::apps
