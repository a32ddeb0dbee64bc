// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <compare>
#include <cstdint>

#include "windrow/types.hpp"

namespace windrow {

template <transferable T>
class global_ref;

/// The address of a T in the symmetric memory of some PE: valid in every PE, may be stored and sent.
/// Arithmetic moves within that PE's memory, as with a plain pointer. `job::local` turns it into a plain
/// pointer where that exists. Trivially copyable; a default-constructed one is null.
template <transferable T>
class global_ptr {
 public:
  constexpr global_ptr() = default;
  /// `offset` is in bytes from the start of `owner`'s symmetric heap.
  constexpr global_ptr(pe_t owner, std::uint64_t offset) : offset_(offset), owner_(owner) {}

  constexpr pe_t owner() const { return owner_; }
  constexpr std::uint64_t offset() const { return offset_; }
  constexpr explicit operator bool() const { return owner_ >= 0; }
  constexpr global_ref<T> operator*() const { return global_ref<T>(*this); }
  constexpr global_ref<T> operator[](std::int64_t i) const { return *(*this + i); }

  /// This place in the memory of another PE: symmetric objects have the same offset everywhere.
  constexpr global_ptr on(pe_t other) const { return {other, offset_}; }

  constexpr global_ptr& operator+=(std::int64_t n) {
    offset_ += static_cast<std::uint64_t>(n) * sizeof(T);
    return *this;
  }
  constexpr global_ptr& operator-=(std::int64_t n) { return *this += -n; }
  friend constexpr global_ptr operator+(global_ptr p, std::int64_t n) { return p += n; }
  friend constexpr global_ptr operator-(global_ptr p, std::int64_t n) { return p -= n; }
  /// Both must point into the memory of one PE.
  friend constexpr std::int64_t operator-(global_ptr a, global_ptr b) {
    return static_cast<std::int64_t>(a.offset_ - b.offset_) / static_cast<std::int64_t>(sizeof(T));
  }
  friend constexpr bool operator==(const global_ptr&, const global_ptr&) = default;

 private:
  std::uint64_t offset_ = 0;
  pe_t owner_ = -1;
};

template <transferable T>
inline constexpr bool is_transferable<global_ptr<T>> = true;

/// An address of one PE's own memory, which may lie in symmetric memory all the same: for objects of the
/// owner's that code which runs there is to find. Means nothing on other PEs.
template <class T>
class local_ptr {
 public:
  constexpr local_ptr() = default;
  constexpr local_ptr(T* p) : p_(p) {} // NOLINT(google-explicit-constructor): as of pointers
  constexpr T& operator*() const { return *p_; }
  constexpr T* operator->() const { return p_; }

 private:
  T* p_ = nullptr;
};
template <class T>
inline constexpr bool is_transferable<local_ptr<T>> = true;

/// A T somewhere in symmetric memory, as the target of one-sided operations: what `array[i]` and
/// `*global_ptr` give.
template <transferable T>
class global_ref {
 public:
  /// `checked`: known to lie in symmetric memory, so that operations need not look (arrays check their
  /// indices).
  constexpr explicit global_ref(global_ptr<T> at, bool checked = false) : at_(at), checked_(checked) {}
  // Compilers show these lines to who writes `a[i] = 5` or `long v = a[i]`.
  void operator=(const T&) const = delete; // instead: windrow::put(job, a[i], value), or ctx.put for many
  operator T() const = delete;             // instead: windrow::get(job, a[i]), or ctx.get(a[i]).then(...)

  constexpr global_ptr<T> operator&() const { return at_; }
  constexpr pe_t owner() const { return at_.owner(); }
  constexpr std::uint64_t offset() const { return at_.offset(); }
  constexpr bool checked() const { return checked_; }

 private:
  global_ptr<T> at_;
  bool checked_;
};

} // namespace windrow
