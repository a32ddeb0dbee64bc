// SPDX-License-Identifier: BSD-3-Clause
// Atomic memory operations: atomic instructions on the other PE's memory, or items of the aggregation engine.
#pragma once

#include <atomic>

#include "shmem/remote_access.hpp"
#include "windrow/detail/atomic_access.hpp"

namespace windrow::shmem {

using aggregation::verb;

/// Between PEs of one host.
using access = detail::atomic_access<std::memory_order_acq_rel>;

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
  return access::apply<V>(*at, operands...);
}

/// Complete when it returns.
template <verb V, class T, class... Operands>
[[gnu::always_inline]] inline T change(T* place, int job_pe, const char* routine, Operands... operands) {
  const auto elsewhere = [=](T* at) {
    return detail::from_bits<T>(change_elsewhere(at, detail::change_of<V, T>(operands...)));
  };
  return change_or<V>(place, job_pe, routine, elsewhere, operands...);
}
/// Complete at quiet, and the value before is not wanted.
template <verb V, class T, class... Operands>
[[gnu::always_inline]] inline void begin_change(T* place, int job_pe, const char* routine,
                                                Operands... operands) {
  const auto elsewhere = [=](T* at) {
    begin_change_elsewhere(at, detail::change_of<V, T>(operands...), nullptr, 0);
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
  require_local(out, sizeof(T), local_use::write, "fetch", routine);
  if (on.aggregated()) return append<V>(dest, out, target, routine, operands...);
  if (hot.elsewhere != nullptr) [[unlikely]] {
    T* const at = remote(dest, target, routine);
    if (lies_elsewhere(at))
      return begin_change_elsewhere(at, detail::change_of<V, T>(operands...), out, sizeof(T));
  }
  *out = change<V>(dest, target, routine, operands...);
}

} // namespace windrow::shmem
