/* SPDX-License-Identifier: BSD-3-Clause */
/* A Fourier transform in two dimensions, SIZE rows a PE: the rows, then the columns, for which each row goes
 * to all PEs as soon as it is transformed (the fine grain of the FT benchmark, "pencils"). */
#include <complex.h>
#include <math.h>

#include "suite.h"

enum { MOST = 1 << 6, MOST_PES = 64 };
static double complex image[MOST * MOST * MOST_PES];  /* rows of this PE */
static double complex turned[MOST * MOST * MOST_PES]; /* its columns, as the rows of each PE bring them */
static double complex row[MOST * MOST_PES], root[MOST * MOST_PES];

static void transform(double complex* x, long n) {
  for (long k = 0; k < n; k++) {
    row[k] = 0;
    for (long j = 0; j < n; j++) row[k] += x[j] * root[j * k % n];
  }
  memcpy(x, row, (size_t)n * sizeof *x);
}

static __attribute__((noinline)) void plain(long rows) {
  const long n = rows * n_pes;
  for (long r = 0; r < rows; r++) {
    transform(&image[r * n], n);
    for (int pe = 0; pe < n_pes; pe++)
      shmem_putmem(&turned[(me * rows + r) * rows], &image[r * n + pe * rows], (size_t)rows * sizeof *turned,
                   pe);
  }
}

static void by_hand(long rows) {
  const long n = rows * n_pes;
  for (long r = 0; r < rows; r++) {
    transform(&image[r * n], n);
    for (int pe = 0; pe < n_pes; pe++)
      shmem_putmem_nbi(&turned[(me * rows + r) * rows], &image[r * n + pe * rows],
                       (size_t)rows * sizeof *turned, pe);
  }
}

/* What has come are rows of the image, each as far as it is this PE's. */
static void transform_columns(long rows) {
  static double complex column[MOST * MOST_PES];
  const long n = rows * n_pes;
  for (long c = 0; c < rows; c++) {
    for (long r = 0; r < n; r++) column[r] = turned[r * rows + c];
    transform(column, n);
    for (long r = 0; r < n; r++) turned[r * rows + c] = column[r];
  }
}

int main(int argc, char** argv) {
  long size;
  const int hand = begin(argc, argv, &size, MOST);
  require_pes(MOST_PES);
  const long n = size * n_pes;
  uint64_t state = seed_of(me), checksum = 0;
  for (long k = 0; k < n; k++) root[k] = cexp(-2 * acos(-1.0) * I * (double)k / (double)n);
  for (long i = 0; i < size * n; i++) image[i] = (double)(next_random(&state) % 1000) / 1000;
  shmem_barrier_all();
  hand ? by_hand(size) : plain(size);
  shmem_barrier_all();
  transform_columns(size);
  for (long i = 0; i < size * n; i++) {
    uint64_t bits[2];
    memcpy(bits, &turned[i], sizeof bits);
    checksum ^= mixed((uint64_t)(me * size * n + i), bits[0] + bits[1]);
  }
  return end(checksum);
}
