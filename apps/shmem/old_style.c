// SPDX-License-Identifier: BSD-3-Clause
/* The way it was written for OpenSHMEM 1.0 (and SGI's library before): start_pes, no finalize, static arrays,
   active sets, work arrays. A ring, a reduction on the even PEs, a broadcast, a collect, a lock. */
#include <mpp/shmem.h>
#include <stdio.h>
#include <stdlib.h>

#define N 100
#define MOST_PES 64

int target[N], source[N], everybody[N * MOST_PES];
double pwork[N / 2 + 1 + _SHMEM_REDUCE_MIN_WRKDATA_SIZE], dsum[N], dval[N];
long psync_reduce[_SHMEM_REDUCE_SYNC_SIZE], psync_bcast[_SHMEM_BCAST_SYNC_SIZE],
    psync_collect[_SHMEM_COLLECT_SYNC_SIZE], psync_barrier[_SHMEM_BARRIER_SYNC_SIZE];
long lock = 0;
int counter = 0;
volatile long flag = 0;

static int errors = 0;

static void expect(int good, const char* what) {
  if (good) return;
  fprintf(stderr, "old_style: PE %d: %s\n", _my_pe(), what);
  errors++;
}

static void ring(int me, int npes) {
  int i;
  for (i = 0; i < N; i++) source[i] = me * N + i;
  shmem_int_put(target, source, N, (me + 1) % npes);
  shmem_barrier_all();
  for (i = 0; i < N; i++) expect(target[i] == (me + npes - 1) % npes * N + i, "ring");
}

static void sum_of_evens(int me, int npes) {
  int i, members = (npes + 1) / 2;
  for (i = 0; i < N; i++) dval[i] = me + 0.5 * i;
  if (me % 2 != 0) return;
  shmem_double_sum_to_all(dsum, dval, N, 0, 1, members, pwork, psync_reduce);
  for (i = 0; i < N; i++)
    expect(dsum[i] == members * (members - 1.0) + 0.5 * i * members, "sum of the even PEs");
  shmem_barrier(0, 1, members, psync_barrier);
}

static void give_to_all(int me, int npes) {
  int i;
  for (i = 0; i < N; i++) source[i] = 3 * i + me, target[i] = -1;
  shmem_barrier_all();
  shmem_broadcast32(target, source, N, npes - 1, 0, 0, npes, psync_bcast);
  for (i = 0; i < N; i++) expect(target[i] == (me == npes - 1 ? -1 : 3 * i + npes - 1), "broadcast");
  shmem_fcollect32(everybody, source, N, 0, 0, npes, psync_collect);
  for (i = 0; i < N * npes; i++) expect(everybody[i] == 3 * (i % N) + i / N, "fcollect");
}

static void count_under_lock(int npes) {
  int i, value;
  for (i = 0; i < 20; i++) {
    shmem_set_lock(&lock);
    shmem_int_get(&value, &counter, 1, 0);
    value++;
    shmem_int_put(&counter, &value, 1, 0);
    shmem_quiet();
    shmem_clear_lock(&lock);
  }
  shmem_barrier_all();
  expect(shmem_int_g(&counter, 0) == 20 * npes, "counting under a lock");
  shmem_barrier_all();
}

static void chain(int me, int npes) {
  if (me != 0) shmem_long_wait((long*)&flag, 0);
  if (me + 1 < npes) shmem_long_p((long*)&flag, me + 1, me + 1);
  expect(flag == me, "chain");
  expect(shmem_int_fadd(&counter, 1, 0) >= 20 * npes, "shmem_int_fadd");
  expect(shmem_int_swap(&target[0], me, me) != 12345, "shmem_int_swap");
}

int main(void) {
  int i;
  start_pes(0);
  if (_num_pes() > MOST_PES) {
    if (_my_pe() == 0) fprintf(stderr, "old_style: for %d PEs at most\n", MOST_PES);
    shmem_barrier_all();
    return 1;
  }
  for (i = 0; i < _SHMEM_REDUCE_SYNC_SIZE; i++) psync_reduce[i] = _SHMEM_SYNC_VALUE;
  for (i = 0; i < _SHMEM_BCAST_SYNC_SIZE; i++) psync_bcast[i] = _SHMEM_SYNC_VALUE;
  for (i = 0; i < _SHMEM_COLLECT_SYNC_SIZE; i++) psync_collect[i] = _SHMEM_SYNC_VALUE;
  for (i = 0; i < _SHMEM_BARRIER_SYNC_SIZE; i++) psync_barrier[i] = _SHMEM_SYNC_VALUE;
  shmem_barrier_all();
  ring(_my_pe(), _num_pes());
  sum_of_evens(_my_pe(), _num_pes());
  shmem_barrier_all();
  give_to_all(_my_pe(), _num_pes());
  shmem_barrier_all();
  count_under_lock(_num_pes());
  chain(_my_pe(), _num_pes());
  shmem_barrier_all();
  if (_my_pe() == 0 && errors == 0) printf("old_style: fine on %d PEs\n", _num_pes());
  return errors != 0;
}
