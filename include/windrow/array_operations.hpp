// SPDX-License-Identifier: BSD-3-Clause
// Operations on many elements of an array by one call; array.hpp says what they mean. Included by
// context.hpp.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <ranges>
#include <span>
#include <type_traits>
#include <vector>

#include "windrow/array.hpp"
#include "windrow/context.hpp"
#include "windrow/detail/direct.hpp"
#include "windrow/detail/owner_call.hpp"
#include "windrow/detail/uninitialized.hpp"

namespace windrow {

namespace detail {

/// Calls `issue(context, element, k)` for the k-th index; returns when all that is complete.
template <class Array, class Indices, class Issue>
void for_each_element(const char* call, job* of, const Array& all, Indices& indices, Issue issue) {
  static_assert(std::integral<std::ranges::range_value_t<Indices>>, "elements are named by integers");
  if (of == nullptr) no_array(call);
  context ctx(*of, aggregate);
  std::size_t k = 0;
  try {
    for (const auto i : indices) issue(ctx, all[static_cast<std::uint64_t>(i)], k++);
  } catch (...) { // of the range: what is under way uses memory that may go with it
    ctx.complete_own();
    throw;
  }
  ctx.complete_own();
}

/// Fetches or stores an element. Those that are no words, which contexts copy at once, travel in bulk, too.
template <transferable T>
void gather_one(context& ctx, global_ref<T> at, T* out) {
  if constexpr (!direct::is_whole<T>)
    if (range_handle<T> element(ctx, &at, 1); element.is_sent()) return element.send_into(out, nullptr);
  ctx.get(at, out);
}
/// Larger values are stored one by one: with the place, this is what a closure that is sent may have.
inline constexpr std::size_t largest_scattered = 224;

template <transferable T>
void scatter_one(context& ctx, global_ref<T> at, const T& value) {
  constexpr bool fits_closure = sizeof(T) <= largest_scattered && alignof(T) <= 16;
  if constexpr (!direct::is_whole<T> && fits_closure)
    if (range_handle<T>(ctx, &at, 1).is_sent()) { // along with a fetch that nobody needs
      using byte =
          std::conditional_t<sizeof(T) == 1, T, std::uint8_t>; // of T, since handles are complete later
      const global_ptr<byte> first(at.owner(), at.offset());
      return ctx.get(*first).then_at_owner([place = symmetric<T>(&at), value](byte, const owner& here) {
        std::memcpy(here.local(place), &value, sizeof value);
      });
    }
  ctx.put(at, value);
}

template <class Indices>
void require_as_many(const char* call, Indices& indices, std::size_t values) {
  const auto count = static_cast<std::size_t>(std::ranges::distance(indices));
  if (count != values) different_sizes(call, count, values);
}

} // namespace detail

template <transferable T, class Distribution>
template <std::ranges::forward_range Indices>
  requires atomic_value<T>
void array<T, Distribution>::add(Indices&& indices, T value) const {
  detail::for_each_element("array::add", job_, *this, indices,
                           [value](context& ctx, global_ref<T> at, std::size_t) { ctx.add(at, value); });
}

template <transferable T, class Distribution>
template <std::ranges::forward_range Indices>
void array<T, Distribution>::gather(Indices&& indices, std::span<T> out) const {
  detail::require_as_many("array::gather", indices, out.size());
  detail::for_each_element("array::gather", job_, *this, indices,
                           [to = out.data()](context& ctx, global_ref<T> at, std::size_t k) {
                             detail::gather_one(ctx, at, to + k);
                           });
}

template <transferable T, class Distribution>
template <std::ranges::forward_range Indices>
std::vector<T> array<T, Distribution>::gather(Indices&& indices) const {
  const auto count = static_cast<std::size_t>(std::ranges::distance(indices));
  // The elements of a std::vector<bool> are bits.
  if constexpr (std::default_initializable<T> && !std::same_as<T, bool>) {
    std::vector<T> values(count);
    gather(indices, std::span<T>(values));
    return values;
  } else {
    const detail::uninitialized_array<T> values(count);
    gather(indices, std::span(values.data(), count));
    return std::vector<T>(values.data(), values.end());
  }
}

template <transferable T, class Distribution>
template <std::ranges::forward_range Indices>
void array<T, Distribution>::scatter(Indices&& indices, std::span<const T> values) const {
  detail::require_as_many("array::scatter", indices, values.size());
  detail::for_each_element("array::scatter", job_, *this, indices,
                           [from = values.data()](context& ctx, global_ref<T> at, std::size_t k) {
                             detail::scatter_one(ctx, at, from[k]);
                           });
}

} // namespace windrow
