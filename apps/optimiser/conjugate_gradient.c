/* SPDX-License-Identifier: BSD-3-Clause */
/* Fifteen steps of conjugate gradients for a symmetric matrix of eleven diagonals: SIZE rows a PE. Each step
 * fetches the search direction of all PEs. */
#include "suite.h"

enum { MOST = 1 << 14, STEPS = 15, DIAGONALS = 5 };
static const long distance[DIAGONALS] = {1, 7, 31, 97, 301};
static double direction[MOST], product[MOST], residual[MOST], solution[MOST];
static double* of_all; /* the direction, of all PEs */

static __attribute__((noinline)) void plain(long rows) {
  for (int pe = 0; pe < n_pes; pe++) shmem_double_get(&of_all[pe * rows], direction, (size_t)rows, pe);
}

static void by_hand(long rows) {
  for (int i = 1; i < n_pes; i++) {
    const int pe = (me + i) % n_pes;
    shmem_double_get_nbi(&of_all[pe * rows], direction, (size_t)rows, pe);
  }
  memcpy(&of_all[me * rows], direction, (size_t)rows * sizeof *direction);
  shmem_quiet();
}

static void multiply(long rows) {
  const long all = rows * n_pes;
  for (long r = 0; r < rows; r++) {
    const long at = me * rows + r;
    double sum = (2 * DIAGONALS + 1) * of_all[at];
    for (int d = 0; d < DIAGONALS; d++)
      sum -= of_all[(at + distance[d]) % all] + of_all[(at + all - distance[d] % all) % all];
    product[r] = sum;
  }
}

static double dot(const double* a, const double* b, long rows) {
  static double mine, sum;
  mine = 0;
  for (long r = 0; r < rows; r++) mine += a[r] * b[r];
  shmem_double_sum_reduce(SHMEM_TEAM_WORLD, &sum, &mine, 1);
  return sum;
}

int main(int argc, char** argv) {
  long size;
  const int hand = begin(argc, argv, &size, MOST);
  of_all = malloc((size_t)(size * n_pes) * sizeof *of_all);
  uint64_t state = seed_of(me), checksum = 0;
  for (long r = 0; r < size; r++)
    direction[r] = residual[r] = 1 + (double)(next_random(&state) % 1000) / 1000;
  double left = dot(residual, residual, size);
  for (int step = 0; step < STEPS && left > 0; step++) { /* small systems are solved before */
    shmem_barrier_all();
    hand ? by_hand(size) : plain(size);
    shmem_barrier_all();
    multiply(size);
    const double length = left / dot(direction, product, size);
    for (long r = 0; r < size; r++) {
      solution[r] += length * direction[r];
      residual[r] -= length * product[r];
    }
    const double before = left;
    left = dot(residual, residual, size);
    for (long r = 0; r < size; r++) direction[r] = residual[r] + left / before * direction[r];
  }
  for (long r = 0; r < size; r++) {
    uint64_t bits;
    memcpy(&bits, &solution[r], sizeof bits);
    checksum ^= mixed((uint64_t)(me * size + r), bits);
  }
  free(of_all);
  return end(checksum);
}
