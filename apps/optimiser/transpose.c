/* SPDX-License-Identifier: BSD-3-Clause */
/* A square matrix whose rows are spread over the PEs, SIZE to each, is transposed: the exchange of a Fourier
 * transform in two dimensions. */
#include "suite.h"

enum { MOST = 64, MOST_PES = 64 };
static double from[MOST][MOST * MOST_PES], to[MOST][MOST * MOST_PES];

static __attribute__((noinline)) void plain(long rows) {
  for (long r = 0; r < rows; r++)
    for (int pe = 0; pe < n_pes; pe++)
      for (long c = 0; c < rows; c++) to[r][pe * rows + c] = shmem_double_g(&from[c][me * rows + r], pe);
}

/* A block of each PE, row by row, turned here. */
static void by_hand(long rows) {
  static double block[MOST_PES][MOST][MOST];
  for (int i = 0; i < n_pes; i++) {
    const int pe = (me + i) % n_pes;
    for (long c = 0; c < rows; c++) shmem_double_get_nbi(block[pe][c], &from[c][me * rows], (size_t)rows, pe);
  }
  shmem_quiet();
  for (long r = 0; r < rows; r++)
    for (int pe = 0; pe < n_pes; pe++)
      for (long c = 0; c < rows; c++) to[r][pe * rows + c] = block[pe][c][r];
}

int main(int argc, char** argv) {
  long size;
  const int hand = begin(argc, argv, &size, MOST);
  uint64_t checksum = 0;
  require_pes(MOST_PES);
  for (long r = 0; r < size; r++)
    for (long c = 0; c < size * n_pes; c++) from[r][c] = (double)((me * size + r) * size * n_pes + c);
  shmem_barrier_all();
  hand ? by_hand(size) : plain(size);
  shmem_barrier_all();
  for (long r = 0; r < size; r++)
    for (long c = 0; c < size * n_pes; c++) {
      if (to[r][c] != (double)(c * size * n_pes + me * size + r)) shmem_global_exit(1);
      checksum ^= mixed((uint64_t)((me * size + r) * size * n_pes + c), (uint64_t)to[r][c]);
    }
  return end(checksum);
}
