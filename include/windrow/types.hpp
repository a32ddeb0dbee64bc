// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace windrow {

/// The number of a processing element (PE) in its job or team: 0 … pes - 1.
using pe_t = int;

/// What may live in symmetric memory and travel between PEs: plain bytes without addresses of their own.
template <class T>
concept transferable = std::is_trivially_copyable_v<T> && !std::is_pointer_v<T>;

/// Types with remote atomic operations: integers of 1, 2, 4 and 8 bytes, float and double.
/// `and`, `or`, `xor` exist for the integers only.
template <class T>
concept atomic_value = std::is_arithmetic_v<T> && !std::is_same_v<T, long double>;

template <class T>
concept atomic_integer = atomic_value<T> && std::is_integral_v<T> && !std::is_same_v<T, bool>;

} // namespace windrow
