// SPDX-License-Identifier: BSD-3-Clause
#include "transport/host/apply_change.hpp"

#include <array>
#include <type_traits>
#include <utility>

#include "windrow/detail/atomic_access.hpp"

namespace windrow::transport {

namespace {

using namespace detail;

using function = std::uint64_t (*)(std::byte* place, const atomic_change&);

template <verb V, class T>
std::uint64_t apply(std::byte* place, const atomic_change& change) {
  auto& at = *reinterpret_cast<T*>(place);
  const auto operand = from_bits<T>(change.operand);
  if constexpr (operands_of(V) == 0)
    return to_bits(direct_access::apply<V>(at));
  else if constexpr (operands_of(V) == 1)
    return to_bits(direct_access::apply<V>(at, operand));
  else
    return to_bits(direct_access::apply<V>(at, from_bits<T>(change.expected), operand));
}

template <verb V, class T>
constexpr function function_of() {
  if constexpr (std::is_floating_point_v<T> && integers_only<V>)
    return nullptr;
  else
    return apply<V, T>;
}

template <class T, std::size_t... V>
constexpr std::array<function, verbs> functions_for(std::index_sequence<V...>) {
  return {function_of<static_cast<verb>(V), T>()...};
}

template <class... T>
constexpr std::array<std::array<function, verbs>, carriers> make_table() {
  return {functions_for<T>(std::make_index_sequence<verbs>{})...};
}

// By the number of the carrier.
constexpr auto table = make_table<std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t, float, double>();

} // namespace

std::uint64_t apply_change(std::byte* place, const atomic_change& change) {
  return table[change.carrier][static_cast<std::size_t>(change.what)](place, change);
}

} // namespace windrow::transport
