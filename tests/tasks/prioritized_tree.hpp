// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstdint>
#include <random>

#include "windrow/windrow.hpp"

namespace windrow::test {

/// Tasks of random priorities that start others, 9 levels deep, some of which wait for one more.
class prioritized_tree {
 public:
  explicit prioritized_tree(std::uint64_t seed) : seed_(seed) {}

  /// How many tasks have run.
  std::int64_t run() {
    finish([this] { grow(seed_, levels); });
    return ran_;
  }
  /// How many there are.
  std::int64_t size() const { return size_of(seed_, levels); }

 private:
  static constexpr int levels = 9;

  /// What one task does below its own level.
  struct step {
    explicit step(std::uint64_t seed) : random(seed) {}
    std::mt19937_64 random;

    priority next_priority() { return static_cast<priority>(random() % 3); }
    bool waits_for_one_more() { return random() % 8 == 0; }
  };

  void grow(std::uint64_t seed, int depth) {
    ++ran_;
    if (depth == 0) return;
    step here(seed);
    for (int i = 0; i < 3; ++i) {
      const auto p = here.next_priority();
      const auto child = here.random();
      const auto go_on = [this, child, depth] { grow(child, depth - 1); };
      child % 4 == 0 ? spawn(p, go_on) : async(p, go_on);
    }
    if (here.waits_for_one_more()) finish([&] { async(here.next_priority(), [this] { ++ran_; }); });
  }

  static std::int64_t size_of(std::uint64_t seed, int depth) {
    std::int64_t all = 1;
    if (depth == 0) return all;
    step here(seed);
    for (int i = 0; i < 3; ++i) {
      here.next_priority();
      all += size_of(here.random(), depth - 1);
    }
    return all + (here.waits_for_one_more() ? 1 : 0);
  }

  std::uint64_t seed_;
  std::atomic<std::int64_t> ran_ = 0;
};

} // namespace windrow::test
