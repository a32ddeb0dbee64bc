/* SPDX-License-Identifier: BSD-3-Clause */
/* V-cycles of multigrid for Poisson's equation on a square of SIZE by SIZE cells a PE, side by side in a
 * ring. Each sweep puts its border columns, of whole cells packed, to the neighbours. After the NAS benchmark
 * MG, which puts the sides of its blocks in the same way. */
#include "suite.h"

enum { MOST = 256, MOST_LEVELS = 8, CYCLES = 3, SWEEPS = 2, COARSEST_SWEEPS = 10 };
typedef struct {
  long side; /* of the square without its border */
  double now[MOST + 2][MOST + 2], next[MOST + 2][MOST + 2], right[MOST + 2][MOST + 2];
} level;
static level levels[MOST_LEVELS];
static double to_left[MOST], to_right[MOST];
static double from_right[2][MOST], from_left[2][MOST]; /* of every other exchange */
static long exchanges;

static __attribute__((noinline)) void plain_put(long side, long turn) {
  shmem_double_put(from_right[turn], to_left, (size_t)side, (me + n_pes - 1) % n_pes);
  shmem_double_put(from_left[turn], to_right, (size_t)side, (me + 1) % n_pes);
}

static void by_hand_put(long side, long turn) {
  shmem_double_put_nbi(from_right[turn], to_left, (size_t)side, (me + n_pes - 1) % n_pes);
  shmem_double_put_nbi(from_left[turn], to_right, (size_t)side, (me + 1) % n_pes);
}

/* Above and below the values are zero half way between the border and the cells beside it. The barrier of the
 * next exchange says that the neighbours have used what this one brought. */
static void exchange(level* l, int hand) {
  const long turn = exchanges++ % 2, side = l->side;
  for (long i = 0; i < side; i++) {
    to_left[i] = l->now[i + 1][1];
    to_right[i] = l->now[i + 1][side];
  }
  hand ? by_hand_put(side, turn) : plain_put(side, turn);
  shmem_barrier_all();
  for (long i = 0; i < side; i++) {
    l->now[i + 1][0] = from_left[turn][i];
    l->now[i + 1][side + 1] = from_right[turn][i];
  }
  for (long j = 0; j <= side + 1; j++) {
    l->now[0][j] = -l->now[1][j];
    l->now[side + 1][j] = -l->now[side][j];
  }
}

static double around(const level* l, long i, long j) {
  return l->now[i - 1][j] + l->now[i + 1][j] + l->now[i][j - 1] + l->now[i][j + 1];
}

static void sweep(level* l, int hand) {
  exchange(l, hand);
  for (long i = 1; i <= l->side; i++)
    for (long j = 1; j <= l->side; j++)
      l->next[i][j] = 0.2 * l->now[i][j] + 0.8 * 0.25 * (around(l, i, j) + l->right[i][j]);
  for (long i = 1; i <= l->side; i++) memcpy(&l->now[i][1], &l->next[i][1], (size_t)l->side * sizeof(double));
}

/* The residual of four cells is the right-hand side of one. */
static void restrict_to(level* coarse, level* fine, int hand) {
  exchange(fine, hand);
  memset(coarse->now, 0, sizeof coarse->now);
  memset(coarse->right, 0, sizeof coarse->right);
  for (long i = 1; i <= 2 * coarse->side; i++)
    for (long j = 1; j <= 2 * coarse->side; j++)
      coarse->right[(i + 1) / 2][(j + 1) / 2] += fine->right[i][j] + around(fine, i, j) - 4 * fine->now[i][j];
}

/* Adds to each cell what lies between those of the coarse level around it. */
static void correct_by(level* coarse, level* fine, int hand) {
  exchange(coarse, hand);
  for (long i = 1; i <= 2 * coarse->side; i++)
    for (long j = 1; j <= 2 * coarse->side; j++) {
      const double *const near = coarse->now[(i + 1) / 2], *const far = coarse->now[i / 2 + 1 - i % 2];
      const long at = (j + 1) / 2, beside = j / 2 + 1 - j % 2;
      fine->now[i][j] += (9 * near[at] + 3 * near[beside] + 3 * far[at] + far[beside]) / 16;
    }
}

static void cycle(long at, long count, int hand) {
  level* const l = &levels[at];
  for (int i = 0; i < (at + 1 < count ? SWEEPS : COARSEST_SWEEPS); i++) sweep(l, hand);
  if (at + 1 == count) return;
  level* const coarse = l + 1;
  restrict_to(coarse, l, hand);
  cycle(at + 1, count, hand);
  correct_by(coarse, l, hand);
  for (int i = 0; i < SWEEPS; i++) sweep(l, hand);
}

int main(int argc, char** argv) {
  long size, count = 0;
  const int hand = begin(argc, argv, &size, MOST);
  for (long side = size; side >= 2 && count < MOST_LEVELS; side /= 2) levels[count++].side = side;
  if (count == 0) levels[count++].side = size;
  uint64_t state = seed_of(me), checksum = 0;
  for (long i = 1; i <= size; i++)
    for (long j = 1; j <= size; j++) levels[0].right[i][j] = (double)(next_random(&state) % 1000) / 1000;
  for (int i = 0; i < CYCLES; i++) cycle(0, count, hand);
  for (long i = 1; i <= size; i++)
    for (long j = 1; j <= size; j++) {
      uint64_t bits;
      memcpy(&bits, &levels[0].now[i][j], sizeof bits);
      checksum ^= mixed((uint64_t)((me * size + i) * size + j), bits);
    }
  return end(checksum);
}
