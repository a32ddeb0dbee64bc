// SPDX-License-Identifier: BSD-3-Clause
#include "shmem/waiting.hpp"

#include <fmt/format.h>

#include "base/fatal.hpp"
#include "shmem/define.hpp"

namespace windrow::shmem {

void bad_comparison(int cmp, const char* routine) {
  base::fatal(fmt::format("{}: {} is no comparison; use SHMEM_CMP_EQ, NE, GT, LE, LT or GE", routine, cmp));
}

void after_failed_test() {
  if (!cold.job->engine().progress_of_waiting() && hot.core->shares_processors()) os::yield();
}

} // namespace windrow::shmem

using namespace windrow::shmem; // everything below is the C interface

#define CONDITIONS conditions<T>(ivars, nelems, status, cmp, &cmp_value, 0, CALL)
#define CONDITION_VECTOR conditions<T>(ivars, nelems, status, cmp, cmp_values, 1, CALL)
#define ONE(T) (T * ivars, size_t nelems, const int* status, int cmp, T cmp_value)
#define SOME(T) (T * ivars, size_t nelems, size_t* indices, const int* status, int cmp, T cmp_value)
#define ONE_VECTOR(T) (T * ivars, size_t nelems, const int* status, int cmp, const T* cmp_values)
#define SOME_VECTOR(T) \
  (T * ivars, size_t nelems, size_t* indices, const int* status, int cmp, const T* cmp_values)
#define AS_SYNC(type, N, A, B)                                                                    \
  SHMEM_FUNCTION(void, shmem_##N##_wait_until, (volatile type * ivar, int cmp, type cmp_value)) { \
    wait_until<type>(ivar, cmp, cmp_value, CALL);                                                 \
  }                                                                                               \
  SHMEM_FUNCTION(int, shmem_##N##_test, (volatile type * ivar, int cmp, type cmp_value)) {        \
    return test<type>(ivar, cmp, cmp_value, CALL);                                                \
  }                                                                                               \
  ARRAY_SYNC(type, void, shmem_##N##_wait_until_all, wait_until_all)                              \
  ARRAY_SYNC(type, size_t, shmem_##N##_wait_until_any, wait_until_any)                            \
  ARRAY_SYNC(type, int, shmem_##N##_test_all, test_all)                                           \
  ARRAY_SYNC(type, size_t, shmem_##N##_test_any, test_any)                                        \
  SOME_SYNC(type, shmem_##N##_wait_until_some, wait_until_some)                                   \
  SOME_SYNC(type, shmem_##N##_test_some, test_some)
#define ARRAY_SYNC(type, result, name, action)              \
  SHMEM_FUNCTION(result, name, ONE(type)) {                 \
    using T = type;                                         \
    return action(CONDITIONS);                              \
  }                                                         \
  SHMEM_FUNCTION(result, name##_vector, ONE_VECTOR(type)) { \
    using T = type;                                         \
    return action(CONDITION_VECTOR);                        \
  }
#define SOME_SYNC(type, name, action)                        \
  SHMEM_FUNCTION(size_t, name, SOME(type)) {                 \
    using T = type;                                          \
    return action(CONDITIONS, indices);                      \
  }                                                          \
  SHMEM_FUNCTION(size_t, name##_vector, SOME_VECTOR(type)) { \
    using T = type;                                          \
    return action(CONDITION_VECTOR, indices);                \
  }
WINDROW_SHMEM_SYNC_TYPES(AS_SYNC, , )

// Deprecated: wait until the value is another.
#define OLD_WAIT(T, N, A, B)                                                 \
  SHMEM_FUNCTION(void, shmem_##N##_wait, (volatile T * ivar, T cmp_value)) { \
    wait_until<T>(ivar, SHMEM_CMP_NE, cmp_value, CALL);                      \
  }
WINDROW_SHMEM_OLD_INTEGERS(OLD_WAIT, , )
SHMEM_FUNCTION(void, shmem_wait, (volatile long* ivar, long cmp_value)) {
  wait_until<long>(ivar, SHMEM_CMP_NE, cmp_value, CALL);
}
SHMEM_FUNCTION(void, shmem_wait_until, (volatile long* ivar, int cmp, long cmp_value)) {
  wait_until<long>(ivar, cmp, cmp_value, CALL);
}
