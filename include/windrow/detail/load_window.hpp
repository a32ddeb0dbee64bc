// SPDX-License-Identifier: BSD-3-Clause
// Loads from memory that this processor can reach, delayed by a window so that the cache misses of a whole
// window are under way together. On one host this beats asking the owner, whether the data is in a cache or
// not.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace windrow::aggregation {

/// `Load` says what is loaded and where to: `prefetch()` begins, `finish()` carries it out. Made without
/// arguments, it is none, and `finish` does nothing.
template <class Load>
class load_window {
 public:
  bool empty() const { return added_ == 0; }
  /// Carried out at some time before the return of `drain`.
  void add(const Load& l) {
    l.prefetch();
    Load& oldest = loads_[added_++ % loads_.size()];
    oldest.finish();
    oldest = l;
  }
  void drain() {
    const auto end = added_;
    for (auto i = end - std::min(end, loads_.size()); i < end; ++i) {
      Load& oldest = loads_[i % loads_.size()];
      oldest.finish();
      oldest = {};
    }
    added_ = 0;
  }

 private:
  std::array<Load, 64> loads_{};
  std::size_t added_ = 0; ///< since it was empty
};

/// `*out = *from`, of a value of 1, 2, 4 or 8 bytes.
class value_load {
 public:
  value_load() = default;
  template <class T>
  value_load(const T* from, T* out)
      : from_(from), out_(out), width_log2_(static_cast<unsigned>(std::countr_zero(sizeof(T)))) {}

  void prefetch() const { __builtin_prefetch(from_); }
  void finish() const {
    if (out_ == nullptr) return;
    switch (width_log2_) {
      case 0:
        return load<std::uint8_t>();
      case 1:
        return load<std::uint16_t>();
      case 2:
        return load<std::uint32_t>();
      default:
        return load<std::uint64_t>();
    }
  }

 private:
  // One load instruction, so that a value which is changed meanwhile is read whole.
  template <class T>
  void load() const {
    const T value = __atomic_load_n(static_cast<const T*>(from_), __ATOMIC_RELAXED);
    std::memcpy(out_, &value, sizeof value);
  }

  const void* from_ = nullptr;
  void* out_ = nullptr; ///< null: none
  unsigned width_log2_ = 0;
};

} // namespace windrow::aggregation
