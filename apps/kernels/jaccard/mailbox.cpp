// SPDX-License-Identifier: BSD-3-Clause
// Every vertex sends its row, once, to each PE that owns an upper neighbour. The message is the vertex, then
// its neighbours.
#include "windrow/mailbox.hpp"
#include "apps/kernels/jaccard/jaccard.hpp"

namespace windrow::apps {

void jaccard::run_mailbox() {
  using message = std::span<const graph::vertex>;
  mailbox<message> rows(job_, [&](message m) { compare_with_upper(m.front(), m.subspan(1)); });
  rows.run([&] {
    std::vector<graph::vertex> letter;
    for (std::uint64_t k = 0; k < own_.count(); ++k) {
      const auto row = neighbours_.local_row(k);
      letter.assign(1, own_.vertex(k));
      letter.insert(letter.end(), row.begin(), row.end());
      for (const auto pe : receivers_[k]) rows.send(pe, letter);
    }
  });
}

} // namespace windrow::apps
