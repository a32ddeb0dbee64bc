// SPDX-License-Identifier: BSD-3-Clause
// Numerical integration of 4 / (1 + x^2) in C11 with the generic routines: blocks of the interval are handed
// out by an atomic counter, partial sums go to a table by put, the result comes from a reduction. Checks
// itself against pi.
#include <math.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>

enum { blocks = 256, points_each = 2000 };

static int next_block;
static double table[blocks], sum;
static unsigned taken[blocks];

static double integrate(int block) {
  const double width = 1.0 / ((double)blocks * points_each);
  double part = 0;
  for (int i = 0; i < points_each; ++i) {
    const double x = width * ((double)block * points_each + i + 0.5);
    part += 4 / (1 + x * x) * width;
  }
  return part;
}

// Only PE 0 keeps the table; each block must have been done once.
static int check_table(void) {
  double total = 0;
  for (int i = 0; i < blocks; ++i) {
    if (taken[i] != 1) {
      fprintf(stderr, "c11_pi: block %d was taken %u times\n", i, taken[i]);
      return 1;
    }
    total += table[i];
  }
  if (fabs(total - sum) < 1e-12) return 0;
  fprintf(stderr, "c11_pi: the table adds up to %.15f, the reduction to %.15f\n", total, sum);
  return 1;
}

int main(void) {
  shmem_init();
  double mine = 0;
  for (;;) {
    const int block = shmem_atomic_fetch_inc(&next_block, 0);
    if (block >= blocks) break;
    const double part = integrate(block);
    shmem_p(&table[block], part, 0);
    shmem_atomic_add(&taken[block], 1u, 0);
    mine += part;
  }
  double* const source = shmem_malloc(sizeof *source);
  *source = mine;
  shmem_barrier_all();
  shmem_sum_reduce(SHMEM_TEAM_WORLD, &sum, source, 1);
  int wrong = fabs(sum - 3.14159265358979323846) > 1e-9;
  if (wrong) fprintf(stderr, "c11_pi: %.15f is not pi\n", sum);
  if (shmem_my_pe() == 0) {
    wrong |= check_table();
    printf("c11_pi: %.12f\n", sum);
  }
  if (wrong) shmem_global_exit(1);
  shmem_free(source);
  shmem_finalize();
  return 0;
}
