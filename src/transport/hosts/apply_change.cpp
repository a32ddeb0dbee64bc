// SPDX-License-Identifier: BSD-3-Clause
#include "transport/hosts/apply_change.hpp"

#include <type_traits>

namespace windrow::transport {

namespace {

using detail::change_type;
using detail::change_verb;

template <change_verb V, class T>
std::uint64_t apply_as(std::byte* place, const detail::atomic_change& change) {
  return detail::to_bits(detail::change_here<V>(*reinterpret_cast<T*>(place),
                                                detail::from_bits<T>(change.operand),
                                                detail::from_bits<T>(change.expected)));
}

template <class T>
std::uint64_t apply_to(std::byte* place, const detail::atomic_change& change) {
  switch (change.verb) {
    case change_verb::set:
      return apply_as<change_verb::set, T>(place, change);
    case change_verb::add:
      return apply_as<change_verb::add, T>(place, change);
    case change_verb::swap:
      return apply_as<change_verb::swap, T>(place, change);
    case change_verb::compare_swap:
      return apply_as<change_verb::compare_swap, T>(place, change);
    default:
      break;
  }
  if constexpr (std::is_integral_v<T>) {
    if (change.verb == change_verb::bit_and) return apply_as<change_verb::bit_and, T>(place, change);
    if (change.verb == change_verb::bit_or) return apply_as<change_verb::bit_or, T>(place, change);
    return apply_as<change_verb::bit_xor, T>(place, change);
  }
  return 0; // bitwise operations on floating-point values do not compile
}

} // namespace

std::uint64_t apply_change(std::byte* place, const detail::atomic_change& change) {
  switch (change.type) {
    case change_type::bytes_1:
      return apply_to<std::uint8_t>(place, change);
    case change_type::bytes_2:
      return apply_to<std::uint16_t>(place, change);
    case change_type::bytes_4:
      return apply_to<std::uint32_t>(place, change);
    case change_type::bytes_8:
      return apply_to<std::uint64_t>(place, change);
    case change_type::float_4:
      return apply_to<float>(place, change);
    case change_type::float_8:
      return apply_to<double>(place, change);
  }
  return 0;
}

} // namespace windrow::transport
