/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs each function of a batch as it was written, and with deferral in every order, and compares all that
 * can be seen: when it returns, and behind a quiet what is unordered until then. With REAL, on the library:
 * PE 0 runs them, the others serve it. */
#include "seen.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef REAL
#include "reorder.h"
#endif

enum { seconds = 60 };

static FILE* terminal;
static long current_seed;
static const char* current_order = "plain";
static long current_limit;

static void complain(const char* why) {
  FILE* const to = terminal ? terminal : stdout;
  fprintf(to, "seed %ld: %s (order %s, limit %ld)\n", current_seed, why, current_order, current_limit);
  fflush(to);
}

static void died(int number) {
  complain(number == SIGALRM ? "takes too long" : "crashes");
  _exit(1);
}

static struct result run(const struct program* program, long context_options) {
  static struct result result;
  static char text[1 << 16];
  shmem_ctx_t ctx;
  shmem_ctx_create(context_options, &ctx);
  shmem_ctx_create(context_options, &second);
  reset();
  memset(&result, 0, sizeof result);
  memset(text, 0, sizeof text);
  terminal = stdout;
  stdout = notes = fmemopen(text, sizeof text, "w");
  result.returned[0] = program->run(ctx, sym, counts, 4, 9);
  result.returned[1] = program->run(ctx, sym, counts, result.returned[0] & 15, 2);
  stdout = terminal;
  fclose(notes);
  hear(text, sizeof text);
  keep_own(&result);
  shmem_ctx_quiet(ctx);
  shmem_ctx_quiet(second);
  for (int pe = 0; pe < n_pes; pe++) keep_until_quiet(&result.until_quiet[pe], pe);
  shmem_ctx_destroy(ctx);
  shmem_ctx_destroy(second);
  return result;
}

static const char* difference(const struct result* a, const struct result* b) {
#define DIFFERS(member) memcmp(&a->member, &b->member, sizeof a->member) != 0
  if (DIFFERS(returned)) return "returns something else than the plain program";
  if (DIFFERS(said) || DIFFERS(heard)) return "calls, or is seen, in another order than the plain program";
  if (DIFFERS(everywhere)) return "leaves other symmetric memory than the plain program";
  return DIFFERS(until_quiet) ? "leaves other memory behind quiet than the plain program"
                              : "leaves other memory than the plain program";
}

static int compare(const struct result* expected, const struct program* program) {
  const struct result found = run(program, SHMEMX_CTX_AGGREGATE);
  if (memcmp(&found, expected, sizeof found) == 0) return 0;
  complain(difference(expected, &found));
  return 1;
}

#ifdef REAL

static void start(void) {}

static int differs(const struct result* expected, const struct program* program) {
  current_order = "real";
  return compare(expected, program);
}

#else

static void start_anew(enum reorder_order order, long limit, unsigned seed) {
  reorder_start(order, limit, seed);
  reorder_watch(look);
  allocate();
}

static void start(void) {
  start_anew(reorder_fifo, 1000, 0);
}

static int differs(const struct result* expected, const struct program* program) {
  static const long limits[] = {1, 3, 1000};
  static const char* const names[] = {"fifo", "lifo", "random", "blocking"};
  for (int order = 0; order < 4; order++)
    for (int limit = 0; limit < (order == reorder_blocking ? 1 : 3); limit++) {
      current_order = names[order];
      current_limit = limits[limit];
      start_anew((enum reorder_order)order, limits[limit], (unsigned)program->seed);
      if (compare(expected, program)) return 1;
    }
  return 0;
}

#endif

static int run_one(int i) {
  current_seed = table_plain[i].seed;
  current_order = "plain";
  alarm(seconds);
  start();
  const struct result expected = run(&table_plain[i], 0);
  return differs(&expected, &table_deferred[i]);
}

#ifndef REAL
/* In a process of its own: what a wrong one does to memory does not meet the others. */
static int run_apart(int i) {
  int status = 0;
  const pid_t child = fork();
  if (child == 0) _exit(run_one(i));
  return child < 0 || waitpid(child, &status, 0) != child || status != 0;
}
#else
#define run_apart run_one
#endif

static int run_all(void) {
  int wrong = 0;
  n_pes = shmem_n_pes();
  for (int i = 0; table_plain[i].run; i++) wrong += run_apart(i);
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
