// SPDX-License-Identifier: BSD-3-Clause
// Heat on a torus, in 2-D blocks: each PE sends its four borders with put_signal into double-buffered halos
// and waits for those of its neighbours, without any barrier. Verified against the same computation on one
// PE, element by element.   stencil [STEPS]
#include <math.h>
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { side = 24, from_west = 0, from_east, from_north, from_south, directions };

typedef double field[side + 2][side + 2];

static double halo[2][directions][side]; ///< by parity of the step
static uint64_t arrived[2][directions];  ///< the step of what is in the halo
static long long done[directions];       ///< the last step that the neighbour has finished reading

typedef struct {
  int rows, columns, row, column;
  int neighbour[directions];
} place;

static place find_place(int me, int pes) {
  place p = {.rows = 1};
  for (int r = 1; r * r <= pes; ++r)
    if (pes % r == 0) p.rows = r;
  p.columns = pes / p.rows;
  p.row = me / p.columns;
  p.column = me % p.columns;
  p.neighbour[from_west] = p.row * p.columns + (p.column + p.columns - 1) % p.columns;
  p.neighbour[from_east] = p.row * p.columns + (p.column + 1) % p.columns;
  p.neighbour[from_north] = (p.row + p.rows - 1) % p.rows * p.columns + p.column;
  p.neighbour[from_south] = (p.row + 1) % p.rows * p.columns + p.column;
  return p;
}

static int opposite(int direction) {
  return direction ^ 1;
}

static double initial(int y, int x) {
  return sin(0.3 * y) + cos(0.2 * x) + 0.01 * y * x;
}

static double border(field f, int direction, int i) {
  switch (direction) {
    case from_west:
      return f[i + 1][1];
    case from_east:
      return f[i + 1][side];
    case from_north:
      return f[1][i + 1];
    default:
      return f[side][i + 1];
  }
}

static void set_halo(field f, int direction, int i, double value) {
  switch (direction) {
    case from_west:
      f[i + 1][0] = value;
      return;
    case from_east:
      f[i + 1][side + 1] = value;
      return;
    case from_north:
      f[0][i + 1] = value;
      return;
    default:
      f[side + 1][i + 1] = value;
  }
}

static void exchange(field f, const place* p, uint64_t step) {
  const int parity = (int)(step % 2);
  for (int d = 0; d < directions; ++d) {
    double line[side];
    for (int i = 0; i < side; ++i) line[i] = border(f, d, i);
    // The halo of this parity may be written when the neighbour has finished the step before the last one.
    if (step > 2) shmem_longlong_wait_until(&done[d], SHMEM_CMP_GE, (long long)step - 2);
    shmem_double_put_signal(halo[parity][opposite(d)], line, side, &arrived[parity][opposite(d)], step,
                            SHMEM_SIGNAL_SET, p->neighbour[d]);
  }
  for (int d = 0; d < directions; ++d) {
    shmem_signal_wait_until(&arrived[parity][d], SHMEM_CMP_EQ, step);
    for (int i = 0; i < side; ++i) set_halo(f, d, i, halo[parity][d][i]);
    shmem_longlong_p(&done[opposite(d)], (long long)step, p->neighbour[d]);
  }
  shmem_fence(); // the next step's comes behind it
}

static void advance(field from, field to) {
  for (int y = 1; y <= side; ++y)
    for (int x = 1; x <= side; ++x)
      to[y][x] = 0.2 * (from[y][x] + from[y - 1][x] + from[y + 1][x] + from[y][x - 1] + from[y][x + 1]);
}

// The whole torus, computed alone.
static double* compute_alone(const place* p, int steps) {
  const int height = p->rows * side, width = p->columns * side;
  double* now = malloc((size_t)(height * width) * sizeof *now);
  double* then = malloc((size_t)(height * width) * sizeof *then);
  for (int i = 0; i < height * width; ++i) now[i] = initial(i / width, i % width);
  for (int step = 0; step < steps; ++step) {
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x)
        then[y * width + x] =
            0.2 * (now[y * width + x] + now[(y + height - 1) % height * width + x] +
                   now[(y + 1) % height * width + x] + now[y * width + (x + width - 1) % width] +
                   now[y * width + (x + 1) % width]);
    double* const swap = now;
    now = then;
    then = swap;
  }
  free(then);
  return now;
}

static int count_wrong(field f, const place* p, int steps) {
  double* const wanted = compute_alone(p, steps);
  int wrong = 0;
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x)
      wrong += fabs(f[y + 1][x + 1] -
                    wanted[(p->row * side + y) * p->columns * side + p->column * side + x]) > 1e-9;
  free(wanted);
  return wrong;
}

int main(int argc, char** argv) {
  const int steps = argc > 1 ? atoi(argv[1]) : 200;
  shmem_init();
  if (steps < 0) {
    if (shmem_my_pe() == 0) fprintf(stderr, "stencil: STEPS is 0 or more\n");
    shmem_finalize();
    return 1;
  }
  const place p = find_place(shmem_my_pe(), shmem_n_pes());
  static field fields[2];
  for (int y = 0; y < side; ++y)
    for (int x = 0; x < side; ++x) fields[0][y + 1][x + 1] = initial(p.row * side + y, p.column * side + x);
  shmem_barrier_all();
  for (int step = 1; step <= steps; ++step) {
    exchange(fields[(step - 1) % 2], &p, (uint64_t)step);
    advance(fields[(step - 1) % 2], fields[step % 2]);
  }
  const int wrong = count_wrong(fields[steps % 2], &p, steps);
  if (wrong != 0) {
    fprintf(stderr, "stencil: %d wrong elements on PE %d\n", wrong, shmem_my_pe());
    shmem_global_exit(1);
  }
  shmem_barrier_all();
  if (shmem_my_pe() == 0) printf("stencil: %d steps on %d x %d PEs\n", steps, p.rows, p.columns);
  shmem_finalize();
  return 0;
}
