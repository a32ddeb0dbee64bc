// SPDX-License-Identifier: BSD-3-Clause
#include "shmem/waiting.hpp"

#include <fmt/format.h>

#include <type_traits>

#include "base/fatal.hpp"
#include "shmem/define.hpp"

namespace windrow::shmem {

void bad_comparison(int cmp, const char* routine) {
  base::fatal(fmt::format("{}: {} is no comparison; use SHMEM_CMP_EQ, NE, GT, LE, LT or GE", routine, cmp));
}

void after_failed_test() {
  if (!cold.job->engine().progress_of_waiting() && hot.core->shares_processors()) os::yield();
}

namespace routines {

namespace {

/// `values` is the value that all variables are compared with, or points to one for each.
template <class T, class Values>
WINDROW_INLINE conditions<T> to_meet(routine by, const T* variables, std::size_t count, const int* status,
                                     int cmp, const Values& values) {
  if constexpr (std::is_pointer_v<Values>)
    return {variables, count, status, cmp, values, 1, by.called()};
  else
    return {variables, count, status, cmp, &values, 0, by.called()};
}

template <class T>
WINDROW_INLINE void wait_until(routine by, const volatile T* variable, int cmp, T value) {
  shmem::wait_until<T>(variable, cmp, value, by.called());
}
template <class T>
WINDROW_INLINE void wait_for_change(routine by, const volatile T* variable, T value) {
  shmem::wait_until<T>(variable, SHMEM_CMP_NE, value, by.called());
}
template <class T>
WINDROW_INLINE int test(routine by, const volatile T* variable, int cmp, T value) {
  return shmem::test<T>(variable, cmp, value, by.called());
}

template <class T, class Values>
WINDROW_INLINE void wait_until_all(routine by, T* variables, std::size_t count, const int* status, int cmp,
                                   const Values& values) {
  return shmem::wait_until_all(to_meet(by, variables, count, status, cmp, values));
}
template <class T, class Values>
WINDROW_INLINE std::size_t wait_until_any(routine by, T* variables, std::size_t count, const int* status,
                                          int cmp, const Values& values) {
  return shmem::wait_until_any(to_meet(by, variables, count, status, cmp, values));
}
template <class T, class Values>
WINDROW_INLINE int test_all(routine by, T* variables, std::size_t count, const int* status, int cmp,
                            const Values& values) {
  return shmem::test_all(to_meet(by, variables, count, status, cmp, values));
}
template <class T, class Values>
WINDROW_INLINE std::size_t test_any(routine by, T* variables, std::size_t count, const int* status, int cmp,
                                    const Values& values) {
  return shmem::test_any(to_meet(by, variables, count, status, cmp, values));
}
template <class T, class Values>
WINDROW_INLINE std::size_t wait_until_some(routine by, T* variables, std::size_t count, std::size_t* indices,
                                           const int* status, int cmp, const Values& values) {
  return shmem::wait_until_some(to_meet(by, variables, count, status, cmp, values), indices);
}
template <class T, class Values>
WINDROW_INLINE std::size_t test_some(routine by, T* variables, std::size_t count, std::size_t* indices,
                                     const int* status, int cmp, const Values& values) {
  return shmem::test_some(to_meet(by, variables, count, status, cmp, values), indices);
}

} // namespace

} // namespace routines

} // namespace windrow::shmem

using namespace windrow::shmem; // everything below is the C interface

WINDROW_SHMEM_SYNC_TYPES(WINDROW_SHMEM_SYNC, , )

// Deprecated.
WINDROW_SHMEM_OLD_INTEGERS(WINDROW_SHMEM_OLD_WAIT, , )
SHMEM_FUNCTION(void, shmem_wait, (volatile long* ivar, long cmp_value)) {
  wait_until<long>(ivar, SHMEM_CMP_NE, cmp_value, CALL);
}
SHMEM_FUNCTION(void, shmem_wait_until, (volatile long* ivar, int cmp, long cmp_value)) {
  wait_until<long>(ivar, cmp, cmp_value, CALL);
}
