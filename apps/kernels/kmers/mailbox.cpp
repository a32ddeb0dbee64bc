// SPDX-License-Identifier: BSD-3-Clause
#include "windrow/mailbox.hpp"
#include "apps/kernels/kmers/kmers.hpp"

namespace windrow::apps {

void kmers::run_mailbox() {
  mailbox<kmer> found(job_, [&](kmer k) { table_.count(k); });
  found.run([&] { for_each_of_mine([&](kmer k) { found.send(owner(k), k); }); });
}

} // namespace windrow::apps
