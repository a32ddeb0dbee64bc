// SPDX-License-Identifier: BSD-3-Clause
// Messages to several mobile objects in one place.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "windrow/mobile.hpp"

namespace windrow {

namespace mobile {

template <class>
struct free_function;
template <class R, class... P>
struct free_function<R (*)(P...)> {
  using parameters = std::tuple<P...>;
};
template <class R, class... P>
struct free_function<R (*)(P...) noexcept> : free_function<R (*)(P...)> {};

/// A function whose first parameters, as many as `Objects`, are given by the place where it is called.
template <auto Function, std::size_t Objects>
struct function_of_objects {
  using parameters = typename free_function<decltype(+Function)>::parameters;
  static constexpr auto all = std::tuple_size_v<parameters>;
  static_assert(all >= Objects, "the function takes another number of arguments");

  template <std::size_t... A>
  static auto decayed(std::index_sequence<A...>) {
    static_assert((... && !can_change<std::tuple_element_t<Objects + A, parameters>>),
                  "a message cannot change its sender's variables: take arguments by value or const&");
    return std::tuple<std::decay_t<std::tuple_element_t<Objects + A, parameters>>...>();
  }
  using arguments = decltype(decayed(std::make_index_sequence<std::max(all, Objects) - Objects>()));
  static constexpr arguments* types = nullptr;

  template <class... Args>
  static std::vector<std::byte> bytes_of(const Args&... args) {
    return pack_behind({}, types, args...);
  }
  template <class... O>
  static void call(const std::byte* at, O&... objects) {
    auto rest = unpack_all(at, types);
    std::apply([&](auto&... args) { Function(objects..., std::move(args)...); }, rest);
  }
};

/// Calls `Function` with objects of classes T, then the arguments.
template <auto Function, class... T>
struct meeting_of_several : function_of_objects<Function, sizeof...(T)> {
  static void run(std::span<cell* const> objects, const std::byte* at) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      meeting_of_several::call(at, object_in<T>(*objects[I])...);
    }(std::index_sequence_for<T...>());
  }
  static inline const listed_handler handler{code_of(&run), text_with_name<Function>()};
};

/// Calls `Function` with a span of pointers to objects of class T, then the arguments.
template <auto Function, class T>
struct meeting_of_many : function_of_objects<Function, 1> {
  static void run(std::span<cell* const> objects, const std::byte* at) {
    std::vector<T*> all;
    all.reserve(objects.size());
    for (auto* const c : objects) all.push_back(&object_in<T>(*c));
    const std::span<T* const> pointers(all);
    meeting_of_many::call(at, pointers);
  }
  static inline const listed_handler handler{code_of(&run), text_with_name<Function>()};
};

} // namespace mobile

/// A message to several objects: `Function(a, b, …, args…)` is called with references to all of them, on one
/// PE, where the first of `objects` is by then; the others move there. Each of them is used by nothing else
/// meanwhile: it has handled what it got before, and messages, visits and moves wait until the function has
/// ended. They stay there afterwards.
///
///     void exchange(region& a, region& b, double share);
///     windrow::multicast<exchange>(std::tuple(all[3], all[9]), 0.5);
///
/// The function is a handler, and does what handlers may. Multicasts with objects in common, in whatever
/// order they name them, cannot wait for each other in a circle: each holds its objects in one order, that of
/// their ids. For the object of the least id it has its place among this PE's messages; nothing is said
/// about the order of it and messages to the others. An object that is named twice, or was destroyed, ends
/// the job with a sentence. To be called where `send` may be.
template <auto Function, class... T, class... Args>
void multicast(const std::tuple<mobile_ptr<T>...>& objects, const Args&... args) {
  using meeting = mobile::meeting_of_several<Function, T...>;
  std::apply(
      [&](const auto&... p) {
        const mobile::object_id ids[] = {p.id()...};
        mobile::this_core().multicast(ids, meeting::handler, meeting::bytes_of(args...));
      },
      objects);
}

/// A message to any number of objects of one type: like the function above, but it calls
/// `Function(std::span<T* const> objects, args…)`, with the objects in the order in which they are named.
template <auto Function, class T, class... Args>
void multicast(const std::vector<mobile_ptr<T>>& objects, const Args&... args) {
  using meeting = mobile::meeting_of_many<Function, T>;
  std::vector<mobile::object_id> ids;
  ids.reserve(objects.size());
  for (const auto p : objects) ids.push_back(p.id());
  mobile::this_core().multicast(ids, meeting::handler, meeting::bytes_of(args...));
}

} // namespace windrow
