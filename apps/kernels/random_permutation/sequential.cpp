// SPDX-License-Identifier: BSD-3-Clause
#include "apps/graph/sequential.hpp"
#include "apps/kernels/random_permutation/random_permutation.hpp"
#include "apps/kernels/support.hpp"

namespace windrow::apps {

std::vector<std::uint64_t> sequential_permutation(const dart_board& board) {
  std::vector<dart> slots(board.slots(), no_dart);
  for (std::uint64_t number = 0; number < board.darts; ++number) {
    auto d = first_throw(number);
    while (slots[board.slot(d)] != no_dart) d = next_throw(d);
    slots[board.slot(d)] = d;
  }
  std::vector<std::uint64_t> permutation;
  permutation.reserve(board.darts);
  for (const auto d : slots) {
    if (d != no_dart) permutation.push_back(number_of(d));
  }
  return permutation;
}

sequential_answer sequential_random_permutation(const workload& w) {
  std::vector<std::uint64_t> permutation;
  const auto seconds = seconds_of([&] { permutation = sequential_permutation(board_of(w)); });
  return {graph::position_checksum(permutation), seconds};
}

} // namespace windrow::apps
