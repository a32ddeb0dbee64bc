/* SPDX-License-Identifier: BSD-3-Clause */
/* The memory of the programs, and what they call. With REAL, on the library. */
#include "seen.h"

#ifdef REAL
#define SYMMETRIC
#else
#define SYMMETRIC __attribute__((section("symmetric")))
#endif

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
int n_pes, no_rounds;

uint64_t sums[64], totals[64], tallies[64], scores[64], rest[64], cells[16];
double reals[16];
struct own own;
int64_t messages[256];
FILE* notes;
shmem_ctx_t second;

int64_t out[64], mem[16];
static int64_t sum_heard, calls;
int64_t *sym, *counts;

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

void hear(const void* bytes, size_t n) {
  for (size_t i = 0; i < n; i++) said = (said ^ ((const unsigned char*)bytes)[i]) * 1099511628211u;
}

void say(uint64_t value) {
  hear(&value, sizeof value);
}

uint64_t serial_number(void) {
  return ++serial;
}

/* ---- what can be seen */

#define KEEP(object, pe) memcpy(to->object, shmem_ptr(object, pe), sizeof to->object)

static void keep_everywhere(struct everywhere* to, int pe) {
  KEEP(moved, pe);
  KEEP(also_moved, pe);
  KEEP(tickets, pe);
  KEEP(guarded, pe);
  to->flag = *(uint64_t*)shmem_ptr(&flag, pe);
}

void keep_until_quiet(struct until_quiet* to, int pe) {
  KEEP(counts, pe);
  KEEP(posted, pe);
  KEEP(taken, pe);
}

void keep_own(struct result* to) {
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

void look(void) {
  const uint64_t there = *(uint64_t*)shmem_ptr(&flag, 1 % n_pes);
  say(there);
  hear(messages, (size_t)(there & 255) * sizeof *messages);
  for (int pe = 0; pe < n_pes; pe++) hear(shmem_ptr(guarded, pe), sizeof guarded);
}

/* ---- a new beginning */

void allocate(void) {
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

void reset(void) {
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
