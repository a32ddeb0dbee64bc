// SPDX-License-Identifier: BSD-3-Clause
#include "tests/shmem/harness.h"

#ifndef SHMEM_TESTS_PORTABLE
#include <shmemx.h>
#endif

int me, pes;
void* arena;
shmem_ctx_t ctx;
bool ctx_is_deferred;

static const char* current_case = "";
static uint64_t current_round;
static long failures;

uint64_t bits(int from, int to, size_t index) {
  uint64_t x = current_round << 40 ^ (uint64_t)from << 32 ^ (uint64_t)to << 24 ^ (uint64_t)index;
  x = (x + 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 29) * 0x94d049bb133111ebu;
  return x ^ x >> 32;
}

// A broken implementation fails everywhere: the first differences tell it.
static bool shall_print(void) {
  return ++failures <= 20;
}

static void print_bytes(const void* value, size_t bytes) {
  for (size_t i = bytes; i-- > 0;) fprintf(stderr, "%02x", ((const unsigned char*)value)[i]);
}

void report_difference(const char* file, int line, const char* what, size_t index, const void* found,
                       const void* wanted, size_t bytes) {
  if (!shall_print()) return;
  fprintf(stderr, "%s, PE %d of %d, round %d: %s [%zu] is ", current_case, me, pes, (int)(current_round % 64),
          what, index);
  print_bytes(found, bytes);
  fprintf(stderr, ", not ");
  print_bytes(wanted, bytes);
  fprintf(stderr, " (%s:%d)\n", file, line);
}

void report_failure(const char* file, int line, const char* what) {
  if (shall_print())
    fprintf(stderr, "%s, PE %d of %d: not so: %s (%s:%d)\n", current_case, me, pes, what, file, line);
}

int finish_tests(void) {
  static long mine, all;
  static long sync[SHMEM_REDUCE_SYNC_SIZE], work[SHMEM_REDUCE_MIN_WRKDATA_SIZE];
  for (int i = 0; i < SHMEM_REDUCE_SYNC_SIZE; ++i) sync[i] = SHMEM_SYNC_VALUE;
  mine = failures;
  shmem_barrier_all();
  shmem_long_sum_to_all(&all, &mine, 1, 0, 0, shmem_n_pes(), work, sync);
  if (shmem_my_pe() == 0 && all != 0) fprintf(stderr, "%ld failures\n", all);
  shmem_finalize();
  return all != 0;
}

// Symmetric memory is the heap, .bss and .data alike.
static _Alignas(64) char zeroed[arena_bytes];
static _Alignas(64) char initialized[arena_bytes] = {1};

enum { most_contexts = 5 };
static void* arenas[3];
static struct {
  shmem_ctx_t handle;
  bool deferred;
} contexts[most_contexts];
static int context_count;

static void add_context(long options, bool deferred) {
  if (shmem_ctx_create(options, &contexts[context_count].handle) != 0) {
    report_failure(__FILE__, __LINE__, "shmem_ctx_create gives a context");
    return;
  }
  contexts[context_count++].deferred = deferred;
}

static void prepare(void) {
  arenas[0] = shmem_align(64, arena_bytes);
  arenas[1] = zeroed;
  arenas[2] = initialized;
  contexts[context_count++].handle = SHMEM_CTX_DEFAULT;
  add_context(0, false);
  add_context(SHMEM_CTX_PRIVATE | SHMEM_CTX_SERIALIZED, false);
#ifdef SHMEMX_CTX_AGGREGATE
  add_context(SHMEMX_CTX_AGGREGATE, true);
#endif
}

static void run_round(const test_case* c, int round) {
  ++current_round;
  arena = arenas[round % 3];
  ctx = contexts[round % context_count].handle;
  ctx_is_deferred = contexts[round % context_count].deferred;
  memset(arena, 0, arena_bytes);
  shmem_barrier_all();
  c->run();
  shmem_barrier_all();
}

int run_cases(const test_case* cases, size_t count, int argc, char** argv) {
  shmem_init();
  me = shmem_my_pe();
  pes = shmem_n_pes();
  prepare();
  size_t ran = 0;
  for (size_t i = 0; i < count; ++i) {
    if (argc > 1 && strstr(cases[i].name, argv[1]) == NULL) continue;
    current_case = cases[i].name;
    current_round = (i + 1) * 64;
    const int rounds = cases[i].uses_context ? context_count : 3;
    for (int round = 0; round < rounds; ++round) run_round(&cases[i], round);
    ++ran;
  }
  for (int i = 1; i < context_count; ++i) shmem_ctx_destroy(contexts[i].handle);
  shmem_free(arenas[0]);
  if (me == 0) printf("%zu routines on %d PEs\n", ran, pes);
  return finish_tests();
}
