/* SPDX-License-Identifier: BSD-3-Clause */
/* Euler's equations of a gas on a ring of SIZE square blocks a PE, with pressure waves. Where the density
 * changes, and beside that, a block has finer cells; which ones have, is decided anew every few steps. */
#include <math.h>

#include "suite.h"

enum { MOST = 64, COARSE = 8, FINE = 2 * COARSE, FIELDS = 4, STEPS = 12, EVERY = 4 };
static const double time_step = 0.01, steep = 0.05;

typedef struct {
  double of[FIELDS][FINE]; /* density, momentum along x and y, energy; of the cells of one column */
} column;
typedef struct {
  long cells; /* along each side */
  column at[FINE];
} block;
static block blocks[2][MOST]; /* of every other step */
static long has_front[MOST];

typedef struct {
  double of[FIELDS];
} state;

static state cell_of(const column* c, long j) {
  return (state){{c->of[0][j], c->of[1][j], c->of[2][j], c->of[3][j]}};
}

/* Flow through a face from `a` to `b`, after Rusanov. */
static state flow(state a, state b, int axis) {
  state sum = {{0}};
  double fastest = 0;
  for (int side = 0; side < 2; side++) {
    const double* const u = side ? b.of : a.of;
    const double speed = u[1 + axis] / u[0];
    const double pressure = 0.4 * (u[3] - 0.5 * (u[1] * u[1] + u[2] * u[2]) / u[0]);
    for (int f = 0; f < FIELDS; f++) sum.of[f] += 0.5 * speed * u[f];
    sum.of[1 + axis] += 0.5 * pressure;
    sum.of[3] += 0.5 * speed * pressure;
    fastest = fmax(fastest, fabs(speed) + sqrt(1.4 * pressure / u[0]));
  }
  for (int f = 0; f < FIELDS; f++) sum.of[f] -= 0.5 * fastest * (b.of[f] - a.of[f]);
  return sum;
}

/* The block on the left is of[0], that on the right of[1]. */
typedef struct {
  const block* block;
  int pe;
} neighbour;

/* Their nearest columns, in cells of this block. */
static void plain_fetch(column beside[2], const neighbour of[2], long cells) {
  for (int side = 0; side < 2; side++) {
    const int pe = of[side].pe;
    const long there = shmem_long_g(&of[side].block->cells, pe);
    const column* const from = &of[side].block->at[side ? 0 : there - 1];
    for (int f = 0; f < FIELDS; f++)
      for (long j = 0; j < cells; j++)
        if (there == cells)
          beside[side].of[f][j] = shmem_double_g(&from->of[f][j], pe);
        else if (there < cells)
          beside[side].of[f][j] = shmem_double_g(&from->of[f][j / 2], pe);
        else
          beside[side].of[f][j] =
              0.5 * (shmem_double_g(&from->of[f][2 * j], pe) + shmem_double_g(&from->of[f][2 * j + 1], pe));
  }
}

static void by_hand_fetch(column beside[2], const neighbour of[2], long cells) {
  column whole[2];
  long there[2];
  for (int side = 0; side < 2; side++)
    shmem_long_get_nbi(&there[side], &of[side].block->cells, 1, of[side].pe);
  shmem_quiet();
  for (int side = 0; side < 2; side++)
    shmem_getmem_nbi(&whole[side], &of[side].block->at[side ? 0 : there[side] - 1], sizeof *whole,
                     of[side].pe);
  shmem_quiet();
  for (int side = 0; side < 2; side++)
    for (int f = 0; f < FIELDS; f++)
      for (long j = 0; j < cells; j++) {
        const double* const from = whole[side].of[f];
        beside[side].of[f][j] = there[side] == cells  ? from[j]
                                : there[side] < cells ? from[j / 2]
                                                      : 0.5 * (from[2 * j] + from[2 * j + 1]);
      }
}

/* Of the block `by` places further along the ring. */
static void find_block(long at, long by, long size, long* there, int* pe) {
  const long all = size * n_pes, global = (me * size + at + by + all) % all;
  *there = global % size;
  *pe = (int)(global / size);
}

static void step_block(block* next, const block* now, long at, long size, const block* all, int hand) {
  column beside[2];
  neighbour of[2];
  const long n = now->cells;
  for (int side = 0; side < 2; side++) {
    long there;
    find_block(at, side ? 1 : -1, size, &there, &of[side].pe);
    of[side].block = &all[there];
  }
  hand ? by_hand_fetch(beside, of, n) : plain_fetch(beside, of, n);
  next->cells = n;
  for (long i = 0; i < n; i++) {
    const column* const left = i > 0 ? &now->at[i - 1] : &beside[0];
    const column* const right = i + 1 < n ? &now->at[i + 1] : &beside[1];
    for (long j = 0; j < n; j++) {
      const state here = cell_of(&now->at[i], j);
      const state in_x = flow(cell_of(left, j), here, 0), out_x = flow(here, cell_of(right, j), 0);
      const state in_y = flow(cell_of(&now->at[i], (j + n - 1) % n), here, 1);
      const state out_y = flow(here, cell_of(&now->at[i], (j + 1) % n), 1);
      for (int f = 0; f < FIELDS; f++)
        next->at[i].of[f][j] =
            here.of[f] + time_step * (double)n * (in_x.of[f] - out_x.of[f] + in_y.of[f] - out_y.of[f]);
    }
  }
}

static int is_steep(const block* b) {
  double most = 0;
  for (long i = 1; i < b->cells; i++)
    for (long j = 0; j < b->cells; j++) most = fmax(most, fabs(b->at[i].of[0][j] - b->at[i - 1].of[0][j]));
  return most * (double)b->cells > steep * COARSE;
}

static void refine(block* b) {
  for (long i = FINE - 1; i >= 0; i--)
    for (int f = 0; f < FIELDS; f++)
      for (long j = FINE - 1; j >= 0; j--) b->at[i].of[f][j] = b->at[i / 2].of[f][j / 2];
  b->cells = FINE;
}

static void coarsen(block* b) {
  for (long i = 0; i < COARSE; i++)
    for (int f = 0; f < FIELDS; f++)
      for (long j = 0; j < COARSE; j++) {
        const column *const one = &b->at[2 * i], *const other = one + 1;
        b->at[i].of[f][j] = 0.25 * (one->of[f][2 * j] + one->of[f][2 * j + 1] + other->of[f][2 * j] +
                                    other->of[f][2 * j + 1]);
      }
  b->cells = COARSE;
}

static void choose_cells(block* all, long size) {
  for (long at = 0; at < size; at++) has_front[at] = is_steep(&all[at]);
  shmem_barrier_all();
  for (long at = 0; at < size; at++) {
    long is_wanted = 0;
    for (long by = -1; by <= 1; by++) {
      long there;
      int pe;
      find_block(at, by, size, &there, &pe);
      is_wanted |= shmem_long_g(&has_front[there], pe);
    }
    if (is_wanted && all[at].cells == COARSE) refine(&all[at]);
    if (!is_wanted && all[at].cells == FINE) coarsen(&all[at]);
  }
}

/* Gas at rest, with a higher pressure in some places. */
static void begin_block(block* b, uint64_t* random) {
  const int is_burst = next_random(random) % 4 == 0;
  b->cells = COARSE;
  for (long i = 0; i < COARSE; i++)
    for (long j = 0; j < COARSE; j++) {
      b->at[i].of[0][j] = 1;
      b->at[i].of[1][j] = b->at[i].of[2][j] = 0;
      b->at[i].of[3][j] = is_burst && i / 2 == 1 && j / 2 == 2 ? 10 : 2.5;
    }
}

static uint64_t sum_of(const block* b, uint64_t number) {
  uint64_t checksum = 0;
  for (long i = 0; i < b->cells; i++)
    for (long j = 0; j < b->cells; j++) {
      uint64_t bits[FIELDS];
      const state here = cell_of(&b->at[i], j);
      memcpy(bits, here.of, sizeof bits);
      for (int f = 0; f < FIELDS; f++)
        checksum ^=
            mixed(((number * FINE + (uint64_t)i) * FINE + (uint64_t)j) * FIELDS + (uint64_t)f, bits[f]);
    }
  return checksum;
}

int main(int argc, char** argv) {
  long size;
  const int hand = begin(argc, argv, &size, MOST);
  uint64_t random = seed_of(me), checksum = 0;
  for (long at = 0; at < size; at++) begin_block(&blocks[0][at], &random);
  for (int step = 0; step < STEPS; step++) {
    block* const now = blocks[step % 2];
    if (step % EVERY == 0) choose_cells(now, size);
    shmem_barrier_all();
    for (long at = 0; at < size; at++) step_block(&blocks[(step + 1) % 2][at], &now[at], at, size, now, hand);
    shmem_barrier_all();
  }
  for (long at = 0; at < size; at++) checksum ^= sum_of(&blocks[STEPS % 2][at], (uint64_t)(me * size + at));
  return end(checksum);
}
