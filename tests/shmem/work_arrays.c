// SPDX-License-Identifier: BSD-3-Clause
// A work array may be used again when the members have found out, in whatever way, that none is in the last
// collective with it any more. Checks (SHMEM_DEBUG=1) must not object to any of these ways.
#include "tests/shmem/harness.h"

enum { rounds = 20 };

static long sync_array[SHMEM_REDUCE_SYNC_SIZE], work[SHMEM_REDUCE_MIN_WRKDATA_SIZE], in, out;
static volatile long arrived[most_pes]; // element p: the last round that PE p is known to have completed

static void store(volatile long* at, long value) {
  __atomic_store_n((long*)at, value, __ATOMIC_RELEASE);
}
static long load(const volatile long* at) {
  return __atomic_load_n((const long*)at, __ATOMIC_ACQUIRE);
}

// Others put flags, and this PE looks at its own memory without a call.
static void put_and_poll(long round) {
  for (int pe = 0; pe < pes; ++pe) shmem_long_p((long*)&arrived[me], round, pe);
  for (int pe = 0; pe < pes; ++pe)
    while (load(&arrived[pe]) < round) {
    }
}

// Others store in their own memory without a call, and this PE gets from there.
static void store_and_get(long round) {
  store(&arrived[me], round);
  for (int pe = 0; pe < pes; ++pe)
    while (shmem_long_g((const long*)&arrived[pe], pe) < round) {
    }
}

static void store_and_fetch(long round) {
  store(&arrived[me], round);
  for (int pe = 0; pe < pes; ++pe)
    while (shmem_long_atomic_fetch((const long*)&arrived[pe], pe) < round) {
    }
}

static void put_and_wait(long round) {
  for (int pe = 0; pe < pes; ++pe) shmem_long_p((long*)&arrived[me], round, pe);
  for (int pe = 0; pe < pes; ++pe) shmem_long_wait_until((long*)&arrived[pe], SHMEM_CMP_GE, round);
}

static void meet(long round) {
  (void)round;
  shmem_barrier_all();
}

// Neither side calls anything: the pointers are from before.
static volatile long* theirs[most_pes];
static void store_and_load(long round) {
  store(&arrived[me], round);
  for (int pe = 0; pe < pes; ++pe)
    while (load(theirs[pe]) < round) {
    }
}

static void reuse(void (*synchronize)(long)) {
  for (int pe = 0; pe < pes; ++pe) arrived[pe] = 0;
  shmem_barrier_all();
  for (long round = 1; round <= rounds; ++round) {
    in = me + round;
    shmem_long_sum_to_all(&out, &in, 1, 0, 0, pes, work, sync_array);
    CHECK(out == round * pes + pes * (pes - 1) / 2);
    synchronize(round);
  }
  shmem_barrier_all();
}

int main(void) {
  shmem_init();
  me = shmem_my_pe();
  pes = shmem_n_pes();
  for (int i = 0; i < SHMEM_REDUCE_SYNC_SIZE; ++i) sync_array[i] = SHMEM_SYNC_VALUE;
  reuse(put_and_poll);
  reuse(store_and_get);
  reuse(store_and_fetch);
  reuse(put_and_wait);
  reuse(meet);
  for (int pe = 0; pe < pes; ++pe) theirs[pe] = shmem_ptr((void*)&arrived[pe], pe);
  reuse(store_and_load);
  return finish_tests();
}
