// SPDX-License-Identifier: BSD-3-Clause
// Tables of which most places are never used, such as one with a place for each other PE.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

namespace windrow::os {

/// `bytes` zeros at a multiple of a cache line. Several pages of them are committed one by one, on first
/// touch. Throws windrow::error.
std::byte* take_zeroed(std::size_t bytes);
/// By the same number of bytes; null is nothing.
void give_zeroed(std::byte*, std::size_t bytes) noexcept;

/// `count` places, all bytes of which are zero at first: that must be a valid T. Reading one takes no memory
/// either, so a table in which a PE uses some places costs some pages, however many there are.
template <class T>
class zeroed_array {
 public:
  zeroed_array() = default;
  explicit zeroed_array(std::size_t count)
      : first_(reinterpret_cast<T*>(take_zeroed(bytes_of(count)))), count_(count) {}
  zeroed_array(zeroed_array&& other) noexcept
      : first_(std::exchange(other.first_, nullptr)), count_(std::exchange(other.count_, 0)) {}
  zeroed_array& operator=(zeroed_array&& other) noexcept {
    std::swap(first_, other.first_);
    std::swap(count_, other.count_);
    return *this;
  }
  ~zeroed_array() { give_zeroed(reinterpret_cast<std::byte*>(first_), bytes_of(count_)); }

  T* data() const { return first_; }
  std::size_t size() const { return count_; }
  T& operator[](std::size_t i) const { return first_[i]; }
  T* begin() const { return first_; }
  T* end() const { return first_ + count_; }

 private:
  static_assert(std::is_trivially_destructible_v<T> && alignof(T) <= 64);

  static std::size_t bytes_of(std::size_t count) { return count * sizeof(decltype(*first_)); }

  T* first_ = nullptr;
  std::size_t count_ = 0;
};

} // namespace windrow::os
