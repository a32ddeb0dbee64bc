// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "windrow/detail/members.hpp"

namespace windrow {

/// The number of a processing element (PE) in its job or team: 0 … pes - 1.
using pe_t = int;

namespace detail {

template <class T>
consteval bool has_no_addresses();

} // namespace detail

/// That the bytes of a T mean the same on every PE. Known of arithmetic types, enumerations, arrays, and of
/// aggregates of up to 16 members, all of which are transferable (bit-fields count as what they are declared
/// to be). Other types say so:
///
///     template <>
///     inline constexpr bool windrow::is_transferable<money> = true; // a class with private members
///
/// before they are first sent. These are classes with constructors or members that are not public, aggregates
/// with base classes or with members that have no default constructor, unions, and aggregates with members of
/// an anonymous union, which otherwise do not compile.
template <class T>
inline constexpr bool is_transferable = detail::has_no_addresses<T>();

/// What may live in symmetric memory and travel between PEs: plain bytes without addresses of their own, no
/// pointers, references or views (std::span, std::string_view).
template <class T>
concept transferable = std::is_trivially_copyable_v<T> && is_transferable<std::remove_cv_t<T>>;

namespace detail {

template <class... Members>
consteval bool are_transferable(types<Members...>) {
  return (transferable<std::remove_all_extents_t<Members>> && ...);
}
consteval bool are_transferable(unseen) {
  return false;
}

/// As std::complex, without its header.
template <class T>
concept complex_number = sizeof(T) == 2 * sizeof(typename T::value_type) &&
                         std::floating_point<typename T::value_type> && requires(const T& z) {
                           { z.real() } -> std::same_as<typename T::value_type>;
                           { z.imag() } -> std::same_as<typename T::value_type>;
                         };

template <class T>
inline constexpr bool is_std_array = false;
template <class T, std::size_t N>
inline constexpr bool is_std_array<std::array<T, N>> = true;

template <class T>
consteval bool has_no_addresses() {
  if constexpr (std::is_array_v<T>)
    return transferable<std::remove_all_extents_t<T>>;
  else if constexpr (!std::is_class_v<T>)
    return !std::is_pointer_v<T> && !std::is_member_pointer_v<T> && !std::is_null_pointer_v<T> &&
           !std::is_union_v<T>;
  else if constexpr (is_std_array<T>)
    return transferable<typename T::value_type>;
  else if constexpr (std::is_aggregate_v<T>)
    return are_transferable(members_of<T>());
  else
    return complex_number<T>;
}

} // namespace detail

/// Types with remote atomic operations: integers of 1, 2, 4 and 8 bytes, float and double.
/// `and`, `or`, `xor` exist for the integers only.
template <class T>
concept atomic_value = std::is_arithmetic_v<T> && !std::is_same_v<T, long double>;

template <class T>
concept atomic_integer = atomic_value<T> && std::is_integral_v<T> && !std::is_same_v<T, bool>;

} // namespace windrow
