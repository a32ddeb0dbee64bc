// SPDX-License-Identifier: BSD-3-Clause
// Reads of other PEs that wait for one message where plain ones wait for many: the members of an object, and
// consecutive elements of an array. After Barton, Iancu and others' work on UPC (communication coalescing,
// strip-mined message vectorisation). One thread of a PE at a time, as of direct operations.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <tuple>
#include <type_traits>
#include <utility>

#include "windrow/array.hpp"
#include "windrow/detail/uninitialized.hpp"
#include "windrow/one_sided.hpp"

namespace windrow {

namespace detail {

/// Where a member is in its object.
template <class S, class M>
std::size_t offset_of(M S::* member) {
  alignas(S) static std::byte storage[sizeof(S)];
  const auto& object = *reinterpret_cast<const S*>(storage);
  return static_cast<std::size_t>(reinterpret_cast<const std::byte*>(&(object.*member)) - storage);
}

/// While it lives, reads may be under way into memory that lives longer.
class reads_under_way {
 public:
  explicit reads_under_way(memory_map& map) : map_(map) {}
  ~reads_under_way() { map_.complete(); }
  reads_under_way(const reads_under_way&) = delete;
  reads_under_way& operator=(const reads_under_way&) = delete;

 private:
  memory_map& map_;
};

/// Begins to read the elements first … first + count - 1. What is together in memory is one message, and so
/// is what a PE has of an array that is dealt element by element.
template <transferable T, class Distribution>
void begin_to_read(job& j, const array<T, Distribution>& from, std::uint64_t first, std::uint64_t count,
                   T* to) {
  if constexpr (std::same_as<Distribution, cyclic_distribution>) {
    const auto pes = std::min(static_cast<std::uint64_t>(j.pes()), count);
    for (std::uint64_t p = 0; p < pes; ++p)
      get_strided_direct(j, &from[first + p], 1, to + p, j.pes(),
                         static_cast<std::size_t>((count - p - 1) / static_cast<std::uint64_t>(j.pes()) + 1),
                         until::begun);
  } else {
    const auto block = from.places().block();
    for (std::uint64_t some = 0; count > 0; first += some, to += some, count -= some) {
      some = std::min(count, block - first % block);
      get_direct(j, &from[first], std::span(to, static_cast<std::size_t>(some)), until::begun);
    }
  }
}

} // namespace detail

/// Members of an object, in the order in which they are named:
/// `auto [next, weight] = get_fields(job, edges[i], &edge::next, &edge::weight)`. Where they are less than
/// 1 KiB apart, one message brings them with what lies between; otherwise one each, and one wait for all.
/// Each member is read as `get` reads it; other PEs that write several of them may be seen in between.
template <transferable S, transferable... M>
std::tuple<M...> get_fields(job& j, global_ref<S> at, M S::*... members) {
  static_assert(sizeof...(M) > 0, "name the members: get_fields(job, place, &edge::next, &edge::weight)");
  constexpr std::size_t nearest = 1024; // bytes; a message more costs less than more bytes than these
  const auto low = std::min({detail::offset_of(members)...}),
             high = std::max({detail::offset_of(members) + sizeof(M)...});
  auto& map = j.map();
  std::tuple<detail::uninitialized<M>...> places;
  const auto values = [&] {
    return std::apply([](const auto&... place) { return std::tuple<M...>(place.value...); }, places);
  };
  if (high - low > nearest || map.find(at.owner(), at.offset() + low, high - low).plain) {
    std::apply(
        [&](auto&... place) {
          (detail::get_direct(j, *global_ptr<M>(at.owner(), at.offset() + detail::offset_of(members)),
                              &place.value, detail::until::begun),
           ...);
        },
        places);
    map.complete();
    return values();
  }
  alignas(std::max_align_t) std::byte box[nearest];
  detail::get_direct(j, global_ptr<std::byte>(at.owner(), at.offset() + low), std::span(box, high - low),
                     detail::until::complete);
  std::apply(
      [&](auto&... place) {
        (std::memcpy(&place.value, box + (detail::offset_of(members) - low), sizeof place.value), ...);
      },
      places);
  return values();
}

/// Calls `use(i, value)` for the elements first … last - 1, in this order, and reads them in strips of some
/// KiB: while the program uses one, the next is under way. An element is read at some moment of the call, not
/// as late as its turn comes: nobody should write it meanwhile. This PE's own operations that are under way
/// are complete afterwards. Elements out of range end the job with a sentence. What `use` throws comes out.
template <transferable T, class Distribution, std::invocable<std::uint64_t, const T&> Use>
void pipelined_get(job& j, const array<T, Distribution>& from, std::uint64_t first, std::uint64_t last,
                   Use use) {
  if (first >= last) return j.map().complete();
  static_cast<void>(from[last - 1]);
  constexpr std::uint64_t strip = std::max<std::uint64_t>(1, (std::uint64_t{16} << 10) / sizeof(T));
  const auto room = static_cast<std::size_t>(std::min(strip, last - first));
  detail::uninitialized_array<T> now(room), next(room);
  const auto begin = [&](std::uint64_t i, const detail::uninitialized_array<T>& to) {
    if (i < last) detail::begin_to_read(j, from, i, std::min(strip, last - i), to.data());
  };
  const detail::reads_under_way meanwhile(j.map());
  begin(first, now);
  for (auto i = first; i < last; i += std::min(strip, last - i)) {
    j.map().complete();
    begin(i + std::min(strip, last - i), next);
    for (std::uint64_t k = 0; k < std::min(strip, last - i); ++k)
      std::invoke(use, i + k, std::as_const(now.data()[static_cast<std::size_t>(k)]));
    std::swap(now, next);
  }
}

} // namespace windrow
