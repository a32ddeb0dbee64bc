/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs each function of a batch as it was written, and with deferral in every order, and compares all that
 * can be seen: when it returns, and behind a quiet what is unordered until then. With REAL, on the library:
 * PE 0 runs them, the others serve it. */
#include "harness.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef REAL
#define SYMMETRIC
#else
#include "reorder.h"
#define SYMMETRIC __attribute__((section("symmetric")))
#endif

enum { most_pes = 8, cells_per_pe = 64, once_cells = 4096, seconds = 60 };

SYMMETRIC int64_t still_long[64] = {1};
SYMMETRIC int still_int[64] = {1};
SYMMETRIC unsigned int still_uint[64] = {1};
SYMMETRIC unsigned char still_uchar[64] = {1};
SYMMETRIC short still_short[64] = {1};
SYMMETRIC float still_float[64] = {1};
SYMMETRIC double still_double[64] = {1};
SYMMETRIC int64_t moved[64] = {1}, also_moved[64] = {1}, tickets[64] = {1}, posted[64] = {1},
                  taken[256] = {1}, guarded[8] = {1};
SYMMETRIC uint64_t flag = 1;
SYMMETRIC long lock = 0;
int n_pes;

uint64_t sums[64], totals[64], tallies[64], scores[64], rest[64], cells[16];
double reals[16];
struct own own;
int64_t messages[256];
FILE* notes;
static FILE* terminal;
shmem_ctx_t second;

int64_t out[64], mem[16];
static int64_t sum_heard, calls;
static long current_seed;
static const char* current_order = "plain";
static long current_limit;
static int64_t *sym, *counts;

/* ---- what the functions call */

void heard(int64_t value) {
  sum_heard += value;
}

int64_t noted(int64_t value) {
  sum_heard += value & 7;
  return value;
}

int64_t* fresh_cells(int64_t* all) {
  return all + cells_per_pe + once_cells * (calls++ % 2);
}

static uint64_t said, serial;

static void hear(const void* bytes, size_t n) {
  for (size_t i = 0; i < n; i++) said = (said ^ ((const unsigned char*)bytes)[i]) * 1099511628211u;
}

void say(uint64_t value) {
  hear(&value, sizeof value);
}

uint64_t serial_number(void) {
  return ++serial;
}

/* ---- what can be seen */

struct everywhere { /* of each PE */
  int64_t moved[64], also_moved[64], tickets[64], guarded[8];
  uint64_t flag;
};
struct until_quiet {
  int64_t counts[cells_per_pe], posted[64], taken[256];
};
struct result {
  int64_t returned[2], heard, out[64], mem[16];
  uint64_t sums[64], totals[64], tallies[64], scores[64], rest[64], cells[16], said, serial;
  double reals[16];
  struct own own;
  int64_t messages[256];
  struct everywhere everywhere[most_pes];
  struct until_quiet until_quiet[most_pes];
};

#define KEEP(object, pe) memcpy(to->object, shmem_ptr(object, pe), sizeof to->object)

static void keep_everywhere(struct everywhere* to, int pe) {
  KEEP(moved, pe);
  KEEP(also_moved, pe);
  KEEP(tickets, pe);
  KEEP(guarded, pe);
  to->flag = *(uint64_t*)shmem_ptr(&flag, pe);
}

static void keep_until_quiet(struct until_quiet* to, int pe) {
  KEEP(counts, pe);
  KEEP(posted, pe);
  KEEP(taken, pe);
}

static void keep_own(struct result* to) {
  to->heard = sum_heard;
  to->said = said;
  to->serial = serial;
  memcpy(to->out, out, sizeof out);
  memcpy(to->mem, mem, sizeof mem);
  memcpy(to->sums, sums, sizeof sums);
  memcpy(to->cells, cells, sizeof cells);
  memcpy(to->totals, totals, sizeof totals);
  memcpy(to->tallies, tallies, sizeof tallies);
  memcpy(to->scores, scores, sizeof scores);
  memcpy(to->rest, rest, sizeof rest);
  memcpy(to->reals, reals, sizeof reals);
  memcpy(&to->own, &own, sizeof own);
  memcpy(to->messages, messages, sizeof messages);
  for (int pe = 0; pe < n_pes; pe++) keep_everywhere(&to->everywhere[pe], pe);
}

#ifndef REAL
/* Another PE that has been told so looks at messages, and one that waits for the lock at what it guards. */
static void look(void) {
  const uint64_t there = *(uint64_t*)shmem_ptr(&flag, 1);
  say(there);
  hear(messages, (size_t)(there & 255) * sizeof *messages);
  for (int pe = 0; pe < n_pes; pe++) hear(shmem_ptr(guarded, pe), sizeof guarded);
}
#endif

/* ---- runs */

static void complain(const char* why) {
  FILE* const to = terminal ? terminal : stdout;
  fprintf(to, "seed %ld: %s (order %s, limit %ld)\n", current_seed, why, current_order, current_limit);
  fflush(to);
}

static void died(int number) {
  complain(number == SIGALRM ? "takes too long" : "crashes");
  _exit(1);
}

static void allocate(void) {
  sym = shmem_malloc(cells_per_pe * sizeof *sym);
  counts = shmem_malloc((cells_per_pe + 2 * once_cells) * sizeof *counts);
}

#define FILL(object, pe, value)                                   \
  for (int i = 0; i < (int)(sizeof object / sizeof *object); i++) \
  ((__typeof__(&*object))shmem_ptr(object, pe))[i] = (value)

static void reset_pe(int pe) {
  for (int i = 0; i < cells_per_pe; i++) ((int64_t*)shmem_ptr(sym, pe))[i] = (i * 7 + pe * 13) % 11;
  memset(shmem_ptr(counts, pe), 0, (cells_per_pe + 2 * once_cells) * sizeof *counts);
  FILL(still_long, pe, (i * 7 + pe * 13) % 11);
  FILL(still_int, pe, (i * 5 + pe * 3) % 17 - 8);
  FILL(still_uint, pe, (unsigned)(i * 5 + pe * 3) * 0x9e3779b9u);
  FILL(still_uchar, pe, (unsigned char)(i * 37 + pe));
  FILL(still_short, pe, (short)(i * 1021 - pe * 300 - 20000));
  FILL(still_float, pe, (float)(i * 3 + pe) / 8);
  FILL(still_double, pe, (i % 3 ? 1.0 : -1e9) / (i + pe + 1));
  FILL(moved, pe, i * 3 + pe);
  FILL(also_moved, pe, i * 5 + pe);
  FILL(tickets, pe, i + pe);
  FILL(posted, pe, 0);
  FILL(taken, pe, i * 11 + pe);
  FILL(guarded, pe, i);
  *(uint64_t*)shmem_ptr(&flag, pe) = 0;
}

static void reset(void) {
  for (int pe = 0; pe < n_pes; pe++) reset_pe(pe);
  memset(out, 0, sizeof out);
  memset(mem, 0, sizeof mem);
  memset(sums, 0, sizeof sums);
  memset(cells, 0, sizeof cells);
  memset(totals, 0, sizeof totals);
  memset(tallies, 0, sizeof tallies);
  memset(scores, 0, sizeof scores);
  memset(rest, 0, sizeof rest);
  memset(reals, 0, sizeof reals);
  memset(&own, 0, sizeof own);
  memset(messages, 0, sizeof messages);
  sum_heard = calls = 0;
  said = serial = 0;
  errno = 0;
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
