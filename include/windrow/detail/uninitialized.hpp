// SPDX-License-Identifier: BSD-3-Clause
// Room for values whose types may have no default constructor: what travels are bytes.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include "windrow/types.hpp"

namespace windrow::detail {

/// Room for one value.
template <transferable T>
union uninitialized {
  uninitialized() {} // NOLINT(modernize-use-equals-default): that would be deleted

  T value;
};

/// Room for several, one behind the other.
template <transferable T>
class uninitialized_array {
 public:
  explicit uninitialized_array(std::size_t count)
      : first_(std::allocator<T>().allocate(count)), count_(count) {}
  uninitialized_array(uninitialized_array&& other) noexcept
      : first_(std::exchange(other.first_, nullptr)), count_(other.count_) {}
  uninitialized_array& operator=(uninitialized_array&& other) noexcept {
    std::swap(first_, other.first_);
    std::swap(count_, other.count_);
    return *this;
  }
  ~uninitialized_array() {
    if (first_ != nullptr) std::allocator<T>().deallocate(first_, count_);
  }

  T* data() const { return first_; }
  T* end() const { return first_ + count_; }

 private:
  T* first_;
  std::size_t count_;
};

} // namespace windrow::detail
