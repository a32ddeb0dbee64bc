// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <shmem.h>

typedef struct {
  const char* name;
  void (*routine)(void);
  void (*profiling)(void);
} profiled_routine;

/// Every routine of routines.toml with its profiling name.
extern const profiled_routine profiled_routines[];
extern const int profiled_routine_count;
