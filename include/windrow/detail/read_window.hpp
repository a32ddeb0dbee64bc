// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace windrow::aggregation {

/// Loads from memory that this processor can reach, delayed by a window so that the cache misses of a whole
/// window are under way together. On one host this beats asking the owner, whether the data is in a cache or
/// not.
class read_window {
 public:
  /// `*out = *from`, at some time before the return of `drain`. Values of 1, 2, 4 or 8 bytes.
  template <class T>
  void add(const T* from, T* out) {
    __builtin_prefetch(from);
    entry& oldest = entries_[next_++ % entries_.size()];
    finish(oldest);
    oldest = {from, out, static_cast<unsigned>(std::countr_zero(sizeof(T)))};
  }

  void drain() {
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      entry& oldest = entries_[next_++ % entries_.size()];
      finish(oldest);
      oldest.out = nullptr;
    }
  }

 private:
  struct entry {
    const void* from = nullptr;
    void* out = nullptr; ///< null: nothing here
    unsigned width_log2 = 0;
  };

  static void finish(const entry& e) {
    if (e.out == nullptr) return;
    switch (e.width_log2) {
      case 0:
        load<std::uint8_t>(e);
        break;
      case 1:
        load<std::uint16_t>(e);
        break;
      case 2:
        load<std::uint32_t>(e);
        break;
      default:
        load<std::uint64_t>(e);
    }
  }
  // One load instruction, so that a value which is changed meanwhile is read whole.
  template <class T>
  static void load(const entry& e) {
    const T value = __atomic_load_n(static_cast<const T*>(e.from), __ATOMIC_RELAXED);
    std::memcpy(e.out, &value, sizeof value);
  }

  std::array<entry, 64> entries_{};
  std::size_t next_ = 0;
};

} // namespace windrow::aggregation
