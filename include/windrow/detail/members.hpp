// SPDX-License-Identifier: BSD-3-Clause
// The types of the members of an aggregate, by the names that a structured binding gives them.
#pragma once

#include <concepts>
#include <type_traits>
#include <utility>

namespace windrow::detail {

template <class... Ts>
struct types {};

/// Its members cannot be listed.
struct unseen {};

/// What an aggregate with a base class can be initialized by.
template <class T>
struct some_base {
  template <class Base>
    requires(std::is_base_of_v<Base, T> && !std::same_as<Base, T>)
  operator Base() const;
};

/// A `types` of the members of an aggregate, up to 16, or `unseen`. An empty pair of braces initializes one
/// member, whatever that is, so their number is that of the pairs that T takes. Never evaluated. Where the
/// number would be wrong (a member with an initializer that cannot be initialized by `{}`) or members have no
/// names of their own (of an anonymous union), this does not compile.
template <class T>
constexpr auto list_members(T& object) {
  if constexpr (std::is_empty_v<T>) {
    return types<>();
  } else if constexpr (
      !requires { T{{}}; } || requires { std::tuple_size<T>::value; } || requires { T{some_base<T>()}; }) {
    return unseen();
  } else if constexpr (!requires { T{{}, {}}; }) {
    [[maybe_unused]] auto& [a] = object;
    return types<decltype(a)>();
  } else if constexpr (!requires { T{{}, {}, {}}; }) {
    [[maybe_unused]] auto& [a, b] = object;
    return types<decltype(a), decltype(b)>();
  } else if constexpr (!requires { T{{}, {}, {}, {}}; }) {
    [[maybe_unused]] auto& [a, b, c] = object;
    return types<decltype(a), decltype(b), decltype(c)>();
  } else if constexpr (!requires { T{{}, {}, {}, {}, {}}; }) {
    [[maybe_unused]] auto& [a, b, c, d] = object;
    return types<decltype(a), decltype(b), decltype(c), decltype(d)>();
  } else if constexpr (!requires { T{{}, {}, {}, {}, {}, {}}; }) {
    [[maybe_unused]] auto& [a, b, c, d, e] = object;
    return types<decltype(a), decltype(b), decltype(c), decltype(d), decltype(e)>();
  } else if constexpr (!requires { T{{}, {}, {}, {}, {}, {}, {}}; }) {
    [[maybe_unused]] auto& [a, b, c, d, e, f] = object;
    return types<decltype(a), decltype(b), decltype(c), decltype(d), decltype(e), decltype(f)>();
  } else if constexpr (!requires { T{{}, {}, {}, {}, {}, {}, {}, {}}; }) {
    [[maybe_unused]] auto& [a, b, c, d, e, f, g] = object;
    return types<decltype(a), decltype(b), decltype(c), decltype(d), decltype(e), decltype(f), decltype(g)>();
  } else if constexpr (!requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}}; }) {
    [[maybe_unused]] auto& [a, b, c, d, e, f, g, h] = object;
    return types<decltype(a), decltype(b), decltype(c), decltype(d), decltype(e), decltype(f), decltype(g),
                 decltype(h)>();
  } else if constexpr (!requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; }) {
    [[maybe_unused]] auto& [a, b, c, d, e, f, g, h, i] = object;
    return types<decltype(a), decltype(b), decltype(c), decltype(d), decltype(e), decltype(f), decltype(g),
                 decltype(h), decltype(i)>();
  } else if constexpr (!requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; }) {
    [[maybe_unused]] auto& [a, b, c, d, e, f, g, h, i, j] = object;
    return types<decltype(a), decltype(b), decltype(c), decltype(d), decltype(e), decltype(f), decltype(g),
                 decltype(h), decltype(i), decltype(j)>();
  } else if constexpr (!requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; }) {
    [[maybe_unused]] auto& [a, b, c, d, e, f, g, h, i, j, k] = object;
    return types<decltype(a), decltype(b), decltype(c), decltype(d), decltype(e), decltype(f), decltype(g),
                 decltype(h), decltype(i), decltype(j), decltype(k)>();
  } else if constexpr (!requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; }) {
    [[maybe_unused]] auto& [a, b, c, d, e, f, g, h, i, j, k, l] = object;
    return types<decltype(a), decltype(b), decltype(c), decltype(d), decltype(e), decltype(f), decltype(g),
                 decltype(h), decltype(i), decltype(j), decltype(k), decltype(l)>();
  } else if constexpr (!requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; }) {
    [[maybe_unused]] auto& [a, b, c, d, e, f, g, h, i, j, k, l, m] = object;
    return types<decltype(a), decltype(b), decltype(c), decltype(d), decltype(e), decltype(f), decltype(g),
                 decltype(h), decltype(i), decltype(j), decltype(k), decltype(l), decltype(m)>();
  } else if constexpr (!requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; }) {
    [[maybe_unused]] auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n] = object;
    return types<decltype(a), decltype(b), decltype(c), decltype(d), decltype(e), decltype(f), decltype(g),
                 decltype(h), decltype(i), decltype(j), decltype(k), decltype(l), decltype(m), decltype(n)>();
  } else if constexpr (!requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; }) {
    [[maybe_unused]] auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o] = object;
    return types<decltype(a), decltype(b), decltype(c), decltype(d), decltype(e), decltype(f), decltype(g),
                 decltype(h), decltype(i), decltype(j), decltype(k), decltype(l), decltype(m), decltype(n),
                 decltype(o)>();
  } else if constexpr (!requires { T{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}; }) {
    [[maybe_unused]] auto& [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = object;
    return types<decltype(a), decltype(b), decltype(c), decltype(d), decltype(e), decltype(f), decltype(g),
                 decltype(h), decltype(i), decltype(j), decltype(k), decltype(l), decltype(m), decltype(n),
                 decltype(o), decltype(p)>();
  } else {
    return unseen();
  }
}

template <class T>
using members_of = decltype(list_members(std::declval<T&>()));

} // namespace windrow::detail
