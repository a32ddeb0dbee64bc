/* SPDX-License-Identifier: BSD-3-Clause
   Parts for three PEs, each with memory of its own. A barrier is `spare` if all accesses of which it
   matters which come first have that order without it, else `needed`: barriers_test.py compares that
   with what the report says. */
#include <fcntl.h>
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { words = 16, parts_of_all = 37 };
static int me, next;
static long seen;

static long* fresh(void) {
  static long* memory;
  static int parts;
  if (memory == NULL) memory = shmem_calloc(parts_of_all * words, sizeof *memory);
  return memory + words * parts++;
}

static void put_word(long* to, long value, int pe) {
  shmem_long_put(to, &value, 1, pe);
}

/* Each with one that is spare. */

static void nothing_follows(void) {
  long* x = fresh();
  put_word(x, me, next);
  shmem_barrier_all(); // needed
  seen += x[0];
  shmem_barrier_all(); // spare
}

static void own_memory(void) {
  long* x = fresh();
  x[me] = 1;
  shmem_barrier_all(); // spare
  seen += x[me];
}

static void constant_table(void) {
  long* x = fresh();
  x[0] = me;
  shmem_barrier_all(); // needed
  seen += shmem_long_g(x, next);
  shmem_barrier_all(); // spare
  seen += shmem_long_g(x, next);
}

static void signals(void) {
  long* x = fresh();
  const long value = me;
  shmem_long_put_signal(x, &value, 1, (uint64_t*)(x + 8), 1, SHMEM_SIGNAL_SET, next);
  shmem_signal_wait_until((uint64_t*)(x + 8), SHMEM_CMP_EQ, 1);
  shmem_barrier_all(); // spare
  seen += x[0];
}

static void atomic_counts(void) {
  long* x = fresh();
  shmem_long_atomic_inc(x, 0);
  shmem_barrier_all(); // spare
  shmem_long_atomic_inc(x, 0);
  shmem_barrier_all(); // needed
  if (me == 0) seen += x[0];
}

static void two_halves(void) {
  long* x = fresh();
  const long values[4] = {1, 2, 3, 4};
  if (me == 1) shmem_long_put(x, values, 4, 0);
  shmem_barrier_all(); // spare
  if (me == 2) shmem_long_put(x + 4, values, 4, 0);
  shmem_barrier_all(); // needed
  if (me == 0)
    for (int i = 0; i < 8; i++) seen += x[i];
}

static void three_buffers(void) {
  long* x = fresh();
  put_word(x, me, next);
  shmem_barrier_all(); // needed
  seen += x[0];
  put_word(x + 1, me, next);
  shmem_barrier_all(); // needed
  seen += x[1];
  shmem_barrier_all(); // spare
  put_word(x + 2, me, next);
  shmem_barrier_all(); // needed
  seen += x[2];
}

static void even_and_odd(void) {
  long* x = fresh();
  const long values[4] = {1, 2, 3, 4};
  if (me == 1) shmem_long_iput(x, values, 2, 1, 4, 0);
  shmem_barrier_all(); // spare
  if (me == 2) shmem_long_iput(x + 1, values, 2, 1, 4, 0);
  shmem_barrier_all(); // needed
  if (me == 0)
    for (int i = 0; i < 8; i++) seen += x[i];
}

static void own_flags(void) {
  long* x = fresh();
  static long value;
  value = me;
  shmem_long_put_nbi(x, &value, 1, next);
  shmem_quiet();
  shmem_long_atomic_set(x + 8, 1, next);
  shmem_long_wait_until(x + 8, SHMEM_CMP_EQ, 1);
  shmem_barrier_all(); // spare
  seen += x[0];
}

/* None is spare. */

static void put_then_load(void) {
  long* x = fresh();
  put_word(x + 3, me, next);
  shmem_barrier_all(); // needed
  seen += x[3];
}

static void load_then_put(void) {
  long* x = fresh();
  seen += x[0];
  shmem_barrier_all(); // needed
  put_word(x, me, next);
}

static void put_then_put(void) {
  long* x = fresh();
  if (me == 1) put_word(x, 1, 0);
  shmem_barrier_all(); // needed
  if (me == 2) put_word(x, 2, 0);
}

static void store_then_get(void) {
  long* x = fresh();
  x[2] = me;
  shmem_barrier_all(); // needed
  seen += shmem_long_g(x + 2, next);
}

static void get_then_store(void) {
  long* x = fresh();
  seen += shmem_long_g(x + 2, next);
  shmem_barrier_all(); // needed
  x[2] = me;
}

static void from_one_to_the_next(void) {
  long* x = fresh();
  if (me == 0) put_word(x, 5, 1);
  shmem_barrier_all(); // needed
  if (me == 1) put_word(x + 1, x[0], 2);
  shmem_barrier_all(); // needed
  if (me == 2) seen += x[1];
}

static void nonblocking(void) {
  long* x = fresh();
  static long value;
  value = me;
  shmem_long_put_nbi(x, &value, 1, next);
  shmem_barrier_all(); // needed
  seen += x[0];
}

static void atomics_then_load(void) {
  long* x = fresh();
  shmem_long_atomic_add(x, 2, 0);
  shmem_barrier_all(); // needed
  if (me == 0) seen += x[0];
}

static void strides_that_meet(void) {
  long* x = fresh();
  const long values[4] = {1, 2, 3, 4};
  if (me == 1) shmem_long_iput(x, values, 2, 1, 4, 0);
  shmem_barrier_all(); // needed
  if (me == 2) shmem_long_iput(x + 1, values, 3, 1, 3, 0);
}

static void signal_to_one_of_two(void) {
  long* x = fresh();
  const long value = 7;
  if (me == 0) {
    put_word(x, 7, 2);
    shmem_long_put_signal(x, &value, 1, (uint64_t*)(x + 8), 1, SHMEM_SIGNAL_SET, 1);
  }
  if (me == 1) shmem_signal_wait_until((uint64_t*)(x + 8), SHMEM_CMP_EQ, 1);
  shmem_barrier_all(); // needed
  if (me != 0) seen += x[0];
}

static void by_pointers(void) {
  long* x = fresh();
  long* there = shmem_ptr(x, next);
  there[3] = me;
  shmem_barrier_all(); // needed
  seen += x[3];
}

static void loads_by_pointers(void) {
  long* x = fresh();
  x[2] = me;
  const long* there = shmem_ptr(x, next);
  shmem_barrier_all(); // needed
  seen += there[2];
}

static void reset_then_add(void) {
  long* x = fresh();
  if (me == 0) shmem_long_atomic_set(x, 100, 0);
  shmem_barrier_all(); // needed
  shmem_long_atomic_add(x, 1, 0);
  shmem_barrier_all(); // needed
  seen += shmem_long_atomic_fetch(x, 0);
}

static void bits(void) {
  unsigned long* x = (unsigned long*)fresh();
  shmem_ulong_atomic_or(x, 6, 0);
  shmem_barrier_all(); // needed
  shmem_ulong_atomic_and(x, 12, 0);
  shmem_barrier_all(); // needed
  if (me == 0) seen += (long)x[0];
}

static void tickets(void) {
  long* x = fresh();
  seen += shmem_long_atomic_fetch_inc(x, 0);
  shmem_barrier_all(); // needed
  seen += shmem_long_atomic_fetch_inc(x, 0);
}

static void add_locked(long* x, long* lock) {
  shmem_set_lock(lock);
  shmem_long_p(x, shmem_long_g(x, 0) * 2 + 1, 0);
  shmem_clear_lock(lock);
}
static void locks(void) {
  long* x = fresh();
  if (me == 1) add_locked(x, x + 8);
  shmem_barrier_all(); // needed
  add_locked(x, x + 8);
  shmem_barrier_all(); // needed
  if (me == 0) seen += x[0];
}

static void one_flag(void) {
  long* x = fresh();
  for (int round = 1; round < 4; round++) {
    shmem_long_p(x, round, next);
    shmem_long_wait_until(x, SHMEM_CMP_EQ, round);
    shmem_barrier_all(); // needed
  }
}

static void flag_that_is_tested(void) {
  long* x = fresh();
  shmem_long_p(x, 1, next);
  shmem_barrier_all(); // needed
  seen += shmem_long_test(x, SHMEM_CMP_EQ, 1);
}

static void quiet_of_a_put(void) {
  long* x = fresh();
  put_word(x, me, next);
  shmem_barrier_all(); // needed
  shmem_long_atomic_set(x + 8, 1, next);
  shmem_long_wait_until(x + 8, SHMEM_CMP_EQ, 1);
  seen += x[0];
}

static void quiet_of_a_get(void) {
  long *x = fresh(), *to = fresh(), here[4];
  shmem_long_get_nbi(here, x, 4, next);
  shmem_barrier_all(); // needed
  seen += here[0];
  shmem_long_get_nbi(to, x, 4, next);
  shmem_barrier_all(); // needed
  seen += to[0];
}

static void quiet_of_a_source(void) {
  long *x = fresh(), here[4] = {1, 2, 3, 4};
  shmem_long_put_nbi(x, here, 4, next);
  shmem_barrier_all(); // needed
  memset(here, 0, sizeof here);
  shmem_barrier_all(); // spare
  seen += x[here[0]];
}

static void puts_to_one_place(void) {
  long* x = fresh();
  put_word(x, 1, next);
  shmem_barrier_all(); // needed
  put_word(x, 2, next);
  shmem_barrier_all(); // needed
  seen += x[0];
}

/* Code that was not recorded is behind the barrier, or in front of it, or both. */

__attribute__((disable_sanitizer_instrumentation, noinline)) static long load_unseen(const long* of) {
  return *of;
}
__attribute__((disable_sanitizer_instrumentation, noinline)) static void store_unseen(long* to, long value) {
  *to = value;
}

static void used_unseen(void) {
  long* x = fresh();
  put_word(x + 5, me, next);
  shmem_barrier_all(); // needed
  seen += load_unseen(x + 5);
  store_unseen(x + 6, me);
  shmem_barrier_all(); // needed
  seen += shmem_long_g(x + 6, next);
}

static void written_by_the_library(void) {
  char* x = (char*)fresh();
  char text[words];
  sprintf(x, "%d", me * 7);
  shmem_barrier_all(); // needed
  shmem_getmem(text, x, words, next);
  seen += text[0];
}

static void put_unseen(void) {
  long* x = fresh();
  static void (*volatile put)(long*, const long*, size_t, int) = shmem_long_put;
  const long value = me;
  put(x, &value, 1, next);
  shmem_barrier_all(); // needed
  seen += x[0];
}

static void told_by_a_file(void) {
  const int file = open("told", O_RDWR | O_CREAT, 0600);
  char byte = 'x';
  shmem_barrier_all(); // needed
  if (me == 0 && write(file, &byte, 1) != 1) shmem_global_exit(1);
  shmem_barrier_all(); // needed
  if (me == 1 && pread(file, &byte, 1, 0) != 1) shmem_global_exit(1);
}

static void work_arrays(void) {
  long* x = fresh();
  static long sync[SHMEM_BARRIER_SYNC_SIZE];
  for (int i = 0; i < SHMEM_BARRIER_SYNC_SIZE; i++) sync[i] = SHMEM_SYNC_VALUE;
  shmem_barrier_all(); // needed
  put_word(x, me, next);
  shmem_barrier(0, 0, shmem_n_pes(), sync);
  seen += x[0];
}

int main(void) {
  shmem_init();
  me = shmem_my_pe();
  next = (me + 1) % shmem_n_pes();
  nothing_follows();
  own_memory();
  constant_table();
  signals();
  atomic_counts();
  two_halves();
  three_buffers();
  even_and_odd();
  own_flags();
  put_then_load();
  load_then_put();
  put_then_put();
  store_then_get();
  get_then_store();
  from_one_to_the_next();
  nonblocking();
  atomics_then_load();
  strides_that_meet();
  signal_to_one_of_two();
  by_pointers();
  loads_by_pointers();
  reset_then_add();
  bits();
  tickets();
  locks();
  one_flag();
  flag_that_is_tested();
  quiet_of_a_put();
  quiet_of_a_get();
  quiet_of_a_source();
  puts_to_one_place();
  used_unseen();
  written_by_the_library();
  put_unseen();
  told_by_a_file();
  work_arrays();
  printf("%ld\n", seen);
  shmem_finalize();
}
