// SPDX-License-Identifier: BSD-3-Clause
// What programs written for other OpenSHMEM libraries say: extensions that are standard by now, and the time.
#define WINDROW_SHMEM_WTIME
#include <mpp/shmem.h>
#include <mpp/shmemx.h>

#include "tests/shmem/harness.h"

#if !defined OSHMEM_SPEC_VERSION || OSHMEM_SPEC_VERSION < 10200
#error "this program needs OpenSHMEM 1.2, says one for Open MPI"
#endif

static long cells[16], source[16], other[16];
static unsigned counter;
static uint64_t signal_word;

int main(void) {
  const double begin = shmemx_wtime();
  int answer = -1;
  shmemx_query_initialized(&answer);
  CHECK(answer == 0);
  shmem_init();
  me = shmem_my_pe();
  pes = shmem_n_pes();
  CHECK(shmem_wtime() >= begin && shmemx_wtime() < begin + 1000);
  for (int i = 0; i < 16; ++i) source[i] = i + 1;
  shmem_barrier_all();

  shmemx_long_ibput(cells, source, 4, 2, 2, 2, me);
  CHECK(cells[0] == 1 && cells[1] == 2 && cells[4] == 3 && cells[5] == 4);
  shmemx_ctx_ibput64(SHMEM_CTX_DEFAULT, cells, source, 2, 4, 1, 2, me);
  CHECK(cells[0] == 1 && cells[2] == 5);
  shmemx_ibget(other, source, 2, 2, 1, 3, me);
  shmemx_ctx_long_ibget(SHMEM_CTX_DEFAULT, other + 8, source, 1, 1, 1, 1, me);
  CHECK(other[0] == 1 && other[2] == 3 && other[4] == 5 && other[8] == 1);
  shmemx_ibput(SHMEM_CTX_DEFAULT, cells, source, 1, 1, 1, 1, me);
  shmem_barrier_all();

  source[0] = 1;
  CHECK(shmemx_long_sum_inscan(SHMEM_TEAM_WORLD, cells, source, 1) == 0 && cells[0] == me + 1);
  CHECK(shmemx_sum_exscan(SHMEM_TEAM_WORLD, cells, source, 1) == 0 && cells[0] == me);
  shmemx_signal_add(&signal_word, 2, (me + 1) % pes);
  shmem_signal_wait_until(&signal_word, SHMEM_CMP_EQ, 2);
  shmem_barrier_all();
  shmemx_ctx_signal_set(SHMEM_CTX_DEFAULT, &signal_word, 9, (me + 1) % pes);
  shmem_signal_wait_until(&signal_word, SHMEM_CMP_EQ, 9);
  CHECK(shmemx_team_ptr(SHMEM_TEAM_WORLD, cells, me) == cells);
  shmemx_pe_quiet(&me, 1);

  // Atomics under their old names, for types that the standard never had them for.
  shmem_uint_add(&counter, 3, me);
  CHECK(shmem_finc(&counter, me) == 3 && shmem_uint_swap(&counter, 8, me) == 4 &&
        shmem_fetch(&counter, me) == 8);
  return finish_tests();
}
