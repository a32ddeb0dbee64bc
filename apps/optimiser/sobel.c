/* SPDX-License-Identifier: BSD-3-Clause */
/* Edges of an image of SIZE columns whose rows are spread over the PEs in blocks. */
#include "suite.h"

enum { ROWS = 16, COLUMNS = 1024 };
static int image[ROWS][COLUMNS], edges[ROWS][COLUMNS];

static inline int pixel(long row, long column) {
  return shmem_int_g(&image[row % ROWS][column], (int)(row / ROWS));
}

static inline int gradient(int nw, int n, int ne, int w, int e, int sw, int s, int se) {
  return abs(ne + 2 * e + se - nw - 2 * w - sw) + abs(sw + 2 * s + se - nw - 2 * n - ne);
}

static __attribute__((noinline)) void plain(long columns) {
  const long first = (long)me * ROWS, last = (long)n_pes * ROWS - 1;
  for (long r = first > 0 ? first : 1; r < first + ROWS && r < last; r++)
    for (long c = 1; c < columns - 1; c++)
      edges[r % ROWS][c] =
          gradient(pixel(r - 1, c - 1), pixel(r - 1, c), pixel(r - 1, c + 1), pixel(r, c - 1),
                   pixel(r, c + 1), pixel(r + 1, c - 1), pixel(r + 1, c), pixel(r + 1, c + 1));
}

static void by_hand(long columns) {
  static int halo[2][COLUMNS];
  if (me > 0) shmem_int_get_nbi(halo[0], image[ROWS - 1], (size_t)columns, me - 1);
  if (me < n_pes - 1) shmem_int_get_nbi(halo[1], image[0], (size_t)columns, me + 1);
  shmem_quiet();
  for (long r = me > 0 ? 0 : 1; r < (me < n_pes - 1 ? ROWS : ROWS - 1); r++) {
    const int *above = r > 0 ? image[r - 1] : halo[0], *here = image[r];
    const int* below = r < ROWS - 1 ? image[r + 1] : halo[1];
    for (long c = 1; c < columns - 1; c++)
      edges[r][c] = gradient(above[c - 1], above[c], above[c + 1], here[c - 1], here[c + 1], below[c - 1],
                             below[c], below[c + 1]);
  }
}

int main(int argc, char** argv) {
  long size;
  const int hand = begin(argc, argv, &size, COLUMNS);
  uint64_t state = seed_of(me), checksum = 0;
  for (long r = 0; r < ROWS; r++)
    for (long c = 0; c < size; c++) image[r][c] = (int)(next_random(&state) % 256);
  shmem_barrier_all();
  hand ? by_hand(size) : plain(size);
  for (long r = 0; r < ROWS; r++)
    for (long c = 0; c < size; c++)
      checksum ^= mixed((uint64_t)((me * ROWS + r) * COLUMNS + c), (uint64_t)edges[r][c]);
  return end(checksum);
}
