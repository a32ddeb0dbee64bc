// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <exception>
#include <utility>

#include "windrow/array.hpp"
#include "windrow/job.hpp"

namespace windrow::apps {

/// A distributed array that frees itself, for what is made and dropped while the job goes on. Construction
/// and destruction (of all but moved-from ones) are collective, in the same order on all PEs. While an
/// exception unwinds nothing is freed, since the other PEs may be elsewhere and never come to help.
template <transferable T, class Distribution = block_distribution>
class owned_array : public windrow::array<T, Distribution> {
 public:
  owned_array() = default;
  owned_array(job& j, std::uint64_t size)
      : windrow::array<T, Distribution>(j.array<T>(size, Distribution{})), job_(&j) {}
  ~owned_array() {
    if (job_ != nullptr && std::uncaught_exceptions() == exceptions_) job_->free(*this);
  }
  owned_array(owned_array&& other) noexcept { swap(other); }
  owned_array& operator=(owned_array&& other) noexcept {
    swap(other);
    return *this;
  }

 private:
  using base = windrow::array<T, Distribution>;
  void swap(owned_array& other) {
    std::swap(static_cast<base&>(*this), static_cast<base&>(other));
    std::swap(job_, other.job_);
  }

  job* job_ = nullptr; ///< null: nothing to free
  int exceptions_ = std::uncaught_exceptions();
};

} // namespace windrow::apps
