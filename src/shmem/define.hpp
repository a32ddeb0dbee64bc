// SPDX-License-Identifier: BSD-3-Clause
// How a routine of the C interface is defined: as pshmem_x, with shmem_x as another, weak, name for it, so
// that a profiling library can define shmem_x itself and call pshmem_x.
#pragma once

#define WINDROW_SHMEM_LIBRARY
#include "pgas/synchronization.hpp"
#include "shmem.h"
#include "shmem/state.hpp"

#define SHMEM_FUNCTION(result, name, parameters)                             \
  extern "C" __attribute__((weak, alias("p" #name))) result name parameters; \
  extern "C" result p##name parameters

/// In such a routine: its name as the user knows it.
#define ROUTINE (__func__ + 1)
/// In such a routine, outside of lambdas: that, and who has called it.
#define CALL (windrow::detail::caller{ROUTINE, __builtin_return_address(0)})
/// That for functions that are inlined here, and rarely want to know who has called.
#define LAZY_CALL (windrow::shmem::routine{ROUTINE})
/// In one that synchronizes PEs.
#define SYNCHRONIZES const windrow::pgas::synchronization this_call(*windrow::shmem::hot.core, CALL)

/// A routine and its twin with a context, as one expression in which `on` says where the operation goes.
#define SHMEM_BOTH(result, name, expression, ...)                            \
  SHMEM_FUNCTION(result, shmem_##name, (__VA_ARGS__)) {                      \
    constexpr windrow::shmem::everyone on;                                   \
    return expression;                                                       \
  }                                                                          \
  SHMEM_FUNCTION(result, shmem_ctx_##name, (shmem_ctx_t ctx, __VA_ARGS__)) { \
    const windrow::shmem::members_of on(ctx, ROUTINE);                       \
    return expression;                                                       \
  }
