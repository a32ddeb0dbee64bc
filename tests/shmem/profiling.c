// SPDX-License-Identifier: BSD-3-Clause
// A tool takes the place of routines and calls them by their pshmem_ names; all routines have such a name.
#include "tests/shmem/profiling.h"

#include "tests/shmem/harness.h"

static int puts_seen, barriers_seen;

void shmem_long_put(long* dest, const long* source, size_t nelems, int pe) {
  ++puts_seen;
  pshmem_long_put(dest, source, nelems, pe);
}

void shmem_barrier_all(void) {
  ++barriers_seen;
  pshmem_barrier_all();
}

int main(void) {
  static long dest[most_pes];
  shmem_init();
  me = shmem_my_pe();
  pes = shmem_n_pes();
  shmem_pcontrol(1);
  const long value = 40 + me;
  for (int pe = 0; pe < pes; ++pe) shmem_long_put(&dest[me], &value, 1, pe);
  shmem_put(&dest[me], &value, 1, me); // the generic form is seen too
  shmem_barrier_all();
  shmem_pcontrol(0);
  for (int pe = 0; pe < pes; ++pe) CHECK(dest[pe] == 40 + pe);
  CHECK(puts_seen == pes + 1);
  CHECK(barriers_seen == 1);
  for (int i = 0; i < profiled_routine_count; ++i) {
    const profiled_routine* each = &profiled_routines[i];
    CHECK(each->routine != NULL && each->profiling != NULL);
  }
  CHECK(profiled_routine_count > 1500);
  return finish_tests();
}
