// SPDX-License-Identifier: BSD-3-Clause
// What this room itself keeps in symmetric memory, of PEs on other hosts too.
#pragma once

#include <cstddef>
#include <cstdint>

#include "shmem/state.hpp"
#include "windrow/detail/direct.hpp"

namespace windrow::shmem {

/// Returns when everything that this PE has begun by direct operations is complete.
inline void complete_direct() {
  hot.map->complete();
}

/// What lies at an offset of PE `pe`'s segment, or its copy in `scratch` if the memory is not plain.
inline const void* look_at(detail::place at, std::size_t bytes, void* scratch, detail::caller by) {
  if (at.plain) return detail::direct::address(*hot.map, at);
  hot.map->get_slowly(at.pe, at.offset, scratch, bytes, detail::until::complete, by);
  return scratch;
}

/// An atomic word of a PE, by the address that `remote` gives. Sequentially consistent; no aggregated
/// operation may use the same word.
template <class T>
class remote_word {
 public:
  explicit remote_word(T* at) : at_(at) {}

  T load() const { return change<detail::verb::fetch>(); }
  void store(T value) const { change<detail::verb::put>(value); }
  T exchange(T value) const { return change<detail::verb::swap>(value); }
  T fetch_add(T value) const { return change<detail::verb::fetch_add>(value); }
  T fetch_or(T value) const { return change<detail::verb::fetch_or>(value); }
  T fetch_and(T value) const { return change<detail::verb::fetch_and>(value); }
  bool compare_exchange_strong(T& expected, T desired) const {
    const T before = change<detail::verb::compare_swap>(expected, desired);
    const bool changed = before == expected;
    expected = before;
    return changed;
  }

 private:
  template <detail::verb V, class... Operands>
  T change(Operands... operands) const {
    if (hot.map->remote_hosts == nullptr) return detail::direct_access::apply<V>(*at_, operands...);
    const auto distance = static_cast<std::size_t>(reinterpret_cast<const std::byte*>(at_) - hot.map->first);
    const auto pe = static_cast<pe_t>(distance / hot.map->stride);
    if (!hot.map->is_on_other_host(pe)) return detail::direct_access::apply<V>(*at_, operands...);
    return detail::from_bits<T>(hot.map->change_slowly(
        pe, distance % hot.map->stride, detail::change_of<V, T>(operands...), {detail::name_of(V)}));
  }

  T* at_;
};

} // namespace windrow::shmem
