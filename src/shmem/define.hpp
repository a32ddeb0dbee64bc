// SPDX-License-Identifier: BSD-3-Clause
// How a routine of the C interface is defined: as pshmem_x, with shmem_x as another, weak, name for it, so
// that a profiling library can define shmem_x itself and call pshmem_x. Routines that exist for many types or
// sizes are defined by the lines of shmem.h that declare them.
#pragma once

#include "pgas/synchronization.hpp"
#include "shmem/c_interface.hpp"
#include "shmem/state.hpp"

#define SHMEM_FUNCTION(result, name, parameters)                             \
  extern "C" __attribute__((weak, alias("p" #name))) result name parameters; \
  extern "C" result p##name parameters

/// In such a routine: its name as the user knows it.
#define ROUTINE (__func__ + 1)
/// In such a routine, outside of lambdas: its name and the address that it returns to.
#define CALL (windrow::detail::caller{ROUTINE, __builtin_return_address(0)})
/// Like CALL, for inlined functions that rarely need the caller's address.
#define LAZY_CALL (windrow::shmem::routine{ROUTINE})
/// In one that synchronizes PEs.
#define SYNCHRONIZES const windrow::pgas::synchronization this_call(*windrow::shmem::hot.core, CALL)

// From here on the families of shmem.h define what they have declared there: each routine calls the operation
// of its line. Operations are told who has called, and those of the last two kinds first where they go.
#undef WINDROW_SHMEM_ROUTINE
#undef WINDROW_SHMEM_ON_JOB
#undef WINDROW_SHMEM_ON_CONTEXT
#define WINDROW_SHMEM_ROUTINE(result, name, operation, parameters, arguments)            \
  SHMEM_FUNCTION(result, name, parameters) {                                             \
    return windrow::shmem::routines::operation(LAZY_CALL, WINDROW_SHMEM_LIST arguments); \
  }
#define WINDROW_SHMEM_ON_JOB(result, name, operation, parameters, arguments)          \
  SHMEM_FUNCTION(result, name, parameters) {                                          \
    return windrow::shmem::routines::operation(windrow::shmem::everyone(), LAZY_CALL, \
                                               WINDROW_SHMEM_LIST arguments);         \
  }
#define WINDROW_SHMEM_ON_CONTEXT(result, name, operation, parameters, arguments)                    \
  SHMEM_FUNCTION(result, name, (shmem_ctx_t ctx, WINDROW_SHMEM_LIST parameters)) {                  \
    return windrow::shmem::routines::operation(windrow::shmem::members_of(ctx, ROUTINE), LAZY_CALL, \
                                               WINDROW_SHMEM_LIST arguments);                       \
  }
