// SPDX-License-Identifier: BSD-3-Clause
#include "windrow/mailbox.hpp"
#include "apps/kernels/random_permutation/random_permutation.hpp"

namespace windrow::apps {

void permutation_kernel::throw_mailbox() {
  const auto slots = slots_.local();
  const auto owner = [&](dart d) { return slots_.owner(board_.slot(d)); };
  mailbox<dart> board(job_, [&](auto& out, dart d) {
    auto& slot = slots[slots_.local_index(board_.slot(d))];
    if (d < slot) std::swap(d, slot);
    if (d != no_dart) out.send(owner(next_throw(d)), next_throw(d));
  });
  board.run([&] {
    for (std::uint64_t k = 0; k < local_darts(); ++k) board.send(owner(local_dart(k)), local_dart(k));
  });
}

void permutation_kernel::collect_mailbox() {
  struct numbered {
    std::uint64_t place;
    std::uint64_t number;
  };
  const auto permutation = permutation_.local();
  mailbox<numbered> places(job_, [&](numbered n) { permutation[n.place] = n.number; });
  places.run([&] {
    auto position = first_position();
    for (const auto d : slots_.local()) {
      if (d == no_dart) continue;
      places.send(permutation_.owner(position), {permutation_.local_index(position), number_of(d)});
      ++position;
    }
  });
}

} // namespace windrow::apps
