// SPDX-License-Identifier: BSD-3-Clause
// Point-to-point synchronization: waiting until other PEs have changed symmetric variables.
#pragma once

#include <cstddef>
#include <cstdint>

#include "aggregation/engine.hpp"
#include "pgas/synchronization.hpp"
#include "shmem/remote_access.hpp"

namespace windrow::shmem {

[[noreturn]] void bad_comparison(int cmp, const char* routine);

/// A condition on one variable, as SHMEM_CMP_EQ, NE, GT, LE, LT, GE (0 ... 5) say.
template <class T>
bool holds(T current, int cmp, T value, const char* routine) {
  switch (cmp) {
    case 0:
      return current == value;
    case 1:
      return current != value;
    case 2:
      return current > value;
    case 3:
      return current <= value;
    case 4:
      return current < value;
    case 5:
      return current >= value;
    default:
      bad_comparison(cmp, routine);
  }
}

/// Variables of this PE that others are to change.
inline void require_waitable(const void* variables, std::size_t bytes, const char* routine) {
  if (variables == nullptr) [[unlikely]]
    inspect_local(variables, bytes, local_use::read, "ivar", routine);
  symmetric_in_debug(variables, bytes, routine);
}

/// Returns once `done()` is true. Others store values without telling anybody, so this looks again and again.
template <class Done>
void wait_for_value(caller by, Done done) {
  const pgas::synchronization call(*hot.core, by);
  note_call();
  cold.job->engine().wait_for_value(done);
}

/// For a test that failed: programs loop on those, so the others' messages are served, and a processor that
/// PEs share is given up.
void after_failed_test();
/// One that has passed tells this PE something; programs loop on those too.
inline bool after_test(bool passed) {
  if (passed) {
    hot.map->settle();
    polled();
  } else {
    after_failed_test();
  }
  return passed;
}

/// A set of conditions: variable i is to compare with the value i of `values`, or with the only one.
/// Variables whose `status` is not 0 are left out.
template <class T>
class conditions {
 public:
  conditions(const T* variables, std::size_t count, const int* status, int cmp, const T* values,
             std::size_t stride, caller by)
      : variables_(variables),
        count_(count),
        status_(status),
        cmp_(cmp),
        values_(values),
        stride_(stride),
        by_(by) {
    require_running(by.operation);
    if (count == 0) return;
    require_waitable(variables, count * sizeof(T), by.operation);
    require_local(values, sizeof(T), local_use::read, "cmp_values", by.operation);
    if (status != nullptr)
      require_local(status, count * sizeof *status, local_use::read, "status", by.operation);
  }

  caller by() const { return by_; }

  bool empty() const {
    for (std::size_t i = 0; i < count_; ++i)
      if (counts(i)) return false;
    return true;
  }
  bool all() const {
    for (std::size_t i = 0; i < count_; ++i)
      if (counts(i) && !is_true(i)) return false;
    return true;
  }
  /// One that is true, or the largest size_t. None starves: where searches begin goes by the golden ratio,
  /// which comes to each place even if only every second or third search is for these variables.
  std::size_t any() const {
    static thread_local std::uint64_t fraction = 0;
    fraction += 0x9e3779b97f4a7c15;
    const auto begin = (fraction >> 32) * count_ >> 32;
    for (std::size_t k = 0; k < count_; ++k) {
      const auto i = (begin + k) % count_;
      if (counts(i) && is_true(i)) return i;
    }
    return ~std::size_t{0};
  }
  /// All that are true; returns how many.
  std::size_t some(std::size_t* indices) const {
    if (count_ != 0) require_local(indices, sizeof *indices, local_use::write, "indices", by_.operation);
    std::size_t found = 0;
    for (std::size_t i = 0; i < count_; ++i)
      if (counts(i) && is_true(i)) indices[found++] = i;
    return found;
  }

 private:
  bool counts(std::size_t i) const { return status_ == nullptr || status_[i] == 0; }
  bool is_true(std::size_t i) const {
    return holds(read(&variables_[i]), cmp_, values_[i * stride_], by_.operation);
  }

  const T* variables_;
  std::size_t count_;
  const int* status_;
  int cmp_;
  const T* values_;
  std::size_t stride_; ///< 0: one value for all
  caller by_;
};

template <class T>
void wait_until(const volatile T* variable, int cmp, T value, caller by) {
  const auto* at = const_cast<const T*>(variable);
  require_running(by.operation);
  require_waitable(at, sizeof(T), by.operation);
  wait_for_value(by, [=] { return holds(read(at), cmp, value, by.operation); });
}
template <class T>
bool test(const volatile T* variable, int cmp, T value, caller by) {
  const auto* at = const_cast<const T*>(variable);
  require_running(by.operation);
  require_waitable(at, sizeof(T), by.operation);
  return after_test(holds(read(at), cmp, value, by.operation));
}

template <class T>
void wait_until_all(const conditions<T>& c) {
  wait_for_value(c.by(), [&] { return c.all(); });
}
template <class T>
std::size_t wait_until_any(const conditions<T>& c) {
  std::size_t found = ~std::size_t{0};
  if (!c.empty()) wait_for_value(c.by(), [&] { return (found = c.any()) != ~std::size_t{0}; });
  return found;
}
template <class T>
std::size_t wait_until_some(const conditions<T>& c, std::size_t* indices) {
  std::size_t found = 0;
  if (!c.empty()) wait_for_value(c.by(), [&] { return (found = c.some(indices)) != 0; });
  return found;
}
template <class T>
bool test_all(const conditions<T>& c) {
  return after_test(c.all());
}
template <class T>
std::size_t test_any(const conditions<T>& c) {
  const auto found = c.any();
  after_test(found != ~std::size_t{0});
  return found;
}
template <class T>
std::size_t test_some(const conditions<T>& c, std::size_t* indices) {
  const auto found = c.some(indices);
  after_test(found != 0);
  return found;
}

} // namespace windrow::shmem
