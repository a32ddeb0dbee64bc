// SPDX-License-Identifier: BSD-3-Clause
// How many messages of 1 byte to 16 MiB PE 0 puts to PE 1, or gets from it: windows of 64 messages (and 32
// MiB at most), each to the place behind the last one, then a quiet, as public benchmarks of message rates
// have it. Builds with any OpenSHMEM since 1.3; prints one JSON line for each measurement, the time of a
// message; repetitions are interleaved.
//   message_rate [REPETITIONS [FACTOR]]     FACTOR scales the lengths of the loops
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { most_messages = 64, room = 32 << 20, most_repetitions = 101 };

static char *there, *here; // symmetric, `room` bytes each
static int me;

static double now(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static const struct {
  const char* name;
  int puts, nbi;
} kinds[] = {{"put", 1, 0}, {"get", 0, 0}, {"put_nbi", 1, 1}, {"get_nbi", 0, 1}};
enum { number_of_kinds = sizeof kinds / sizeof *kinds };

static size_t messages(size_t bytes) {
  return room / bytes < most_messages ? room / bytes : most_messages;
}

#define WINDOW(routine)                                                     \
  for (size_t at = 0, end = messages(bytes) * bytes; at < end; at += bytes) \
    routine(there + at, here + at, bytes, 1);                               \
  break

static void send_window(int kind, size_t bytes) {
  switch (kind) {
    case 0:
      WINDOW(shmem_putmem);
    case 1:
      WINDOW(shmem_getmem);
    case 2:
      WINDOW(shmem_putmem_nbi);
    case 3:
      WINDOW(shmem_getmem_nbi);
  }
  shmem_quiet();
}

enum { number_of_sizes = 13 };
static size_t size_of(int s) {
  return (size_t)1 << 2 * s;
}

static struct {
  double elapsed[most_repetitions], used[most_repetitions];
} results[number_of_kinds][number_of_sizes];

static void measure(int kind, int s, int repetition, double factor) {
  const size_t bytes = size_of(s);
  const double count = (double)messages(bytes);
  const long windows = (long)(8e6 * factor / ((double)bytes + 300) / count) + 1;
  shmem_barrier_all();
  if (me == 0) {
    send_window(kind, bytes);
    const double begin = now(CLOCK_MONOTONIC), used = now(CLOCK_PROCESS_CPUTIME_ID);
    for (long i = 0; i < windows; ++i) send_window(kind, bytes);
    results[kind][s].used[repetition] = (now(CLOCK_PROCESS_CPUTIME_ID) - used) / ((double)windows * count);
    results[kind][s].elapsed[repetition] = (now(CLOCK_MONOTONIC) - begin) / ((double)windows * count);
  }
  shmem_barrier_all();
}

static int check(int kind) { // every byte of a window
  const size_t bytes = 1000;
  memset(here, 1 + me, bytes * most_messages);
  memset(there, 3 + me, bytes * most_messages);
  shmem_barrier_all();
  if (me == 0) send_window(kind, bytes);
  shmem_barrier_all();
  const int wanted = kinds[kind].puts ? (me == 1 ? 1 : 3) : (me == 0 ? 2 : 4);
  for (size_t i = 0; i < bytes * most_messages; ++i)
    if (there[i] != wanted) return 0;
  return 1;
}

static int by_value(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static void print(int kind, int s, int repetitions) {
  double *const e = results[kind][s].elapsed, *const u = results[kind][s].used;
  qsort(e, (size_t)repetitions, sizeof *e, by_value);
  qsort(u, (size_t)repetitions, sizeof *u, by_value);
  printf("{\"operation\": \"%s\", \"bytes\": %zu, \"ns\": %.2f, \"least\": %.2f, \"used\": %.2f}\n",
         kinds[kind].name, size_of(s), e[repetitions / 2], e[0], u[repetitions / 2]);
}

int main(int argc, char** argv) {
  const int repetitions = argc > 1 ? atoi(argv[1]) : 7;
  const double factor = argc > 2 ? atof(argv[2]) : 1;
  shmem_init();
  me = shmem_my_pe();
  if (shmem_n_pes() != 2 || repetitions < 1 || repetitions > most_repetitions) {
    fprintf(stderr, "message_rate: needs 2 PEs and 1 to %d repetitions\n", most_repetitions);
    shmem_global_exit(2);
  }
  here = shmem_align(4096, room);
  there = shmem_align(4096, room);
  memset(here, 0, room);
  memset(there, 0, room);
  for (int k = 0; k < number_of_kinds; ++k)
    if (!check(k)) {
      fprintf(stderr, "message_rate: PE %d has wrong bytes after %s\n", me, kinds[k].name);
      shmem_global_exit(1);
    }
  for (int r = 0; r < repetitions; ++r)
    for (int s = 0; s < number_of_sizes; ++s)
      for (int k = 0; k < number_of_kinds; ++k) measure(k, s, r, factor);
  for (int k = 0; me == 0 && k < number_of_kinds; ++k)
    for (int s = 0; s < number_of_sizes; ++s) print(k, s, repetitions);
  fflush(stdout);
  shmem_barrier_all();
  shmem_finalize();
  return 0;
}
