// SPDX-License-Identifier: BSD-3-Clause
// Heat on a square plate: a 2-D stencil on a grid of PEs. Each PE has a block of the plate with a border of
// one cell, whose contents its four neighbours put there; columns are packed first.
//   halo [CELLS [STEPS [blocking|together|inside]]]   CELLS: along each side of a PE's block
// `blocking` waits for each border; the other two are overlapped by hand: all borders together, and these
// while the cells that need none of them are relaxed.
#include <math.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum mode { blocking, together, inside };
enum side { north, south, west, east, sides };

static enum mode mode;
static int cells = 128, steps = 20;
static int rows_of_pes, columns_of_pes, row, column;
static double *now, *next;     // (cells + 2)^2, row by row
static double* borders[sides]; // what a neighbour has sent, for columns
static double* packed[2];      // columns of our own: the western and the eastern one

static double* cell(double* plate, int i, int j) {
  return plate + (size_t)i * (size_t)(cells + 2) + j;
}

static int neighbour(enum side to) {
  const int i = row + (to == south) - (to == north), j = column + (to == east) - (to == west);
  if (i < 0 || i >= rows_of_pes || j < 0 || j >= columns_of_pes) return -1;
  return i * columns_of_pes + j;
}

static void choose_grid(void) {
  const int pes = shmem_n_pes();
  for (rows_of_pes = (int)sqrt(pes); pes % rows_of_pes != 0; rows_of_pes--) continue;
  columns_of_pes = pes / rows_of_pes;
  row = shmem_my_pe() / columns_of_pes;
  column = shmem_my_pe() % columns_of_pes;
}

static void send(double* into, const double* from, int pe) {
  if (mode == blocking)
    shmem_double_put(into, from, (size_t)cells, pe);
  else
    shmem_double_put_nbi(into, from, (size_t)cells, pe);
}

static void send_row(enum side to, int from, int into) {
  const int pe = neighbour(to);
  if (pe >= 0) send(cell(now, into, 1), cell(now, from, 1), pe);
}

static void send_column(enum side to, int from, enum side into) {
  const int pe = neighbour(to);
  if (pe < 0) return;
  double* const column_of_cells = packed[to == east];
  for (int i = 0; i < cells; i++) column_of_cells[i] = *cell(now, i + 1, from);
  send(borders[into], column_of_cells, pe);
}

static void unpack(enum side from, int into) {
  if (neighbour(from) < 0) return;
  for (int i = 0; i < cells; i++) *cell(now, i + 1, into) = borders[from][i];
}

static void send_borders(void) {
  send_row(north, 1, cells + 1);
  send_row(south, cells, 0);
  send_column(west, 1, east);
  send_column(east, cells, west);
}

static void use_borders(void) {
  shmem_quiet();
  shmem_barrier_all();
  unpack(west, 0);
  unpack(east, cells + 1);
}

static void relax(int first_row, int last_row, int first_column, int last_column) {
  for (int i = first_row; i <= last_row; i++)
    for (int j = first_column; j <= last_column; j++)
      *cell(next, i, j) =
          0.25 * (*cell(now, i - 1, j) + *cell(now, i + 1, j) + *cell(now, i, j - 1) + *cell(now, i, j + 1));
}

static void relax_edges(void) {
  relax(1, 1, 1, cells);
  if (cells > 1) relax(cells, cells, 1, cells);
  relax(2, cells - 1, 1, 1);
  if (cells > 1) relax(2, cells - 1, cells, cells);
}

static void step(void) {
  send_borders();
  if (mode == inside) relax(2, cells - 1, 2, cells - 1);
  use_borders();
  if (mode == inside)
    relax_edges();
  else
    relax(1, cells, 1, cells);
  double* const done = next;
  next = now;
  now = done;
}

static double* plate(void) {
  double* const made = shmem_calloc((size_t)(cells + 2) * (size_t)(cells + 2), sizeof(double));
  if (row == 0) // the upper edge is hot
    for (int j = 0; j < cells + 2; j++) *cell(made, 0, j) = 1;
  return made;
}

static double sum_of_all(void) {
  static double mine, all;
  mine = 0;
  for (int i = 1; i <= cells; i++)
    for (int j = 1; j <= cells; j++) mine += *cell(now, i, j);
  shmem_double_sum_reduce(SHMEM_TEAM_WORLD, &all, &mine, 1);
  return all;
}

static enum mode mode_of(const char* name) {
  return strcmp(name, "inside") == 0 ? inside : strcmp(name, "together") == 0 ? together : blocking;
}

int main(int argc, char** argv) {
  if (argc > 1) cells = atoi(argv[1]);
  if (argc > 2) steps = atoi(argv[2]);
  if (argc > 3) mode = mode_of(argv[3]);
  shmem_init();
  choose_grid();
  now = plate();
  next = plate();
  for (int i = 0; i < sides; i++) borders[i] = shmem_malloc((size_t)cells * sizeof(double));
  for (int i = 0; i < 2; i++) packed[i] = malloc((size_t)cells * sizeof(double));
  shmem_barrier_all();
  for (int i = 0; i < steps; i++) {
    step();
    shmem_barrier_all();
  }
  const double sum = sum_of_all();
  if (shmem_my_pe() == 0) printf("heat %.12g\n", sum);
  for (int i = 0; i < 2; i++) free(packed[i]);
  shmem_finalize();
  return 0;
}
