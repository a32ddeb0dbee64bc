// SPDX-License-Identifier: BSD-3-Clause
// Symmetric memory of PEs on other hosts. It goes by the address that it would have if it were here
// (`remote_bytes`); nothing is there, so whoever may meet such an address uses it through these calls.
#pragma once

#include <cstddef>
#include <cstdint>

#include "shmem/state.hpp"
#include "windrow/detail/atomic_access.hpp"
#include "windrow/detail/atomic_change.hpp"
#include "windrow/detail/copy.hpp"
#include "windrow/detail/lanes.hpp"

namespace windrow::shmem {

bool lies_elsewhere(const void* at);
void wait_for_elsewhere();
inline bool is_elsewhere(const void* at) {
  return hot.elsewhere != nullptr && lies_elsewhere(at);
}

/// Copies to or from memory that lies elsewhere; complete when it returns.
void copy_elsewhere(void* to, const void* from, std::size_t bytes);
/// The same, complete at `complete_elsewhere`. The source of a put may be used again when it returns.
void begin_copy_elsewhere(void* to, const void* from, std::size_t bytes);
/// Returns when everything that this PE has begun on memory that lies elsewhere is complete.
inline void complete_elsewhere() {
  if (hot.elsewhere != nullptr) [[unlikely]]
    wait_for_elsewhere();
}
/// Copies between any two places, of which one at most is elsewhere.
inline void copy(void* to, const void* from, std::size_t bytes) {
  if (hot.elsewhere != nullptr) [[unlikely]]
    return copy_elsewhere(to, from, bytes);
  detail::copy_bytes(to, from, bytes);
}

/// The same for a put to other PEs; complete at `complete_elsewhere`.
inline void begin_copy(void* to, const void* from, std::size_t bytes) {
  if (hot.elsewhere != nullptr) [[unlikely]]
    return begin_copy_elsewhere(to, from, bytes);
  detail::copy_bytes(to, from, bytes);
}

/// `bytes` bytes at `at`, or their copy in `scratch` if they lie elsewhere.
const void* look_at(const void* at, std::size_t bytes, void* scratch);

/// The operation at a place that lies elsewhere; the value before.
std::uint64_t change_elsewhere(void* at, const detail::atomic_change&);

/// Begins it; the value before, of `bytes` bytes, is at `before`, unless that is null, when it is complete.
void begin_change_elsewhere(void* at, const detail::atomic_change&, void* before, std::size_t bytes);

/// An atomic operation on any place; the value before. Sequentially consistent.
template <detail::verb V, class T, class... Operands>
T change_at(T* at, Operands... operands) {
  if (is_elsewhere(at)) [[unlikely]]
    return detail::from_bits<T>(change_elsewhere(at, detail::change_of<V, T>(operands...)));
  return detail::direct_access::apply<V>(*at, operands...);
}

/// An atomic word anywhere.
template <class T>
class far_word {
 public:
  explicit far_word(T* at) : at_(at) {}

  T load() const { return change_at<detail::verb::fetch>(at_); }
  void store(T value) const { change_at<detail::verb::put>(at_, value); }
  T exchange(T value) const { return change_at<detail::verb::swap>(at_, value); }
  T fetch_add(T value) const { return change_at<detail::verb::fetch_add>(at_, value); }
  T fetch_or(T value) const { return change_at<detail::verb::fetch_or>(at_, value); }
  T fetch_and(T value) const { return change_at<detail::verb::fetch_and>(at_, value); }
  bool compare_exchange_strong(T& expected, T desired) const {
    const T before = change_at<detail::verb::compare_swap>(at_, expected, desired);
    const bool changed = before == expected;
    expected = before;
    return changed;
  }

 private:
  T* at_;
};

} // namespace windrow::shmem
