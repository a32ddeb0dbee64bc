// SPDX-License-Identifier: BSD-3-Clause
// Messages to several mobile objects in one place.
#pragma once

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

/// The arguments of a message, as bytes; they become the parameters that begin at number `First`.
template <class Parameters, std::size_t First, class... Args>
std::vector<std::byte> bytes_of(const Args&... args) {
  static_assert(std::tuple_size_v<Parameters> == First + sizeof...(Args),
                "the function takes another number of objects and arguments");
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    std::vector<std::byte> result;
    [[maybe_unused]] const auto add = [&](const auto& content) {
      const auto at = result.size();
      result.resize(at + content.bytes());
      content.write(result.data() + at);
    };
    (add(packed<std::decay_t<std::tuple_element_t<First + I, Parameters>>>(args)), ...);
    return result;
  }(std::index_sequence_for<Args...>());
}

/// Calls `Function` with objects of classes T, then the arguments.
template <auto Function, class... T>
struct meeting_of_several {
  using parameters = typename free_function<decltype(+Function)>::parameters;

  static void run(std::span<cell* const> objects, const std::byte* at) {
    [&]<std::size_t... I, std::size_t... A>(std::index_sequence<I...>, std::index_sequence<A...>) {
      std::tuple<std::decay_t<std::tuple_element_t<sizeof...(T) + A, parameters>>...> arguments{
          unpack<std::decay_t<std::tuple_element_t<sizeof...(T) + A, parameters>>>(at)...}; // in their order
      Function(object_in<T>(*objects[I])..., std::get<A>(arguments)...);
    }(std::index_sequence_for<T...>(),
      std::make_index_sequence<std::tuple_size_v<parameters> - sizeof...(T)>());
  }
  static inline const listed_handler handler{code_of(&run), text_with_name<Function>()};
};

/// Calls `Function` with a span of pointers to objects of class T, then the arguments.
template <auto Function, class T>
struct meeting_of_many {
  using parameters = typename free_function<decltype(+Function)>::parameters;

  static void run(std::span<cell* const> objects, const std::byte* at) {
    std::vector<T*> all;
    all.reserve(objects.size());
    for (auto* const c : objects) all.push_back(&object_in<T>(*c));
    [&]<std::size_t... A>(std::index_sequence<A...>) {
      std::tuple<std::decay_t<std::tuple_element_t<1 + A, parameters>>...> arguments{
          unpack<std::decay_t<std::tuple_element_t<1 + A, parameters>>>(at)...}; // in their order
      Function(std::span<T* const>(all), std::get<A>(arguments)...);
    }(std::make_index_sequence<std::tuple_size_v<parameters> - 1>());
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
        mobile::this_core().multicast(ids, meeting::handler,
                                      mobile::bytes_of<typename meeting::parameters, sizeof...(T)>(args...));
      },
      objects);
}

/// The same for any number of objects: `Function(std::span<T* const> objects, args…)`, in the order in which
/// they are named.
template <auto Function, class T, class... Args>
void multicast(const std::vector<mobile_ptr<T>>& objects, const Args&... args) {
  using meeting = mobile::meeting_of_many<Function, T>;
  std::vector<mobile::object_id> ids;
  ids.reserve(objects.size());
  for (const auto p : objects) ids.push_back(p.id());
  mobile::this_core().multicast(ids, meeting::handler,
                                mobile::bytes_of<typename meeting::parameters, 1>(args...));
}

} // namespace windrow
