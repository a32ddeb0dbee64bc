// SPDX-License-Identifier: BSD-3-Clause
// C = A B in blocks on a grid of PEs: in each step a team of each row broadcasts a block of A and a team of
// each column one of B (SUMMA). PEs beyond the largest square watch. Verified exactly, with small integers in
// doubles.
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { n = 20 };

typedef double block[n][n];

static block a, b, c, a_here, b_here;

static double a_of(int i, int j) {
  return (i * 7 + j * 3) % 11 - 5;
}
static double b_of(int i, int j) {
  return (i * 5 + j * 2) % 13 - 6;
}

static void multiply(void) {
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k)
      for (int j = 0; j < n; ++j) c[i][j] += a_here[i][k] * b_here[k][j];
}

static int count_wrong(int row, int column, int grid) {
  int wrong = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      double sum = 0;
      for (int k = 0; k < grid * n; ++k) sum += a_of(row * n + i, k) * b_of(k, column * n + j);
      wrong += sum != c[i][j];
    }
  return wrong;
}

static int compute(shmem_team_t square, int grid) {
  shmem_team_t row_team, column_team;
  if (shmem_team_split_2d(square, grid, NULL, 0, &row_team, NULL, 0, &column_team) != 0) return -1;
  const int column = shmem_team_my_pe(row_team), row = shmem_team_my_pe(column_team);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      a[i][j] = a_of(row * n + i, column * n + j);
      b[i][j] = b_of(row * n + i, column * n + j);
    }
  for (int step = 0; step < grid; ++step) {
    shmem_team_sync(row_team); // nobody reads the last blocks any more
    shmem_team_sync(column_team);
    shmem_double_broadcast(row_team, &a_here[0][0], &a[0][0], n * n, step);
    shmem_double_broadcast(column_team, &b_here[0][0], &b[0][0], n * n, step);
    multiply();
  }
  shmem_team_sync(square);
  shmem_team_destroy(row_team);
  shmem_team_destroy(column_team);
  return count_wrong(row, column, grid);
}

int main(void) {
  shmem_init();
  int grid = 1;
  while ((grid + 1) * (grid + 1) <= shmem_n_pes()) ++grid;
  shmem_team_t square;
  shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, grid * grid, NULL, 0, &square);
  if (square != SHMEM_TEAM_INVALID) {
    const int wrong = compute(square, grid);
    if (wrong != 0) {
      fprintf(stderr, "matrix_teams: %d wrong elements on PE %d\n", wrong, shmem_my_pe());
      shmem_global_exit(1);
    }
    shmem_team_destroy(square);
  }
  shmem_barrier_all();
  if (shmem_my_pe() == 0) printf("matrix_teams: %d x %d blocks\n", grid, grid);
  shmem_finalize();
  return 0;
}
