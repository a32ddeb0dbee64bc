// SPDX-License-Identifier: BSD-3-Clause
#include <vector>

#include "apps/kernels/annotated.hpp"
#include "apps/kernels/kmers/kmers.hpp"

namespace windrow::apps {

void kmers::run_annotated() {
  std::vector<std::uint64_t> found, slots, before(kmers_);
  for_each_of_mine([&](kmer k) {
    found.push_back(k);
    slots.push_back(first_slot(k));
  });
  const annotated_table table{keys_.local().data(), counts_.local().data(), keys_.size(),
                              block_of(keys_, job_.pes())};
  const annotated_context ctx;
  kmers_loop(ctx, &table, found.data(), slots.data(), before.data(), found.size());
  job_.barrier();
}

} // namespace windrow::apps
