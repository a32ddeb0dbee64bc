// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "apps/support/ownership.hpp"
#include "windrow/team.hpp"

namespace windrow::apps {

/// A set of vertices of all PEs in this PE's own memory, a bit for each. Those of one owner lie together, so
/// that PEs can tell each other which of theirs are in it.
class vertex_bits {
 public:
  explicit vertex_bits(const ownership& own)
      : own_(own),
        words_each_(own.vertices() / own.pes() / 64 + 1),
        words_(words_each_ * own.pes()),
        mine_(words_each_) {}

  bool contains(graph::vertex v) const { return (words_[word(v)] >> own_.index(v) % 64 & 1) != 0; }
  void insert(graph::vertex v) { words_[word(v)] |= std::uint64_t{1} << own_.index(v) % 64; }
  void insert(const vertex_bits& others) {
    std::ranges::transform(words_, others.words_, words_.begin(), std::bit_or<>{});
  }
  void clear() { std::ranges::fill(words_, 0); }

  /// Makes it the set of all that the members of `all` name: each some of its own, by their numbers there.
  /// Collective.
  void gather(const team& all, std::span<const std::uint64_t> own_numbers) {
    std::ranges::fill(mine_, 0);
    for (const auto k : own_numbers) mine_[k / 64] |= std::uint64_t{1} << k % 64;
    all.allgather(std::span<const std::uint64_t>(mine_), std::span(words_));
  }

 private:
  std::uint64_t word(graph::vertex v) const {
    return static_cast<std::uint64_t>(own_.owner(v)) * words_each_ + own_.index(v) / 64;
  }

  ownership own_;
  std::uint64_t words_each_;
  std::vector<std::uint64_t> words_, mine_;
};

} // namespace windrow::apps
