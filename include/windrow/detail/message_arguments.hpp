// SPDX-License-Identifier: BSD-3-Clause
// The arguments of a message to objects: they become the parameters of a function where they are sent, and
// are its arguments where it is called.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <tuple>
#include <type_traits>
#include <vector>

#include "windrow/detail/inline.hpp"
#include "windrow/detail/object_bytes.hpp"

namespace windrow::mobile {

/// Whether a function can change its argument through a parameter of type P.
template <class P>
inline constexpr bool can_change =
    std::is_lvalue_reference_v<P> && !std::is_const_v<std::remove_reference_t<P>>;

/// The arguments that begin at `at`, which is moved behind them.
template <class... P>
WINDROW_INLINE std::tuple<unpacked<P>...> unpack_all([[maybe_unused]] const std::byte*& at,
                                                     std::tuple<P...>*) {
  return std::tuple<unpacked<P>...>{unpack<P>(at)...}; // in their order
}

/// The argument as the parameter that it becomes.
template <class P, class Arg>
struct converted {
  explicit converted(const Arg& arg) : value(arg), content(value) {}
  std::conditional_t<std::is_same_v<P, Arg>, const Arg&, const P> value;
  packed<P> content;
};
/// A parameter of a few plain bytes, which is copied.
template <class P>
struct plain_argument {
  packed<P> content;
};
template <class P, class Arg>
WINDROW_INLINE auto packed_argument(const Arg& arg) {
  if constexpr (packed<P>::is_copied)
    return plain_argument<P>{packed<P>(static_cast<P>(arg))};
  else
    return converted<P, Arg>(arg);
}

/// Calls `put(arguments...)` with packed ones, for the parameters of the tuple.
template <class... P, class Put, class... Args>
WINDROW_INLINE void pack(std::tuple<P...>*, Put put, const Args&... args) {
  static_assert(sizeof...(P) == sizeof...(Args), "the function takes another number of arguments");
  static_assert((... && !other_span<P>),
                "a span of constant plain elements, aligned to 16 bytes at most, travels, no other");
  if constexpr (sizeof...(P) == sizeof...(Args) && (... && !other_span<P>)) put(packed_argument<P>(args)...);
}

/// The packed arguments as bytes, behind `front`.
template <class Parameters, class... Args>
std::vector<std::byte> pack_behind(std::span<const std::byte> front, Parameters* parameters,
                                   const Args&... args) {
  std::vector<std::byte> result;
  pack(
      parameters,
      [&](const auto&... all) {
        result.resize((front.size() + ... + all.content.bytes()));
        if (!front.empty()) std::memcpy(result.data(), front.data(), front.size());
        [[maybe_unused]] auto* to = result.data() + front.size();
        ((to = all.content.write(to)), ...);
      },
      args...);
  return result;
}

} // namespace windrow::mobile
