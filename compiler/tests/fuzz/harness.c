/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs each function of a batch as it was written, and with deferral in every order, and compares all that
 * can be seen. With REAL, on the library: PE 0 of 4 runs them, the others serve it. */
#include "harness.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef REAL
#include <shmemx.h>
#else
#include "reorder.h"
#endif

enum { cells = 64, once_cells = 4096, seconds = 60 };

int64_t out[64], mem[16];
static int64_t sum_heard;
static long current_seed;
static const char* current_order = "plain";
static long current_limit;
static int64_t *sym, *counts;

void heard(int64_t value) {
  sum_heard += value;
}

static int64_t calls;
int64_t* fresh_cells(int64_t* counts) {
  return counts + cells + once_cells * (calls++ % 2);
}

int64_t noted(int64_t value) {
  sum_heard += value & 7;
  return value;
}

struct result {
  int64_t returned[2], heard, out[64], mem[16], counts[4][cells];
};

static void complain(const char* why) {
  printf("seed %ld: %s (order %s, limit %ld)\n", current_seed, why, current_order, current_limit);
  fflush(stdout);
}

static void died(int number) {
  complain(number == SIGALRM ? "takes too long" : "crashes");
  _exit(1);
}

static void allocate(void) {
  sym = shmem_malloc(cells * sizeof *sym);
  counts = shmem_malloc((cells + 2 * once_cells) * sizeof *counts);
}

static void reset(void) {
  for (int pe = 0; pe < shmem_n_pes(); pe++) {
    for (int i = 0; i < cells; i++) ((int64_t*)shmem_ptr(sym, pe))[i] = (i * 7 + pe * 13) % 11;
    memset(shmem_ptr(counts, pe), 0, (cells + 2 * once_cells) * sizeof *counts);
  }
}

static struct result run(const struct program* program, long context_options) {
  static struct result result;
  shmem_ctx_t ctx;
  shmem_ctx_create(context_options, &ctx);
  reset();
  memset(out, 0, sizeof out);
  memset(mem, 0, sizeof mem);
  memset(&result, 0, sizeof result);
  sum_heard = 0;
  result.returned[0] = program->run(ctx, sym, counts, 4, 9);
  result.returned[1] = program->run(ctx, sym, counts, result.returned[0] & 15, 2);
  shmem_ctx_quiet(ctx);
  result.heard = sum_heard;
  memcpy(result.out, out, sizeof out);
  memcpy(result.mem, mem, sizeof mem);
  for (int pe = 0; pe < shmem_n_pes(); pe++)
    memcpy(result.counts[pe], shmem_ptr(counts, pe), sizeof result.counts[pe]);
  shmem_ctx_destroy(ctx);
  return result;
}

static int compare(const struct result* expected, const struct program* program) {
  const struct result found = run(program, SHMEMX_CTX_AGGREGATE);
  if (memcmp(&found, expected, sizeof found) == 0) return 0;
  complain("differs from the plain program");
  return 1;
}

#ifdef REAL

static void start(void) {}

static int differs(const struct result* expected, const struct program* program) {
  current_order = "real";
  return compare(expected, program);
}

#else

static void start(void) {
  reorder_start(reorder_fifo, 1000, 0);
  allocate();
}

static int differs(const struct result* expected, const struct program* program) {
  static const long limits[] = {1, 3, 1000};
  static const char* const names[] = {"fifo", "lifo", "random", "blocking"};
  for (int order = 0; order < 4; order++)
    for (int limit = 0; limit < (order == reorder_blocking ? 1 : 3); limit++) {
      current_order = names[order];
      current_limit = limits[limit];
      reorder_start((enum reorder_order)order, limits[limit], (unsigned)program->seed);
      allocate();
      if (compare(expected, program)) return 1;
    }
  return 0;
}

#endif

static int run_all(void) {
  int wrong = 0;
  for (int i = 0; table_plain[i].run; i++) {
    current_seed = table_plain[i].seed;
    current_order = "plain";
    alarm(seconds);
    start();
    const struct result expected = run(&table_plain[i], 0);
    wrong += differs(&expected, &table_deferred[i]);
  }
  alarm(0);
  return wrong;
}

int main(void) {
  int wrong = 0;
  for (const int* number = (const int[]){SIGABRT, SIGSEGV, SIGALRM, SIGFPE, 0}; *number; number++)
    signal(*number, died);
#ifdef REAL
  shmem_init();
  allocate();
  if (shmem_my_pe() == 0) wrong = run_all();
  shmem_barrier_all();
#else
  wrong = run_all();
#endif
  shmem_finalize();
  return wrong != 0;
}
