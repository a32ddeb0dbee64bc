/* SPDX-License-Identifier: BSD-3-Clause */
/* A library of its own that uses OpenSHMEM, with a symmetric variable. */
#include "count.h"

#include <shmem.h>

static long counted;

long count_of_pes(void) {
  int pe;
  for (pe = 0; pe < shmem_n_pes(); ++pe) shmem_long_atomic_inc(&counted, pe);
  shmem_barrier_all();
  return counted;
}
