// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <concepts>
#include <type_traits>

namespace windrow::detail {

/// The least multiple of `unit` that is not less than `value`.
template <std::unsigned_integral T>
constexpr T round_up(T value, std::type_identity_t<T> unit) {
  return (value + unit - 1) / unit * unit;
}

} // namespace windrow::detail
