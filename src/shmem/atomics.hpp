// SPDX-License-Identifier: BSD-3-Clause
// Atomic memory operations: atomic instructions on the other PE's memory, or items of the aggregation engine.
#pragma once

#include <atomic>

#include "shmem/remote_access.hpp"

namespace windrow::shmem {

using aggregation::verb;

/// Carries out the operation on one value; the result is the value before.
template <verb V, class T>
T apply(std::atomic_ref<T> at, T operand) {
  constexpr auto order = std::memory_order_acq_rel;
  if constexpr (V == verb::put)
    return at.store(operand, std::memory_order_release), T{};
  else if constexpr (V == verb::swap)
    return at.exchange(operand, order);
  else if constexpr (V == verb::add || V == verb::fetch_add)
    return at.fetch_add(operand, order);
  else if constexpr (V == verb::bit_and || V == verb::fetch_and)
    return at.fetch_and(operand, order);
  else if constexpr (V == verb::bit_or || V == verb::fetch_or)
    return at.fetch_or(operand, order);
  else {
    static_assert(V == verb::bit_xor || V == verb::fetch_xor);
    return at.fetch_xor(operand, order);
  }
}
template <verb V, class T>
T apply(std::atomic_ref<T> at) {
  static_assert(V == verb::inc || V == verb::fetch_inc);
  return at.fetch_add(T{1}, std::memory_order_acq_rel);
}
template <verb V, class T>
T apply(std::atomic_ref<T> at, T expected, T desired) {
  static_assert(V == verb::compare_swap);
  at.compare_exchange_strong(expected, desired, std::memory_order_acq_rel);
  return expected;
}

constexpr detail::change_verb verb_elsewhere(verb v) {
  using detail::change_verb;
  switch (v) {
    case verb::put:
      return change_verb::set;
    case verb::swap:
      return change_verb::swap;
    case verb::compare_swap:
      return change_verb::compare_swap;
    case verb::bit_and:
    case verb::fetch_and:
      return change_verb::bit_and;
    case verb::bit_or:
    case verb::fetch_or:
      return change_verb::bit_or;
    case verb::bit_xor:
    case verb::fetch_xor:
      return change_verb::bit_xor;
    default:
      return change_verb::add;
  }
}

template <verb V, class T>
detail::atomic_change change_elsewhere_of(T operand, T expected = T{}) {
  return {verb_elsewhere(V), detail::change_type_of<T>(), detail::to_bits(operand),
          detail::to_bits(expected)};
}
template <verb V, class T, class... Operands>
detail::atomic_change as_change(Operands... operands) {
  if constexpr (sizeof...(operands) == 0)
    return change_elsewhere_of<V>(T{1});
  else if constexpr (V == verb::compare_swap)
    return [](T expected, T desired) { return change_elsewhere_of<V>(desired, expected); }(operands...);
  else
    return change_elsewhere_of<V>(operands...);
}

/// Carries out the operation on PE `job_pe`; the result is the value before, or, on another host, that of
/// `elsewhere`. Direct atomics must be announced to owners that apply aggregated operations without atomic
/// instructions; in jobs of several hosts they always are, and never noted as announced.
template <verb V, class T, class Elsewhere, class... Operands>
[[gnu::always_inline]] inline T change_or(T* place, int job_pe, const char* routine, Elsewhere elsewhere,
                                          Operands... operands) {
  T* const at = remote(place, job_pe, routine);
  if (!hot.map->atomics_announced.load(std::memory_order_acquire)) [[unlikely]] {
    if (is_elsewhere(at)) return elsewhere(at);
    detail::announce_atomics(*hot.map);
  }
  return apply<V>(std::atomic_ref<T>(*at), operands...);
}

/// Complete when it returns.
template <verb V, class T, class... Operands>
[[gnu::always_inline]] inline T change(T* place, int job_pe, const char* routine, Operands... operands) {
  const auto elsewhere = [=](T* at) {
    return detail::from_bits<T>(change_elsewhere(at, as_change<V, T>(operands...)));
  };
  return change_or<V>(place, job_pe, routine, elsewhere, operands...);
}
/// Complete at quiet, and the value before is not wanted.
template <verb V, class T, class... Operands>
[[gnu::always_inline]] inline void begin_change(T* place, int job_pe, const char* routine,
                                                Operands... operands) {
  const auto elsewhere = [=](T* at) {
    begin_change_elsewhere(at, as_change<V, T>(operands...), nullptr, 0);
    return T{};
  };
  change_or<V>(place, job_pe, routine, elsewhere, operands...);
}

template <verb V, class On, class T, class... Operands>
void update(On on, T* dest, int pe, const char* routine, Operands... operands) {
  const int target = on.job_pe(pe, routine);
  if (on.aggregated()) return append<V>(dest, static_cast<T*>(nullptr), target, routine, operands...);
  begin_change<V>(dest, target, routine, operands...);
}
/// The value is needed now, so a context that aggregates makes no difference.
template <verb V, class On, class T, class... Operands>
T fetch(On on, T* dest, int pe, const char* routine, Operands... operands) {
  return change<V>(dest, on.job_pe(pe, routine), routine, operands...);
}
template <verb V, class On, class T, class... Operands>
void fetch_later(On on, T* out, T* dest, int pe, const char* routine, Operands... operands) {
  const int target = on.job_pe(pe, routine);
  if (on.aggregated()) return append<V>(dest, out, target, routine, operands...);
  if (hot.elsewhere != nullptr) [[unlikely]] {
    T* const at = remote(dest, target, routine);
    if (lies_elsewhere(at)) return begin_change_elsewhere(at, as_change<V, T>(operands...), out, sizeof(T));
  }
  *out = change<V>(dest, target, routine, operands...);
}

} // namespace windrow::shmem
