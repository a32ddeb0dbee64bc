// SPDX-License-Identifier: BSD-3-Clause
// `send(to, item)` and `reply(item)` as overloads, one for each mailbox, so that the language's own rules
// find the mailbox from the item.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include "windrow/types.hpp"

namespace windrow::detail {

template <class T, class... Ts>
inline constexpr std::size_t times_in = (std::size_t{0} + ... + std::size_t{std::is_same_v<T, Ts>});

/// The place of T among Ts, where it is once.
template <class T, class... Ts>
constexpr std::size_t index_of() {
  static_assert(times_in<T, Ts...> > 0, "no mailbox of this selector takes items of this type");
  static_assert(times_in<T, Ts...> < 2, "several mailboxes take items of this type; say which by its number");
  std::size_t index = 0;
  (void)((std::is_same_v<T, Ts> || (++index, false)) || ...);
  return index;
}

template <std::size_t I, class T>
struct nothing_of_its_own {};

/// What an overload takes: the item, except that of several mailboxes for one type only the first has one.
template <std::size_t I, class T, class... Ts>
constexpr auto sent_as() {
  constexpr bool same[] = {std::is_same_v<T, Ts>...};
  for (std::size_t k = 0; k < I; ++k)
    if (same[k]) return false;
  return true;
}

template <class Self, std::size_t I, class T, class... Ts>
class sender {
 public:
  using item = std::conditional_t<sent_as<I, T, Ts...>(), T, nothing_of_its_own<I, T>>;

  void send(pe_t to, const item& value) {
    static_cast<Self*>(this)->template send<index_of<T, Ts...>()>(to, value);
  }
  void reply(const item& value) { static_cast<Self*>(this)->template reply<index_of<T, Ts...>()>(value); }
};

template <class Self, class Indices, class... Ts>
class senders;

template <class Self, std::size_t... I, class... Ts>
class senders<Self, std::index_sequence<I...>, Ts...> : public sender<Self, I, Ts, Ts...>... {
 public:
  using sender<Self, I, Ts, Ts...>::send...;

 protected:
  using sender<Self, I, Ts, Ts...>::reply...;
};

} // namespace windrow::detail
