// SPDX-License-Identifier: BSD-3-Clause
// What single OpenSHMEM operations cost between two PEs. Builds with any OpenSHMEM 1.4; prints one JSON line
// for each measurement, the median of its repetitions, which are interleaved so that a disturbance hits all
// measurements alike.
//   small_operations [REPETITIONS [FACTOR]]     FACTOR scales the lengths of the loops
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { most_bytes = 1 << 20, most_repetitions = 101, most_measurements = 64 };

static long *cell, *cells; // symmetric
static long static_cells[64], source_long[8], sum_long[8];
static long reduce_sync[2][SHMEM_REDUCE_SYNC_SIZE], reduce_work[2][SHMEM_REDUCE_MIN_WRKDATA_SIZE + 8];
static char *remote, *local; // remote is symmetric
static int me, peer;
static volatile long sink;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

// Each measurement performs `count` operations of `bytes`; PE 0 is the one that acts, unless `all` do.
typedef struct {
  const char* name;
  size_t bytes;
  long count;
  void (*run)(size_t bytes, long count);
  int all;
} measurement;

static void run_p(size_t bytes, long count) {
  (void)bytes;
  for (long i = 0; i < count; ++i) shmem_long_p(&cells[i & 63], i, peer);
  shmem_quiet();
}

static void run_g(size_t bytes, long count) {
  (void)bytes;
  long sum = 0;
  for (long i = 0; i < count; ++i) sum += shmem_long_g(&cells[i & 63], peer);
  sink = sum;
}

static void run_p_static(size_t bytes, long count) {
  (void)bytes;
  for (long i = 0; i < count; ++i) shmem_long_p(&static_cells[i & 63], i, peer);
  shmem_quiet();
}

static void run_g_static(size_t bytes, long count) {
  (void)bytes;
  long sum = 0;
  for (long i = 0; i < count; ++i) sum += shmem_long_g(&static_cells[i & 63], peer);
  sink = sum;
}

static void run_fetch_add(size_t bytes, long count) {
  (void)bytes;
  long sum = 0;
  for (long i = 0; i < count; ++i) sum += shmem_long_atomic_fetch_add(cell, 1, peer);
  sink = sum;
}

static void run_inc(size_t bytes, long count) {
  (void)bytes;
  for (long i = 0; i < count; ++i) shmem_long_atomic_inc(cell, peer);
  shmem_quiet();
}

static void run_put(size_t bytes, long count) { // and wait for each: the latency
  for (long i = 0; i < count; ++i) {
    shmem_putmem(remote, local, bytes, peer);
    shmem_quiet();
  }
}

static void run_get(size_t bytes, long count) {
  for (long i = 0; i < count; ++i) shmem_getmem(local, remote, bytes, peer);
}

static void run_put_stream(size_t bytes, long count) { // and wait once: the bandwidth
  for (long i = 0; i < count; ++i) shmem_putmem_nbi(remote, local, bytes, peer);
  shmem_quiet();
}

static void run_get_stream(size_t bytes, long count) {
  for (long i = 0; i < count; ++i) shmem_getmem_nbi(local, remote, bytes, peer);
  shmem_quiet();
}

// Nothing promises that what is copied is aligned alike on both sides.
static void run_put_shifted(size_t bytes, long count) {
  for (long i = 0; i < count; ++i) shmem_putmem_nbi(remote + 8, local, bytes - 8, peer);
  shmem_quiet();
}

static void run_get_shifted(size_t bytes, long count) {
  for (long i = 0; i < count; ++i) shmem_getmem_nbi(local, remote + 8, bytes - 8, peer);
  shmem_quiet();
}

static void run_barrier(size_t bytes, long count) {
  (void)bytes;
  for (long i = 0; i < count; ++i) shmem_barrier_all();
}

static void run_reduce(size_t bytes, long count) {
  for (long i = 0; i < count; ++i)
    shmem_long_sum_to_all(sum_long, source_long, (int)(bytes / sizeof(long)), 0, 0, shmem_n_pes(),
                          reduce_work[i % 2], reduce_sync[i % 2]);
}

// The floor: the same loops on memory that both share, without the library.
static void run_store(size_t bytes, long count) {
  (void)bytes;
  volatile long* const there = shmem_ptr(cells, peer);
  if (there == NULL) return;
  for (long i = 0; i < count; ++i) there[i & 63] = i;
}

static void run_load(size_t bytes, long count) {
  (void)bytes;
  const volatile long* const there = shmem_ptr(cells, peer);
  if (there == NULL) return;
  long sum = 0;
  for (long i = 0; i < count; ++i) sum += there[i & 63];
  sink = sum;
}

static measurement measurements[most_measurements] = {
    {"plain_store", 8, 1000000, run_store, 0},
    {"plain_load", 8, 1000000, run_load, 0},
    {"p", 8, 1000000, run_p, 0},
    {"g", 8, 1000000, run_g, 0},
    {"p_static", 8, 1000000, run_p_static, 0},
    {"g_static", 8, 1000000, run_g_static, 0},
    {"fetch_add", 8, 200000, run_fetch_add, 0},
    {"inc", 8, 200000, run_inc, 0},
    {"barrier", 0, 20000, run_barrier, 1},
    {"reduce", 8, 10000, run_reduce, 1},
    {"reduce", 64, 10000, run_reduce, 1},
};
static int measurement_count = 11;

static void add_sizes(void) {
  static const struct {
    const char* name;
    void (*run)(size_t, long);
  } kinds[] = {
      {"put", run_put},
      {"get", run_get},
      {"put_stream", run_put_stream},
      {"get_stream", run_get_stream},
      {"put_shifted", run_put_shifted},
      {"get_shifted", run_get_shifted},
  };
  static const size_t sizes[] = {8, 64, 512, 4096, 16384, 65536, 262144, most_bytes};
  for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; ++s) {
    const long count = sizes[s] <= 4096 ? 50000 : (long)((128u << 20) / sizes[s]);
    for (int k = 0; k < (sizes[s] < 4096 ? 4 : 6); ++k)
      measurements[measurement_count++] = (measurement){kinds[k].name, sizes[s], count, kinds[k].run, 0};
  }
}

static double measure(const measurement* m, double factor) {
  const long count = (long)((double)m->count * factor) + 1;
  shmem_barrier_all();
  const double begin = now();
  if (m->all || me == 0) m->run(m->bytes, count);
  const double elapsed = now() - begin;
  shmem_barrier_all();
  return elapsed / (double)count;
}

static int by_value(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static void touch_memory(void) {
  cells = shmem_align(64, 64 * sizeof *cells);
  cell = shmem_align(64, 64);
  memset(cells, 0, 64 * sizeof *cells);
  *cell = 0;
  remote = shmem_align(4096, most_bytes);
  local = malloc(most_bytes);
  memset(remote, 1 + me, most_bytes);
  memset(local, 3 + me, most_bytes);
  for (int i = 0; i < SHMEM_REDUCE_SYNC_SIZE; ++i) reduce_sync[0][i] = reduce_sync[1][i] = SHMEM_SYNC_VALUE;
  for (int i = 0; i < 8; ++i) source_long[i] = me + 1;
  shmem_barrier_all();
}

static int verify(void) {
  run_reduce(8, 1);
  shmem_barrier_all();
  int good = sum_long[0] == 3;
  if (me == 0) {
    shmem_putmem(remote, local, most_bytes, peer);
    shmem_quiet();
    char byte = 0;
    shmem_getmem(&byte, remote + most_bytes - 1, 1, peer);
    good &= byte == 3;
    const long before = shmem_long_g(cell, peer);
    run_fetch_add(8, 5);
    good &= shmem_long_g(cell, peer) == before + 5;
  }
  shmem_barrier_all();
  return good;
}

int main(int argc, char** argv) {
  const int repetitions = argc > 1 ? atoi(argv[1]) : 7;
  const double factor = argc > 2 ? atof(argv[2]) : 1;
  static double nanoseconds[most_measurements][most_repetitions];
  shmem_init();
  me = shmem_my_pe();
  peer = 1 - me;
  if (shmem_n_pes() != 2 || repetitions < 1 || repetitions > most_repetitions) {
    fprintf(stderr, "small_operations: needs 2 PEs and 1 to %d repetitions\n", most_repetitions);
    shmem_global_exit(2);
  }
  touch_memory();
  add_sizes();
  if (!verify()) {
    fprintf(stderr, "small_operations: PE %d got wrong data\n", me);
    shmem_global_exit(1);
  }
  for (int r = -1; r < repetitions; ++r) // the first round warms up
    for (int i = 0; i < measurement_count; ++i) {
      const double each = measure(&measurements[i], factor);
      if (r >= 0) nanoseconds[i][r] = each;
    }
  for (int i = 0; me == 0 && i < measurement_count; ++i) {
    qsort(nanoseconds[i], (size_t)repetitions, sizeof(double), by_value);
    printf("{\"operation\": \"%s\", \"bytes\": %zu, \"ns\": %.3f, \"repetitions\": %d}\n",
           measurements[i].name, measurements[i].bytes, nanoseconds[i][repetitions / 2], repetitions);
  }
  fflush(stdout);
  shmem_barrier_all();
  shmem_finalize();
  return 0;
}
