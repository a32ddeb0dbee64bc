// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "windrow/job.hpp"

namespace windrow::test {

/// A distributed array whose element i has value(i) at first. Made by all PEs, and freed when all are done
/// with it.
template <class T>
class filled_array {
 public:
  template <class Value>
  filled_array(job& j, std::uint64_t size, Value value) : job_(j), all_(j.array<T>(size)) {
    for (std::uint64_t k = 0; k < all_.local().size(); ++k) all_.local()[k] = value(all_.global_index(k));
    j.barrier();
  }
  ~filled_array() {
    job_.barrier();
    job_.free(all_);
  }
  filled_array(const filled_array&) = delete;
  filled_array& operator=(const filled_array&) = delete;

  std::uint64_t size() const { return all_.size(); }
  auto operator[](std::uint64_t i) const { return all_[i]; }

 private:
  job& job_;
  array<T> all_;
};

} // namespace windrow::test
