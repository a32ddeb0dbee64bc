// SPDX-License-Identifier: BSD-3-Clause
// Multigrid for Poisson's equation in a box, 3-D, zero at its sides: V-cycles with Jacobi sweeps. Each PE has
// a block of cells with a border, which it fetches from six neighbours.
//   multigrid [CELLS [CYCLES [blocking|together|inside]]]   CELLS: along each side of a PE's block, a power
//   of 2
// `blocking` waits for each face; the other two are overlapped by hand: all faces together, and these while
// the cells that need none of them are relaxed.
#include <math.h>
#include <shmem.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { axes = 3, faces = 2 * axes, most_levels = 12, sweeps = 2, coarsest_sweeps = 20 };
enum mode { blocking, together, inside };

struct level {
  int cells;
  double width;                          // of a cell
  double *now, *next, *right, *residual; // (cells + 2)^3
  double* out[2][faces];                 // own faces, for the neighbours: of every other exchange
  double* in[faces];
};

static enum mode mode = blocking;
static int pes_along[axes], coordinate[axes], neighbour[faces], exchanges;
static struct level levels[most_levels];
static int count;

static size_t cell(const struct level* l, int i, int j, int k) {
  const size_t side = (size_t)l->cells + 2;
  return ((size_t)i * side + (size_t)j) * side + (size_t)k;
}

static size_t face_cell(const struct level* l, int face, int layer, int a, int b) {
  int at[axes];
  at[face / 2] = layer;
  at[(face / 2 + 1) % axes] = a;
  at[(face / 2 + 2) % axes] = b;
  return cell(l, at[0], at[1], at[2]);
}

static int pe_at(const int at[axes]) {
  return (at[0] * pes_along[1] + at[1]) * pes_along[2] + at[2];
}

// As near to a cube as the number of PEs allows.
static void choose_grid(void) {
  int left = shmem_n_pes(), rest = shmem_my_pe();
  for (int axis = 0; axis < axes; axis++) {
    int along = (int)(pow(left, 1.0 / (axes - axis)) + 0.5);
    for (; left % along != 0; along--) continue;
    pes_along[axis] = along;
    left /= along;
  }
  for (int axis = axes; axis-- > 0; rest /= pes_along[axis]) coordinate[axis] = rest % pes_along[axis];
  for (int face = 0; face < faces; face++) {
    int at[axes];
    memcpy(at, coordinate, sizeof at);
    const int along = at[face / 2] += face % 2 ? 1 : -1;
    neighbour[face] = along < 0 || along >= pes_along[face / 2] ? -1 : pe_at(at);
  }
}

static void make_level(struct level* l, int cells) {
  const size_t all = (size_t)(cells + 2) * (size_t)(cells + 2) * (size_t)(cells + 2);
  const size_t face = (size_t)cells * (size_t)cells * sizeof(double);
  l->cells = cells;
  l->width = 1.0 / cells;
  l->now = calloc(all, sizeof(double));
  l->next = calloc(all, sizeof(double));
  l->right = calloc(all, sizeof(double));
  l->residual = calloc(all, sizeof(double));
  for (int i = 0; i < faces; i++) {
    l->out[0][i] = shmem_malloc(face);
    l->out[1][i] = shmem_malloc(face);
    l->in[i] = malloc(face);
  }
}

static void free_level(struct level* l) {
  for (int i = 0; i < faces; i++) {
    shmem_free(l->out[0][i]);
    shmem_free(l->out[1][i]);
    free(l->in[i]);
  }
  free(l->now);
  free(l->next);
  free(l->right);
  free(l->residual);
}

static void pack(const struct level* l, double* to, int face) {
  for (int a = 1; a <= l->cells; a++)
    for (int b = 1; b <= l->cells; b++) *to++ = l->now[face_cell(l, face, face % 2 ? l->cells : 1, a, b)];
}

// At a side of the box it is what makes the value there zero.
static void unpack(const struct level* l, const double* from, int face) {
  const int last = face % 2 ? l->cells : 1, border = face % 2 ? l->cells + 1 : 0;
  for (int a = 1; a <= l->cells; a++)
    for (int b = 1; b <= l->cells; b++)
      l->now[face_cell(l, face, border, a, b)] =
          neighbour[face] >= 0 ? *from++ : -l->now[face_cell(l, face, last, a, b)];
}

// The barrier of the next exchange says that all have fetched what this one offers.
static void fetch_faces(struct level* l) {
  double** const out = l->out[exchanges++ % 2];
  const size_t size = (size_t)l->cells * (size_t)l->cells;
  for (int face = 0; face < faces; face++) pack(l, out[face], face);
  shmem_barrier_all();
  for (int face = 0; face < faces; face++) {
    if (neighbour[face] < 0) continue;
    if (mode == blocking)
      shmem_double_get(l->in[face], out[face ^ 1], size, neighbour[face]);
    else
      shmem_double_get_nbi(l->in[face], out[face ^ 1], size, neighbour[face]);
  }
}

static void use_faces(struct level* l) {
  if (mode != blocking) shmem_quiet();
  for (int face = 0; face < faces; face++) unpack(l, l->in[face], face);
}

static double neighbours_of(const struct level* l, size_t at) {
  const size_t row = (size_t)l->cells + 2, plane = row * row;
  const double* const v = l->now + at;
  return v[1] + v[row] + v[plane] + *(v - 1) + *(v - row) + *(v - plane);
}

static void relax(const struct level* l, const int from[axes], const int to[axes]) {
  const double weight = 6.0 / 7, square = l->width * l->width;
  for (int i = from[0]; i <= to[0]; i++)
    for (int j = from[1]; j <= to[1]; j++)
      for (int k = from[2]; k <= to[2]; k++) {
        const size_t at = cell(l, i, j, k);
        const double better = (neighbours_of(l, at) + square * l->right[at]) / 6;
        l->next[at] = l->now[at] + weight * (better - l->now[at]);
      }
}

static void relax_shell(const struct level* l) {
  int from[axes] = {1, 1, 1}, to[axes] = {l->cells, l->cells, l->cells};
  for (int axis = 0; axis < axes; axis++) {
    to[axis] = from[axis] = 1;
    relax(l, from, to);
    to[axis] = from[axis] = l->cells;
    relax(l, from, to);
    from[axis] = 2; // the rest of this axis is for the others
    to[axis] = l->cells - 1;
  }
}

static void sweep(struct level* l) {
  const int first[axes] = {1, 1, 1}, last[axes] = {l->cells, l->cells, l->cells};
  const int second[axes] = {2, 2, 2}, before[axes] = {l->cells - 1, l->cells - 1, l->cells - 1};
  fetch_faces(l);
  if (mode == inside) relax(l, second, before);
  use_faces(l);
  if (mode == inside)
    relax_shell(l);
  else
    relax(l, first, last);
  double* const done = l->next;
  l->next = l->now;
  l->now = done;
}

// What is left of the right-hand side; the sum of the squares on this PE.
static double find_residual(struct level* l) {
  double sum = 0;
  fetch_faces(l);
  use_faces(l);
  for (int i = 1; i <= l->cells; i++)
    for (int j = 1; j <= l->cells; j++)
      for (int k = 1; k <= l->cells; k++) {
        const size_t at = cell(l, i, j, k);
        l->residual[at] = l->right[at] - (6 * l->now[at] - neighbours_of(l, at)) / (l->width * l->width);
        sum += l->residual[at] * l->residual[at];
      }
  return sum;
}

// Means of eight cells, and the start from zero.
static void go_coarser(const struct level* fine, struct level* coarse) {
  memset(coarse->now, 0, cell(coarse, coarse->cells + 2, 0, 0) * sizeof(double));
  for (int i = 1; i <= coarse->cells; i++)
    for (int j = 1; j <= coarse->cells; j++)
      for (int k = 1; k <= coarse->cells; k++) {
        double sum = 0;
        for (int part = 0; part < 8; part++)
          sum += fine->residual[cell(fine, 2 * i - part % 2, 2 * j - part / 2 % 2, 2 * k - part / 4)];
        coarse->right[cell(coarse, i, j, k)] = sum / 8;
      }
}

static void correct(const struct level* coarse, struct level* fine) {
  for (int i = 1; i <= fine->cells; i++)
    for (int j = 1; j <= fine->cells; j++)
      for (int k = 1; k <= fine->cells; k++)
        fine->now[cell(fine, i, j, k)] += coarse->now[cell(coarse, (i + 1) / 2, (j + 1) / 2, (k + 1) / 2)];
}

static void cycle(int at) {
  struct level* const l = &levels[at];
  const bool is_last = at + 1 == count;
  for (int i = 0; i < (is_last ? coarsest_sweeps : sweeps); i++) sweep(l);
  if (is_last) return;
  find_residual(l);
  go_coarser(l, l + 1);
  cycle(at + 1);
  correct(l + 1, l);
  for (int i = 0; i < sweeps; i++) sweep(l);
}

// A product of sines, which is zero at the sides.
static double exact(int i, int j, int k) {
  const int at[axes] = {i, j, k};
  double value = 1;
  for (int axis = 0; axis < axes; axis++)
    value *= sin(M_PI * (coordinate[axis] + (at[axis] - 0.5) / levels[0].cells) / pes_along[axis]);
  return value;
}

static void set_right_side(struct level* l) {
  double factor = 0;
  for (int axis = 0; axis < axes; axis++) factor += M_PI * M_PI / pes_along[axis] / pes_along[axis];
  for (int i = 1; i <= l->cells; i++)
    for (int j = 1; j <= l->cells; j++)
      for (int k = 1; k <= l->cells; k++) l->right[cell(l, i, j, k)] = factor * exact(i, j, k);
}

static double largest_error(const struct level* l) {
  static double mine, all;
  mine = 0;
  for (int i = 1; i <= l->cells; i++)
    for (int j = 1; j <= l->cells; j++)
      for (int k = 1; k <= l->cells; k++) mine = fmax(mine, fabs(l->now[cell(l, i, j, k)] - exact(i, j, k)));
  shmem_double_max_reduce(SHMEM_TEAM_WORLD, &all, &mine, 1);
  return all;
}

static double norm_of_residual(struct level* l) {
  static double mine, all;
  mine = find_residual(l);
  shmem_double_sum_reduce(SHMEM_TEAM_WORLD, &all, &mine, 1);
  return sqrt(all);
}

static enum mode mode_named(const char* name) {
  return strcmp(name, "inside") == 0 ? inside : strcmp(name, "together") == 0 ? together : blocking;
}

int main(int argc, char** argv) {
  const int cells = argc > 1 ? atoi(argv[1]) : 16, cycles = argc > 2 ? atoi(argv[2]) : 4;
  if (argc > 3) mode = mode_named(argv[3]);
  shmem_init();
  choose_grid();
  do make_level(&levels[count], cells >> count);
  while (cells >> ++count >= 2 && count < most_levels);
  set_right_side(&levels[0]);
  const double before = norm_of_residual(&levels[0]);
  for (int i = 0; i < cycles; i++) cycle(0);
  const double after = norm_of_residual(&levels[0]), error = largest_error(&levels[0]);
  const bool is_right = error < pow(0.7, cycles) + 4.0 / cells / cells; // of the cycles, and of the cells
  if (shmem_my_pe() == 0) printf("residual %.12g of %.12g, error %.12g\n", after, before, error);
  for (int i = 0; i < count; i++) free_level(&levels[i]);
  shmem_finalize();
  return is_right ? 0 : 1;
}
