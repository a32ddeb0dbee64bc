// SPDX-License-Identifier: BSD-3-Clause
// What parallel loops are made of.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <utility>

#include "windrow/detail/fork.hpp"

namespace windrow::tasks {

/// Nanoseconds of a clock that never goes back.
std::uint64_t loop_clock();

/// How many indices first … last - 1 there are.
template <class Index>
std::uint64_t count_of(Index first, Index last) {
  return first < last ? static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(first) : 0;
}

/// A loop whose steps change a state, each part of it its own, which are combined in the order of the parts.
template <class Index, class State, class Step, class Combine>
class fold {
 public:
  /// `step(state, i)` returns the next state. `identity` is the first one of each part.
  fold(Index first, const State& identity, Step& step, Combine& combine)
      : first_(first), identity_(identity), step_(step), combine_(combine) {}

  /// The state after `count` steps.
  State over(open_branches& here, std::uint64_t count) {
    return here.alone() ? walk(0, count, identity_) : part(0, count, identity_);
  }

 private:
  /// Of one portion: long against the cost of a look at the clock and at who has nothing to do, short against
  /// what anybody notices.
  static constexpr std::uint64_t least_ns = 4'000, most_ns = 32'000;
  /// Steps of one, where the compiler has found that they do nothing.
  static constexpr std::uint64_t most_steps = std::uint64_t{1} << 60;

  State walk(std::uint64_t from, std::uint64_t to, State s) {
    const auto first = static_cast<std::uint64_t>(first_);
    for (Step& step = step_; from < to; ++from) s = step(std::move(s), static_cast<Index>(first + from));
    return s;
  }

  State part(std::uint64_t from, std::uint64_t to, State s) {
    open_branches& here = *branches_of_thread;
    while (from < to) {
      const auto left = to - from;
      const auto portion = portion_.load(std::memory_order_relaxed);
      if (left > portion && here.wanted()) return halves(here, from, from + left / 2, to, std::move(s));
      s = timed_walk(from, from + std::min(left, portion), portion, std::move(s));
      from += std::min(left, portion);
    }
    return s;
  }

  State halves(open_branches& here, std::uint64_t from, std::uint64_t middle, std::uint64_t to, State s) {
    auto lower = [&] { return part(from, middle, std::move(s)); };
    auto upper = [&] { return part(middle, to, identity_); };
    auto parts = both(here, lower, upper);
    return combine_(std::move(parts.first), std::move(parts.second));
  }

  State timed_walk(std::uint64_t from, std::uint64_t to, std::uint64_t portion, State s) {
    const auto begin = loop_clock();
    s = walk(from, to, std::move(s));
    const auto ns = loop_clock() - begin;
    if (ns < least_ns && to - from == portion)
      portion_.store(std::min(portion * 4, most_steps), std::memory_order_relaxed);
    else if (ns > most_ns && portion > 1)
      portion_.store(portion / 2, std::memory_order_relaxed);
    return s;
  }

  Index first_;
  const State& identity_;
  Step& step_;
  Combine& combine_;
  std::atomic<std::uint64_t> portion_ = 1; ///< steps, found by trying; a hint for all parts
};

} // namespace windrow::tasks
