/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops of the kinds that simulation codes have: stencils, matrices, sparse matrices, particles, graphs,
 * transforms. Each is written as its author would: with the indices that the mathematics has, globals,
 * two-dimensional arrays, and distribution arithmetic in place.
 */
#include <complex.h>
#include <math.h>

#include "told.h"

#define FORM static __attribute__((noinline))
enum { N = 48, NX = 24, NY = 20, NZ = 6, M = 512, HIST = 64 };

static double u[N + 2][N + 2], unew[N + 2][N + 2], halo[N + 2];
static double cube[NZ][NY][NX], faces[2][NZ][NY];
static double A[N][N], B[N][N], C[N][N], At[4 * N][N];
static double xloc[M], yloc[M], val[8 * M], dots[8];
static int rowptr[M + 1], col[8 * M], perm[M], level[M], parent[M], depth[M];
static float signal_f[M], filtered[M];
static double complex spec[M], spec_out[M];
static struct particle {
  double x[3], v[3], m;
  int id;
} part[M], gathered[M];
static long hist[HIST], keys[M], sorted[4 * M], counts[4], offsets[4];
static unsigned char grid[N][N], next_grid[N][N], text[M];
static int lattice[9][N], streamed[9][N], labels[M];
static double fine[2 * M + 1], coarse[M + 1];
static short image[N][N];
static int edges[N][N];
static struct cell {
  int count;
  int first;
  float weight;
} cells[M];
static int next_of[M];
static double pivot_row[N];
static int nrows;
static int me, npes;

/* 1. Halo of a two-dimensional grid, element by element. */
FORM void halo_rows(void) {
  int up = (me + 1) % npes, down = (me + npes - 1) % npes;
  for (int j = 1; j <= N; j++) u[0][j] = shmem_double_g(&u[N][j], down);
  for (int j = 1; j <= N; j++) u[N + 1][j] = shmem_double_g(&u[1][j], up);
}
/* 2. Columns of it, which are not contiguous. */
FORM void halo_columns(void) {
  int left = (me + npes - 1) % npes;
  for (int i = 1; i <= N; i++) halo[i] = shmem_double_g(&u[i][N], left);
  for (int i = 1; i <= N; i++) u[i][0] = halo[i];
}
/* 3. Pushed halo. */
FORM void push_halo(int to) {
  for (int j = 0; j < N + 2; j++) shmem_double_p(&unew[0][j], u[N][j], to);
}
/* 4. Jacobi whose last row is in another PE. */
FORM double jacobi(int below) {
  double diff = 0;
  for (int i = 1; i <= N; i++)
    for (int j = 1; j <= N; j++) {
      double south = i == N ? shmem_double_g(&u[1][j], below) : u[i + 1][j];
      unew[i][j] = 0.25 * (u[i - 1][j] + south + u[i][j - 1] + u[i][j + 1]);
      diff += fabs(unew[i][j] - u[i][j]);
    }
  return diff;
}
/* 5. A face of a cube: k and j, with the plane's stride. */
FORM void face(int from) {
  for (int k = 0; k < NZ; k++)
    for (int j = 0; j < NY; j++) faces[0][k][j] = shmem_double_g(&cube[k][j][NX - 1], from);
  for (int k = 0; k < NZ; k++)
    for (int j = 0; j < NY; j++) shmem_double_p(&faces[1][k][j], cube[k][j][0], from);
}
/* 6. A block of a matrix. */
FORM void block(double (*dest)[N], int i0, int i1, int j0, int j1, int from) {
  for (int i = i0; i < i1; i++)
    for (int j = j0; j < j1; j++) dest[i][j] = shmem_double_g(&A[i][j], from);
}
/* 7. C = A * B where B's rows are cyclic over the PEs. */
FORM void matmul(void) {
  for (int i = 0; i < N / 4; i++)
    for (int j = 0; j < N; j++) {
      double s = 0;
      for (int k = 0; k < N; k++) s += A[i][k] * shmem_double_g(&B[k / npes][j], k % npes);
      C[i][j] = s;
    }
}
/* 8. Transpose by puts: element (i, j) goes to PE j % npes. */
FORM void transpose(void) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) shmem_double_p(&At[me * N + j / npes][i], A[i][j], j % npes);
}
/* 9. Sparse matrix times vector, x distributed by blocks. */
FORM void spmv(int per_pe) {
  for (int i = 0; i < nrows; i++) {
    double sum = 0.0;
    for (int k = rowptr[i]; k < rowptr[i + 1]; k++) {
      int c = col[k];
      sum += val[k] * shmem_double_g(&xloc[c % per_pe], c / per_pe);
    }
    yloc[i] = sum;
  }
}
/* 10. The same with what is here read from here. */
FORM void spmv_local(int per_pe) {
  for (int i = 0; i < nrows; i++) {
    double sum = 0.0;
    for (int k = rowptr[i]; k < rowptr[i + 1]; k++) {
      int owner = col[k] / per_pe, at = col[k] % per_pe;
      double x = owner == me ? xloc[at] : shmem_double_g(&xloc[at], owner);
      sum += val[k] * x;
    }
    yloc[i] = sum;
  }
}
/* 11. Dot products of all PEs, summed by each. */
FORM double sum_of_all(void) {
  double s = 0;
  for (int p = 0; p < npes; p++) s += shmem_double_g(&dots[0], p);
  return s;
}
/* 12. All norms, of all PEs, in two loops. */
FORM double norms(void) {
  double s = 0;
  for (int p = 0; p < npes; p++)
    for (int i = 0; i < M; i++) {
      double v = shmem_double_g(&xloc[i], p);
      s += v * v;
    }
  return sqrt(s);
}
/* 13. Pivot search in another PE's column, then its row. */
FORM int pivot(int owner, int c) {
  int best = c;
  double largest = fabs(shmem_double_g(&A[c][c], owner));
  for (int i = c + 1; i < N; i++) {
    double a = fabs(shmem_double_g(&A[i][c], owner));
    if (a > largest) {
      largest = a;
      best = i;
    }
  }
  for (int j = c; j < N; j++) pivot_row[j] = shmem_double_g(&A[best][j], owner);
  return best;
}
/* 14. Elimination with a row of another PE read on the way. */
FORM void eliminate(int k, int owner) {
  for (int i = k + 1; i < N; i++) {
    double f = C[i][k] / 3.0;
    for (int j = k; j < N; j++) C[i][j] -= f * shmem_double_g(&A[k][j], owner);
  }
}
/* 15. Floyd-Warshall: row k of its owner. */
FORM void shortest(int k, int owner) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      int through = edges[i][k] + shmem_int_g(&edges[k][j], owner);
      if (through < edges[i][j]) edges[i][j] = through;
    }
}
/* 16. Forces on the particles here of those of another PE. */
FORM void forces(double (*f)[3], int n, int from) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double d[3], r2 = 1e-3;
      for (int c = 0; c < 3; c++) {
        d[c] = shmem_double_g(&part[j].x[c], from) - part[i].x[c];
        r2 += d[c] * d[c];
      }
      double w = shmem_double_g(&part[j].m, from) / (r2 * sqrt(r2));
      for (int c = 0; c < 3; c++) f[i][c] += w * d[c];
    }
}
/* 17. Whole structures, by index. */
FORM void collect_particles(int n) {
  for (int i = 0; i < n; i++)
    shmem_getmem(&gathered[i], &part[perm[i]], sizeof(struct particle), perm[i] % npes);
}
/* 18. Particles that leave are written to the neighbour, packed. */
FORM int migrate(int n, int to) {
  int sent = 0;
  for (int i = 0; i < n; i++)
    if (part[i].x[0] > 0.5) {
      shmem_putmem(&gathered[sent], &part[i], sizeof part[i], to);
      sent++;
    }
  return sent;
}
/* 19. Histogram over all PEs. */
FORM void histogram(void) {
  for (int i = 0; i < M; i++) {
    int bin = (int)(keys[i] % (HIST * npes));
    shmem_long_atomic_inc(&hist[bin / npes], bin % npes);
  }
}
/* 20. Tallies of a random walk, with weights. */
FORM void tally(int steps) {
  unsigned state = 12345u + (unsigned)me;
  for (int s = 0; s < steps; s++) {
    state = state * 1103515245u + 12345u;
    int cell = (int)((state >> 16) % HIST);
    int owner = (int)((state >> 8) % (unsigned)npes);
    shmem_long_atomic_add(&hist[cell], (long)(state & 7), owner);
  }
}
/* 21. Counting sort: where my keys begin in each bucket, then permutation. */
FORM void count_and_place(void) {
  for (int p = 0; p < npes; p++) {
    long at = 0;
    for (int q = 0; q < me; q++) at += shmem_long_g(&counts[p], q);
    offsets[p] = at;
  }
  for (int i = 0; i < M; i++) {
    int p = (int)(keys[i] % npes);
    shmem_long_p(&sorted[offsets[p]++], keys[i], p);
  }
}
/* 22. Life on a torus, rows over PEs. */
FORM void life(void) {
  int above = (me + npes - 1) % npes;
  for (int j = 0; j < N; j++) {
    int around = 0;
    for (int d = -1; d <= 1; d++) around += shmem_uchar_g(&grid[N - 1][(j + d + N) % N], above);
    around += grid[0][(j + 1) % N] + grid[0][(j + N - 1) % N];
    for (int d = -1; d <= 1; d++) around += grid[1][(j + d + N) % N];
    next_grid[0][j] = (unsigned char)(around == 3 || (around == 2 && grid[0][j]));
  }
}
/* 23. Lattice Boltzmann: directions stream to the neighbour. */
FORM void stream(int to) {
  for (int q = 0; q < 9; q++)
    for (int x = 0; x < N; x++) {
      int dx = (x + q % 3 - 1 + N) % N;
      shmem_int_p(&streamed[q][dx], lattice[q][x], to);
    }
}
/* 24. Multigrid: restriction from, and prolongation to, another PE's fine grid. */
FORM void restrict_from(int from) {
  for (int i = 1; i < M; i++)
    coarse[i] = 0.25 * shmem_double_g(&fine[2 * i - 1], from) + 0.5 * shmem_double_g(&fine[2 * i], from) +
                0.25 * shmem_double_g(&fine[2 * i + 1], from);
}
FORM void prolong_to(int to) {
  for (int i = 0; i < M; i++) {
    shmem_double_p(&fine[2 * i], coarse[i], to);
    shmem_double_p(&fine[2 * i + 1], 0.5 * (coarse[i] + coarse[i + 1]), to);
  }
}
/* 25. Sobel's edges with the row below in another PE. */
FORM void sobel(int below) {
  for (int j = 1; j < N - 1; j++) {
    int gx = image[N - 2][j + 1] - image[N - 2][j - 1] + 2 * (image[N - 1][j + 1] - image[N - 1][j - 1]) +
             shmem_short_g(&image[0][j + 1], below) - shmem_short_g(&image[0][j - 1], below);
    int gy = shmem_short_g(&image[0][j - 1], below) + 2 * shmem_short_g(&image[0][j], below) +
             shmem_short_g(&image[0][j + 1], below) - image[N - 2][j - 1] - 2 * image[N - 2][j] -
             image[N - 2][j + 1];
    edges[0][j] = abs(gx) + abs(gy);
  }
}
/* 26. Bit reversal of a transform over all PEs. */
FORM void bit_reverse(int bits) {
  for (unsigned i = 0; i < M; i++) {
    unsigned r = 0;
    for (int b = 0; b < bits; b++) r |= ((i >> b) & 1u) << (bits - 1 - b);
    double complex v;
    shmem_getmem(&v, &spec[r], sizeof v, (int)(r % (unsigned)npes));
    spec_out[i] = v * (double)i;
  }
}
/* 27. A butterfly with the partner's half. */
FORM void butterfly(int partner, int half) {
  const double* theirs = (const double*)spec;
  for (int k = 0; k < half; k++) {
    double re = shmem_double_g(&theirs[2 * k], partner), im = shmem_double_g(&theirs[2 * k + 1], partner);
    double c = cos(0.01 * k), s = sin(0.01 * k);
    spec_out[k] = spec[k] + (c * re - s * im) + I * (s * re + c * im);
  }
}
/* 28. A filter over a signal whose tail is elsewhere. */
FORM void convolve(const float* w, int taps, int right) {
  for (int i = 0; i < M; i++) {
    float acc = 0;
    for (int t = 0; t < taps; t++) {
      int at = i + t;
      acc += w[t] * (at < M ? signal_f[at] : shmem_float_g(&signal_f[at - M], right));
    }
    filtered[i] = acc;
  }
}
/* 29. Breadth-first search: levels of neighbours that may be elsewhere. */
FORM int relax_levels(int now) {
  int changed = 0;
  for (int v = 0; v < nrows; v++)
    if (level[v] == now)
      for (int k = rowptr[v]; k < rowptr[v + 1]; k++) {
        int w = col[k] % M, owner = w % npes;
        if (shmem_int_g(&depth[w], owner) > now + 1) {
          parent[w] = v;
          changed++;
        }
      }
  return changed;
}
/* 30. Pointer jumping: dependent reads. */
FORM void jump(int rounds) {
  for (int i = 0; i < M; i++) {
    int at = labels[i];
    for (int r = 0; r < rounds; r++) at = shmem_int_g(&next_of[at], at % npes);
    labels[i] = at;
  }
}
/* 31. A linked list over PEs. */
FORM long walk(int from) {
  long s = 0;
  for (int at = next_of[from]; at != 0; at = shmem_int_g(&next_of[at], 0) / 8) s = s * 3 + at;
  return s;
}
/* 32. Cells, then what is in them. */
FORM double neighbours(int c, int owner) {
  double s = 0;
  int n = shmem_int_g(&cells[c].count, owner), first = shmem_int_g(&cells[c].first, owner);
  float w = shmem_float_g(&cells[c].weight, owner);
  for (int k = first; k < first + n; k++) s += w * shmem_double_g(&xloc[k], owner);
  return s;
}
/* 33. First match in another PE's text. */
FORM int find(unsigned char what, int in) {
  for (int i = 0; i < M; i++)
    if (shmem_uchar_g(&text[i], in) == what) return i;
  return -1;
}
/* 34. Comparison until they differ, with while. */
FORM int differ(int with) {
  int i = 0;
  while (i < M && shmem_uchar_g(&text[i], with) == text[i]) i++;
  return i;
}
/* 35. Pointers that walk. */
FORM void copied(double* dest, const double* from, const double* end, int pe) {
  while (from != end) *dest++ = shmem_double_g(from++, pe);
}
/* 36. Backward, do ... while. */
FORM double horner(int n, double x, int pe) {
  double s = 0;
  int i = n;
  do {
    s = s * x + shmem_double_g(&xloc[--i], pe);
  } while (i > 0);
  return s;
}
/* 37. Triangle of a symmetric matrix. */
FORM void triangle(int pe) {
  for (int i = 0; i < N; i++)
    for (int j = 0; j <= i; j++) C[i][j] = C[j][i] = shmem_double_g(&A[i][j], pe);
}
/* 38. Prefix over another PE's array into it: dependence. */
FORM void scan_remote(int pe) {
  for (int i = 1; i < M / 4; i++) {
    shmem_double_p(&yloc[i], shmem_double_g(&yloc[i - 1], pe) + shmem_double_g(&yloc[i], pe), pe);
    shmem_quiet();
  }
}
/* 39. Axpy into another PE: read, add, write. */
FORM void axpy(double a, int pe) {
  for (int i = 0; i < M; i++) shmem_double_p(&yloc[i], shmem_double_g(&yloc[i], pe) + a * xloc[i], pe);
}
/* 40. Chain of matrices: the table's columns are dealt to PEs. */
FORM long chain(int n) {
  static long cost[N][N];
  long best = 0;
  for (int len = 2; len <= n; len++)
    for (int i = 0; i + len <= n; i++) {
      int j = i + len - 1;
      long least = 1l << 40;
      for (int k = i; k < j; k++) {
        long c = cost[i][k] + shmem_long_g(&keys[(k + 1) * 7 % M], j % npes) % 100 + (long)i * k * j % 17;
        if (c < least) least = c;
      }
      cost[i][j] = least;
      best += least;
    }
  return best;
}
/* 41. Strides known at run time only. */
FORM void strided(int n, long stride, int pe) {
  for (int i = 0; i < n; i++) yloc[i] += shmem_double_g(&xloc[i * stride], pe);
}
/* 42. Several arrays in one loop, with a condition on data here. */
FORM void update(double dt, int pe) {
  for (int i = 0; i < M; i++)
    if (perm[i] & 1) {
      yloc[i] += dt * (shmem_double_g(&xloc[i], pe) - shmem_double_g(&fine[i], pe));
      hist[i % HIST]++;
    }
}
/* 43. min and argmin. */
FORM int argmin(int pe) {
  double least = 1e300;
  int at = -1;
  for (int i = 0; i < M; i++)
    if (shmem_double_g(&xloc[i], pe) < least) {
      least = shmem_double_g(&xloc[i], pe);
      at = i;
    }
  return at;
}
/* 44. Ring: from all others in turn, beginning behind me. */
FORM void all_to_all(void) {
  for (int s = 1; s <= npes; s++) {
    int p = (me + s) % npes;
    for (int i = 0; i < M / npes; i++)
      sorted[p * (M / npes) + i] = shmem_long_g(&keys[me * (M / npes) + i], p);
  }
}

static void reset(void) {
  for (int i = 0; i < N + 2; i++)
    for (int j = 0; j < N + 2; j++) u[i][j] = unew[i][j] = i * 3 + j + me * 100;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      A[i][j] = (i * 31 + j * 17 + me) % 23 - 11;
      B[i][j] = (i * 7 + j * 3 + me) % 19;
      C[i][j] = i - j;
      grid[i][j] = (unsigned char)((i * j + i + me) % 3 == 0);
      image[i][j] = (short)((i * 13 + j * 29 + me * 5) % 256);
      edges[i][j] = (i * 11 + j * 5 + me) % 50 + 1;
    }
  for (int k = 0; k < NZ; k++)
    for (int j = 0; j < NY; j++)
      for (int i = 0; i < NX; i++) cube[k][j][i] = k * 1000 + j * 50 + i + me;
  nrows = M;
  for (int i = 0; i <= M; i++) rowptr[i] = 7 * i;
  for (int i = 0; i < 8 * M; i++) {
    col[i] = (i * 37 + me * 11) % (M * npes);
    val[i] = i % 9 - 4;
  }
  for (int i = 0; i < M; i++) {
    xloc[i] = (i * 5 + me) % 101;
    yloc[i] = i % 7;
    perm[i] = (i * 137 + 11) % M;
    level[i] = i % 5;
    depth[i] = (i + me) % 7;
    signal_f[i] = (float)((i * 3 + me) % 40);
    spec[i] = i + me + I * (i % 13);
    for (int c = 0; c < 3; c++) part[i].x[c] = ((i * (c + 2) + me) % 10) / 10.0, part[i].v[c] = c;
    part[i].m = 1 + i % 3;
    part[i].id = i;
    keys[i] = (i * 7919L + me * 31) % 10007;
    text[i] = (unsigned char)(i < 300 ? i % 26 : (i + me) % 26);
    labels[i] = i;
    next_of[i] = (i * 3 + 1) % M;
    cells[i].count = i % 11, cells[i].first = i / 2, cells[i].weight = 0.5f * (float)(i % 4);
    coarse[i] = i * 0.5 + me;
  }
  for (int q = 0; q < 9; q++)
    for (int i = 0; i < N; i++) lattice[q][i] = q * 100 + i + me;
  for (int i = 0; i < 2 * M + 1; i++) fine[i] = i % 11 + me;
  for (int i = 0; i < 8; i++) dots[i] = me * 1.5 + i;
  memset(hist, 0, sizeof hist);
  memset(sorted, 0, sizeof sorted);
  memset(counts, 0, sizeof counts);
  memset(parent, 0, sizeof parent);
  for (int i = 0; i < M; i++) counts[keys[i] % npes]++;
  memset(At, 0, sizeof At);
  memset(faces, 0, sizeof faces);
  shmem_barrier_all();
}

int main(void) {
  shmem_init();
  me = shmem_my_pe(), npes = shmem_n_pes();
  const int next = (me + 1) % npes, previous = (me + npes - 1) % npes;
  reset();
  halo_rows();
  shmem_barrier_all();
  halo_columns();
  tell_memory("halo", u, sizeof u);
  push_halo(next);
  tell_memory("pushed", unew, sizeof unew);
  tell("jacobi", (uint64_t)jacobi(next));
  tell_memory("jacobi grid", unew, sizeof unew);
  face(next);
  tell_memory("face", faces, sizeof faces);
  block(C, 3, 30, 5, 41, previous);
  tell_memory("block", C, sizeof C);
  matmul();
  tell_memory("matmul", C, sizeof C);
  transpose();
  tell_memory("transpose", At, sizeof At);
  spmv(M);
  tell_memory("spmv", yloc, sizeof yloc);
  spmv_local(M);
  tell_memory("spmv local", yloc, sizeof yloc);
  tell("sum", (uint64_t)(sum_of_all() * 8));
  tell("norms", (uint64_t)(norms() * 1e6));
  tell("pivot", (uint64_t)pivot(next, 3));
  tell_memory("pivot row", pivot_row, sizeof pivot_row);
  reset();
  eliminate(2, next);
  tell_memory("eliminated", C, sizeof C);
  static double f[M][3];
  forces(f, 24, previous);
  tell_memory("forces", f, sizeof f);
  collect_particles(M);
  tell_memory("particles", gathered, sizeof gathered);
  tell("migrated", (uint64_t)migrate(M, next));
  tell_memory("migrated", gathered, sizeof gathered);
  histogram();
  tally(3000);
  tell_memory("histogram", hist, sizeof hist);
  count_and_place();
  tell_memory("placed", sorted, sizeof sorted);
  life();
  tell_memory("life", next_grid, sizeof next_grid);
  stream(next);
  tell_memory("stream", streamed, sizeof streamed);
  restrict_from(previous);
  shmem_barrier_all();
  prolong_to(next);
  tell_memory("multigrid", fine, sizeof fine);
  sobel(next);
  tell_memory("sobel", edges, sizeof edges);
  reset();
  if (npes > 1) shortest(5, next);
  tell_memory("shortest", edges, sizeof edges);
  bit_reverse(9);
  tell_memory("reversed", spec_out, sizeof spec_out);
  butterfly(next, M / 2);
  tell_memory("butterfly", spec_out, sizeof spec_out);
  const float w[5] = {0.1f, 0.2f, 0.4f, 0.2f, 0.1f};
  convolve(w, 5, next);
  tell_memory("convolved", filtered, sizeof filtered);
  tell("levels", (uint64_t)relax_levels(2));
  tell_memory("parents", parent, sizeof parent);
  jump(4);
  tell_memory("labels", labels, sizeof labels);
  tell("walk", (uint64_t)walk(7));
  double s = 0;
  for (int c = 0; c < 100; c++) s += neighbours(c, next);
  tell("cells", (uint64_t)(s * 16));
  tell("find", (uint64_t)find(25, next) * 1000 + (uint64_t)find(77, next));
  tell("differ", (uint64_t)differ(next));
  copied(fine, xloc, xloc + M, previous);
  tell_memory("copied", fine, sizeof fine);
  tell("horner", (uint64_t)(horner(20, 1.25, next) * 64));
  triangle(next);
  tell_memory("triangle", C, sizeof C);
  scan_remote(next);
  tell_memory("scan", yloc, sizeof yloc);
  axpy(0.5, next);
  tell_memory("axpy", yloc, sizeof yloc);
  tell("chain", (uint64_t)chain(N));
  shmem_barrier_all();
  strided(M / 8, 7, next);
  strided(M / 8, 1, next);
  update(0.25, previous);
  tell_memory("update", yloc, sizeof yloc);
  tell_memory("hist", hist, sizeof hist);
  tell("argmin", (uint64_t)argmin(next));
  all_to_all();
  tell_memory("all to all", sorted, sizeof sorted);
  shmem_finalize();
  return 0;
}
