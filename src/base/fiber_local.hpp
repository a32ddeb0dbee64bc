// SPDX-License-Identifier: BSD-3-Clause
// Thread-local variables of the library whose values belong to the PE that runs on the thread, not to the
// thread: where PEs take turns on one thread (transport/sim), each finds its own.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

namespace windrow::base {

/// Says that a variable is one of those. A constant of namespace scope, in the file that defines the
/// variable or in one of its room.
class fiber_local {
 public:
  /// `here()` is the variable of the calling thread. `end`, if any, is called where a PE has ended, with its
  /// value in place.
  template <class Here>
  explicit fiber_local(Here here, void (*end)() = nullptr)
      : next_(first),
        exchange_(exchange_one<Here>),
        bytes_(sizeof(decltype(here()))),
        offset_(next_ == nullptr ? 0 : next_->offset_ + next_->bytes_),
        end_(end) {
    first = this;
  }
  fiber_local(const fiber_local&) = delete;
  fiber_local& operator=(const fiber_local&) = delete;

 private:
  friend class fiber_locals;

  template <class Here>
  static void exchange_one(std::byte* with) {
    auto& here = Here{}();
    using value = std::remove_cvref_t<decltype(here)>;
    static_assert(std::is_trivially_copyable_v<value>);
    const auto bytes = std::as_writable_bytes(std::span(&here, 1));
    std::swap_ranges(bytes.begin(), bytes.end(), with);
  }

  inline static constinit const fiber_local* first = nullptr;

  const fiber_local* next_;
  void (*exchange_)(std::byte* with);
  std::size_t bytes_, offset_;
  void (*end_)();
};

/// The values of all of them, while who they belong to does not run.
class fiber_locals {
 public:
  /// To be copied.
  static fiber_locals of_new_thread();
  /// With those of the calling thread.
  void exchange() {
    for (const auto* each = fiber_local::first; each != nullptr; each = each->next_)
      each->exchange_(values_.data() + each->offset_);
  }
  /// Of the calling thread: who they belong to has ended.
  static void end();

 private:
  fiber_locals();

  std::vector<std::byte> values_;
};

} // namespace windrow::base
