// SPDX-License-Identifier: BSD-3-Clause
// Loops whose rounds are dealt to PEs by an affinity, as upc_forall does, without a test per round.
#pragma once

#include <concepts>
#include <cstdint>
#include <iterator>
#include <span>
#include <tuple>
#include <type_traits>

#include "windrow/array.hpp"
#include "windrow/detail/owned_indices.hpp"
#include "windrow/job.hpp"

namespace windrow {

namespace detail {

/// The indices of this PE's rounds.
class owned_indices {
 public:
  class iterator {
   public:
    using value_type = std::int64_t;
    using difference_type = std::ptrdiff_t;
    using iterator_concept = std::input_iterator_tag;

    explicit iterator(const progression& rounds) : left_(rounds) {}
    std::int64_t operator*() const { return left_.index; }
    iterator& operator++() {
      left_.advance();
      return *this;
    }
    void operator++(int) { left_.advance(); }
    bool operator==(std::default_sentinel_t) const { return left_.count == 0; }

   private:
    progression left_;
  };

  explicit owned_indices(const progression& rounds) : rounds_(rounds) {}
  iterator begin() const { return iterator(rounds_); }
  static std::default_sentinel_t end() { return {}; }
  std::uint64_t size() const { return rounds_.count; }

 private:
  progression rounds_;
};

/// This PE's rounds, each with its index and its elements.
template <class Layout, class... T>
class owned_elements {
  using rounds = owned_rounds<Layout>;

 public:
  class iterator {
   public:
    using value_type = std::tuple<std::int64_t, T&...>;
    using difference_type = std::ptrdiff_t;
    using iterator_concept = std::input_iterator_tag;

    iterator(const rounds& all, const std::tuple<T*...>& parts)
        : rest_(all), now_(rest_.next()), parts_(parts) {}
    value_type operator*() const {
      return std::apply([this](T*... part) { return value_type(now_.index, part[now_.place]...); }, parts_);
    }
    iterator& operator++() {
      now_.advance();
      if constexpr (!rounds::are_one)
        if (now_.count == 0) [[unlikely]]
          now_ = rest_.next();
      return *this;
    }
    void operator++(int) { ++*this; }
    bool operator==(std::default_sentinel_t) const { return now_.count == 0; }

   private:
    rounds rest_;
    progression now_;
    std::tuple<T*...> parts_;
  };

  owned_elements(const rounds& all, const std::tuple<T*...>& parts) : rounds_(all), parts_(parts) {}
  iterator begin() const { return iterator(rounds_, parts_); }
  static std::default_sentinel_t end() { return {}; }

 private:
  rounds rounds_;
  std::tuple<T*...> parts_;
};

} // namespace detail

/// The rounds of `for (i = loop.first; i < loop.last; i += loop.step)` that are this PE's: those with
/// (scale * i + offset) modulo the number of PEs equal to its number. All PEs together go through each round
/// once. Not collective: nobody waits; a PE may leave the loop early. Nothing is tested per round.
///
///     for (const auto i : windrow::forall(job, {0, n})) …
///
/// A step that is not positive ends the job with a sentence.
inline detail::owned_indices forall(const job& of, index_range loop, affine affinity = {}) {
  detail::check_loop(loop);
  return detail::owned_indices(detail::rounds_by_remainder(loop, affinity, of.pes(), of.pe()));
}

/// The rounds whose element `a[scale * i + offset]` is this PE's. Each gives its index, and references to
/// that element of `a` and of the arrays of the same layout behind it: plain memory of this PE, with no test
/// of where it is.
///
///     for (auto [i, x, y] : windrow::forall({0, n}, a, b)) x = 2 * y + i;
///
/// Arrays have one distribution (the compiler sees to it), and in blocks one size; an array that is laid out
/// otherwise, or has no such element, ends the job with a sentence before the first round. What other PEs do
/// to these elements meanwhile is ordered by barriers, as for `array::local()`.
template <class Distribution, transferable T, transferable... Others>
auto forall(index_range loop, affine element, const array<T, Distribution>& a,
            const array<Others, Distribution>&... others) {
  using layout = typename Distribution::layout;
  detail::check_loop(loop);
  detail::check_elements(loop, element, a.size());
  [[maybe_unused]] const auto check = [&](std::uint64_t size) {
    detail::check_elements(loop, element, size);
    // With some numbers of PEs two sizes have one layout, and a program that runs there should run
    // everywhere.
    if (std::same_as<Distribution, block_distribution> && size != a.size())
      detail::laid_out_otherwise(a.size(), size);
  };
  (check(others.size()), ...);
  const detail::owned_rounds<layout> rounds(loop, element, a.places(), a.storage().owner());
  return detail::owned_elements<layout, T, Others...>(rounds, {a.local().data(), others.local().data()...});
}
template <class Distribution, transferable T, transferable... Others>
auto forall(index_range loop, const array<T, Distribution>& a, const array<Others, Distribution>&... others) {
  return forall(loop, affine{}, a, others...);
}

} // namespace windrow
