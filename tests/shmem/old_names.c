// SPDX-License-Identifier: BSD-3-Clause
// What programs of the years of OpenSHMEM 1.0 say, and the constants they use.
#include "tests/shmem/harness.h"

static long barrier_sync[2][_SHMEM_BARRIER_SYNC_SIZE];
static long broadcast_sync[_SHMEM_BCAST_SYNC_SIZE], reduce_sync[_SHMEM_REDUCE_SYNC_SIZE],
    collect_sync[_SHMEM_COLLECT_SYNC_SIZE];
static int work[_SHMEM_REDUCE_MIN_WRKDATA_SIZE + 1];
static long flag, arrived;
static int number, sum;

static void fill(long* sync, size_t bytes) {
  for (size_t i = 0; i < bytes / sizeof *sync; ++i) sync[i] = _SHMEM_SYNC_VALUE;
}

// The PEs with even numbers meet several times, while the others do something else.
static void test_barrier(void) {
  if (me % 2 != 0) return;
  const int members = (pes + 1) / 2;
  for (long round = 1; round <= 20; ++round) {
    shmem_long_inc(&arrived, 0);
    shmem_barrier(0, 1, members, barrier_sync[round % 2]);
    CHECK(shmem_long_g(&arrived, 0) == round * members);
    (shmem_sync)(0, 1, members, barrier_sync[(round + 1) % 2]);
  }
}

static void test_memory(void) {
  int* memory = shmalloc(10 * sizeof *memory);
  for (int i = 0; i < 10; ++i) memory[i] = me + i;
  shmem_barrier_all();
  CHECK(shmem_int_g(&memory[9], (me + 1) % pes) == (me + 1) % pes + 9);
  shmem_barrier_all();
  memory = shrealloc(memory, 1000 * sizeof *memory);
  CHECK(memory[9] == me + 9);
  void* aligned = shmemalign(256, 10);
  CHECK((uintptr_t)aligned % 256 == 0);
  shfree(aligned);
  shfree(memory);
}

static void test_cache(void) {
  shmem_set_cache_inv();
  shmem_set_cache_line_inv(&number);
  shmem_clear_cache_inv();
  shmem_clear_cache_line_inv(&number);
  shmem_udcflush();
  shmem_udcflush_line(&number);
}

static void test_swap(void) {
  static long word = 1;
  shmem_barrier_all();
  const long before = (shmem_swap)(&word, 10 + me, (me + 1) % pes); // not the macro of C11
  CHECK(before == 1);
  shmem_barrier_all();
  CHECK(word == 10 + (me + pes - 1) % pes);
}

static void test_wait(void) {
  if (me != 0) shmem_wait(&flag, 0);
  shmem_long_p(&flag, 1, (me + 1) % pes);
  shmem_wait(&flag, 0);
  shmem_long_wait_until(&flag, _SHMEM_CMP_EQ, 1);
  (shmem_wait_until)(&flag, _SHMEM_CMP_EQ, 1); // not the macro of C11
  shmem_long_wait_until(&flag, _SHMEM_CMP_NE, 2);
  shmem_long_wait_until(&flag, _SHMEM_CMP_GT, 0);
  shmem_long_wait_until(&flag, _SHMEM_CMP_GE, 1);
  shmem_long_wait_until(&flag, _SHMEM_CMP_LT, 2);
  shmem_long_wait_until(&flag, _SHMEM_CMP_LE, 1);
}

int main(void) {
  start_pes(0);
  me = _my_pe();
  pes = _num_pes();
  CHECK(me == shmem_my_pe() && pes == shmem_n_pes());
  CHECK(_SHMEM_MAJOR_VERSION == SHMEM_MAJOR_VERSION && _SHMEM_MINOR_VERSION == SHMEM_MINOR_VERSION);
  CHECK(strlen(_SHMEM_VENDOR_STRING) < _SHMEM_MAX_NAME_LEN);
  fill(barrier_sync[0], sizeof barrier_sync);
  fill(broadcast_sync, sizeof broadcast_sync);
  fill(reduce_sync, sizeof reduce_sync);
  fill(collect_sync, sizeof collect_sync);
  number = me + 1;
  shmem_barrier_all();
  test_barrier();
  shmem_barrier_all();
  shmem_int_sum_to_all(&sum, &number, 1, 0, 0, pes, work, reduce_sync);
  CHECK(sum == pes * (pes + 1) / 2);
  test_memory();
  test_cache();
  test_swap();
  test_wait();
  return finish_tests();
}
