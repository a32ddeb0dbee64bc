// SPDX-License-Identifier: BSD-3-Clause
// Global and static variables are symmetric, those of a shared library too; so are large ones, those that
// share a page with others, and they keep their values when the library starts.
#include "tests/shmem/data_library.h"
#include "tests/shmem/harness.h"

enum { large = 1 << 18 };

char small_before = 'a';
int initialized_array[3] = {11, 22, 33};
char small_after = 'b';
static int zero;
static long big_bss[large];
static long big_data[large] = {[0] = 1, [large - 1] = 2};
static const char* text = "kept";
_Thread_local int of_this_thread = 5;

static void check_kept(void) {
  CHECK(small_before == 'a' && small_after == 'b' && zero == 0);
  CHECK(initialized_array[0] == 11 && initialized_array[2] == 33);
  CHECK(big_data[0] == 1 && big_data[large - 1] == 2 && big_bss[large / 2] == 0);
  CHECK(strcmp(text, "kept") == 0 && of_this_thread == 5);
  CHECK(library_counter == 70 && *library_hidden() == 80 && library_zero == 0);
}

// Every PE increments all of them on all PEs, and writes the ends of the large ones.
static void change_everywhere(void) {
  for (int pe = 0; pe < pes; ++pe) {
    shmem_int_atomic_inc(&zero, pe);
    shmem_int_atomic_add(&initialized_array[1], me + 1, pe);
    shmem_long_atomic_inc(&library_counter, pe);
    shmem_long_atomic_inc(library_hidden(), pe);
    shmem_long_atomic_inc(&library_zero, pe);
    shmem_long_atomic_add(&big_bss[large - 1], 1, pe);
    shmem_long_p(&big_data[1 + me], 7 * me, pe);
  }
  shmem_barrier_all();
}

static void check_changed(void) {
  CHECK(zero == pes);
  CHECK(initialized_array[0] == 11 && initialized_array[1] == 22 + pes * (pes + 1) / 2 &&
        initialized_array[2] == 33);
  CHECK(library_counter == 70 + pes && *library_hidden() == 80 + pes && library_zero == pes);
  CHECK(big_bss[large - 1] == pes && big_bss[large - 2] == 0);
  for (int pe = 0; pe < pes; ++pe) CHECK(big_data[1 + pe] == 7 * pe);
  CHECK(small_before == 'a' && small_after == 'b' && of_this_thread == 5);
}

// One's own copy is one's own: writing it shows nowhere else.
static void check_private(void) {
  static int mine;
  mine = me;
  shmem_barrier_all();
  CHECK(mine == me);
  CHECK(shmem_int_g(&mine, (me + 1) % pes) == (me + 1) % pes);
  shmem_barrier_all();
}

static void check_bulk(void) {
  static long sync[SHMEM_BCAST_SYNC_SIZE];
  for (int i = 0; i < SHMEM_BCAST_SYNC_SIZE; ++i) sync[i] = SHMEM_SYNC_VALUE;
  if (me == 0)
    for (int i = 0; i < large; ++i) big_data[i] = 3L * i;
  shmem_barrier_all();
  shmem_broadcast64(big_bss, big_data, large, 0, 0, 0, pes, sync);
  if (me != 0) CHECK(big_bss[0] == 0 && big_bss[large - 1] == 3L * (large - 1));
  shmem_barrier_all();
}

int main(void) {
  shmem_init();
  me = shmem_my_pe();
  pes = shmem_n_pes();
  check_kept();
  shmem_barrier_all();
  change_everywhere();
  check_changed();
  shmem_barrier_all();
  check_private();
  check_bulk();
  fflush(stdout); // the C library still works
  return finish_tests();
}
