// SPDX-License-Identifier: BSD-3-Clause
// What collectives cost, by what a PE receives. Builds with any OpenSHMEM of 1.4 to 1.6 and, with -DUSE_MPI,
// with MPI; prints one JSON line for each measurement, the median of its repetitions, which are interleaved
// so that a disturbance hits all measurements alike. Every result is checked.
//   collectives [REPETITIONS [FACTOR]]     FACTOR scales the lengths of the loops
// `copy` is the limit: all PEs copy so many bytes from the next one's memory at once, with memcpy. Nothing
// less can cross: a PE that receives B bytes copies them, and a reduction, which reads B bytes of each
// PE once and writes B bytes to each PE once, moves as much. (A broadcast saves the copy of its root:
// OpenSHMEM's active sets and MPI leave it alone.)
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#ifdef USE_MPI
#include <mpi.h>
#else
#include <shmem.h>
#endif

enum { most_bytes = 16 << 20, most_repetitions = 101, root = 0 };

static int me, pes;
static uint64_t *source, *dest; // symmetric, most_bytes each
static volatile uint64_t sink;

#ifdef USE_MPI
static MPI_Win window;
static uint64_t* of_next; // the source of the next PE

static void meet(void) {
  MPI_Barrier(MPI_COMM_WORLD);
}
static void broadcast(size_t words) {
  MPI_Bcast(me == root ? source : dest, (int)words, MPI_UINT64_T, root, MPI_COMM_WORLD);
}
static void reduce(size_t words) {
  MPI_Allreduce(source, dest, (int)words, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
}
static void collect(size_t words) {
  const int each = (int)words / pes;
  MPI_Allgather(source, each, MPI_UINT64_T, dest, each, MPI_UINT64_T, MPI_COMM_WORLD);
}
static void alltoall(size_t words) {
  const int each = (int)words / pes;
  MPI_Alltoall(source, each, MPI_UINT64_T, dest, each, MPI_UINT64_T, MPI_COMM_WORLD);
}
static void begin_job(int* argc, char*** argv) {
  MPI_Init(argc, argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &pes);
  MPI_Win_allocate_shared(most_bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, (void*)&source, &window);
  MPI_Aint bytes;
  int unit;
  MPI_Win_shared_query(window, (me + 1) % pes, &bytes, &unit, (void*)&of_next);
  dest = malloc(most_bytes);
}
static void end_job(void) {
  MPI_Win_free(&window);
  MPI_Finalize();
}
#else
static long sync_of[2][SHMEM_REDUCE_SYNC_SIZE > SHMEM_ALLTOALL_SYNC_SIZE ? SHMEM_REDUCE_SYNC_SIZE
                                                                         : SHMEM_ALLTOALL_SYNC_SIZE];
static long broadcast_sync[2][SHMEM_BCAST_SYNC_SIZE], collect_sync[2][SHMEM_COLLECT_SYNC_SIZE];
static long* work[2]; // symmetric
static uint64_t* of_next;
static int turn; // work arrays take turns

static void meet(void) {
  shmem_barrier_all();
}
static void broadcast(size_t words) {
  shmem_broadcast64(dest, source, words, root, 0, 0, pes, broadcast_sync[turn ^= 1]);
}
static void reduce(size_t words) {
  turn ^= 1;
  shmem_long_sum_to_all((long*)dest, (long*)source, (int)words, 0, 0, pes, work[turn], sync_of[turn]);
}
static void collect(size_t words) {
  shmem_fcollect64(dest, source, words / (size_t)pes, 0, 0, pes, collect_sync[turn ^= 1]);
}
static void alltoall(size_t words) {
  shmem_alltoall64(dest, source, words / (size_t)pes, 0, 0, pes, sync_of[turn ^= 1]);
}
static void begin_job(int* argc, char*** argv) {
  (void)argc, (void)argv;
  shmem_init();
  me = shmem_my_pe();
  pes = shmem_n_pes();
  for (int t = 0; t < 2; ++t) {
    for (size_t i = 0; i < sizeof sync_of[t] / sizeof(long); ++i) sync_of[t][i] = SHMEM_SYNC_VALUE;
    for (int i = 0; i < SHMEM_BCAST_SYNC_SIZE; ++i) broadcast_sync[t][i] = SHMEM_SYNC_VALUE;
    for (int i = 0; i < SHMEM_COLLECT_SYNC_SIZE; ++i) collect_sync[t][i] = SHMEM_SYNC_VALUE;
  }
  source = shmem_align(4096, most_bytes);
  dest = shmem_align(4096, most_bytes);
  for (int t = 0; t < 2; ++t)
    work[t] = shmem_malloc(most_bytes / 2 + sizeof(long) * (1 + SHMEM_REDUCE_MIN_WRKDATA_SIZE));
  of_next = shmem_ptr(source, (me + 1) % pes);
}
static void end_job(void) {
  shmem_finalize();
}
#endif

static void copy(size_t words) {
  memcpy(dest, of_next, words * sizeof *dest);
  sink = dest[words - 1];
}

static double now(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static uint64_t value_of(int pe, size_t i) {
  return (uint64_t)pe * 1000003 + i;
}

// What each PE finds at `i` of its dest.
static uint64_t in_broadcast(size_t i, size_t words) {
  (void)words;
  return me == root ? dest[i] : value_of(root, i);
}
static uint64_t in_reduce(size_t i, size_t words) {
  (void)words;
  uint64_t sum = 0;
  for (int pe = 0; pe < pes; ++pe) sum += value_of(pe, i);
  return sum;
}
static uint64_t in_collect(size_t i, size_t words) {
  const size_t each = words / (size_t)pes;
  return value_of((int)(i / each), i % each);
}
static uint64_t in_alltoall(size_t i, size_t words) {
  const size_t each = words / (size_t)pes;
  return value_of((int)(i / each), (size_t)me * each + i % each);
}
static uint64_t in_copy(size_t i, size_t words) {
  (void)words;
  return value_of((me + 1) % pes, i);
}

static const struct {
  const char* name;
  void (*run)(size_t words);
  uint64_t (*expected)(size_t i, size_t words);
} kinds[] = {{"copy", copy, in_copy},
             {"broadcast", broadcast, in_broadcast},
             {"reduce", reduce, in_reduce},
             {"collect", collect, in_collect},
             {"alltoall", alltoall, in_alltoall}};
enum { number_of_kinds = sizeof kinds / sizeof *kinds };

// Some are of no power of two; all have a whole number of words for each of 2 to 8 PEs.
static const size_t sizes[] = {8, 128, 1024, 8192, 65536, 262144, 1 << 20, 4 << 20, most_bytes};
enum { number_of_sizes = sizeof sizes / sizeof *sizes };

static size_t words_of(int kind, size_t bytes) {
  const size_t words = bytes / sizeof *dest, members = (size_t)pes;
  if (kind < 3) return words;
  return words < members ? members : words / members * members;
}

static void check(int kind, size_t words) {
  memset(dest, 0, words * sizeof *dest);
  meet();
  kinds[kind].run(words);
  for (size_t i = 0; i < words; ++i)
    if (dest[i] != kinds[kind].expected(i, words)) {
      fprintf(stderr, "collectives: %s of %zu words: PE %d has a wrong word %zu\n", kinds[kind].name, words,
              me, i);
      abort();
    }
  meet();
}

// Of one operation, in nanoseconds.
typedef struct {
  double elapsed;
  double used; // by all PEs, of their processors' time
} cost;

// The sum over all PEs, where the root has it.
static double sum_of(double value) {
  const uint64_t saved = source[0];
  source[0] = (uint64_t)value;
  reduce(1);
  meet();
  source[0] = saved;
  return (double)dest[0];
}

static cost measure(int kind, size_t words, long count) {
  meet();
  const double begin = now(CLOCK_MONOTONIC), used = now(CLOCK_PROCESS_CPUTIME_ID);
  for (long i = 0; i < count; ++i) kinds[kind].run(words);
  const double used_here = now(CLOCK_PROCESS_CPUTIME_ID) - used;
  meet(); // the slowest PE counts
  return (cost){(now(CLOCK_MONOTONIC) - begin) / (double)count, sum_of(used_here) / (double)count};
}

// As many as take the root about 2 ms when nothing disturbs it; the same on all PEs.
static long choose_count(int kind, size_t words, double factor) {
  double each = 1e18;
  for (int i = 0; i < 6; ++i) { // the first one warms up
    const double now = measure(kind, words, 4).elapsed;
    if (now < each) each = now;
  }
  return (long)sum_of(me == root ? 2e6 * factor / each : 0) + 1;
}

static int by_value(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}
static double* sorted(double* values, int count) {
  qsort(values, (size_t)count, sizeof *values, by_value);
  return values;
}

static long counts[number_of_kinds][number_of_sizes];
static double elapsed[number_of_kinds][number_of_sizes][most_repetitions];
static double used[number_of_kinds][number_of_sizes][most_repetitions];

static void print(int kind, int size, int repetitions) {
  const double* const e = sorted(elapsed[kind][size], repetitions);
  const double* const u = sorted(used[kind][size], repetitions);
  printf("{\"operation\": \"%s\", \"bytes\": %zu, \"ns\": %.1f, \"least\": %.1f, \"used\": %.1f}\n",
         kinds[kind].name, sizes[size], e[repetitions / 2], e[0], u[repetitions / 2]);
}

int main(int argc, char** argv) {
  const int repetitions = argc > 1 ? atoi(argv[1]) : 5;
  const double factor = argc > 2 ? atof(argv[2]) : 1;
  begin_job(&argc, &argv);
  if (repetitions < 1 || repetitions > most_repetitions || of_next == NULL) {
    fprintf(stderr, "collectives: needs PEs of one host and 1 to %d repetitions\n", most_repetitions);
    return 2;
  }
  for (size_t i = 0; i < most_bytes / sizeof *source; ++i) source[i] = value_of(me, i);
  memset(dest, 0, most_bytes);
  for (int r = -1; r < repetitions; ++r) // the first round checks, and warms up
    for (int s = 0; s < number_of_sizes; ++s)
      for (int k = 0; k < number_of_kinds; ++k) {
        const size_t words = words_of(k, sizes[s]);
        if (r < 0) {
          check(k, words);
          counts[k][s] = choose_count(k, words, factor);
        } else {
          const cost c = measure(k, words, counts[k][s]);
          elapsed[k][s][r] = c.elapsed;
          used[k][s][r] = c.used;
        }
      }
  for (int s = 0; me == 0 && s < number_of_sizes; ++s)
    for (int k = 0; k < number_of_kinds; ++k) print(k, s, repetitions);
  fflush(stdout);
  meet();
  end_job();
  return 0;
}
