/* SPDX-License-Identifier: BSD-3-Clause */
/* Four times SIZE systems of equations with three diagonals, each along a line through all PEs: eliminated
 * from the first PE to the last, and solved on the way back. A PE passes on what it knows of some lines, and
 * goes on with the next. After the solvers of the NAS benchmarks BT and SP. */
#include "suite.h"

enum { MOST = 1 << 12, CELLS = 8, SOME = 20, STEPS = 4 };
typedef struct {
  double above[MOST], value[MOST]; /* of the last cell of each line: its coefficient, and right-hand side */
} border;
static border from_left;
static double from_right[MOST];              /* the solution of its first cell */
static long came_from_left, came_from_right; /* how many lines, of all steps */
static double above[MOST][CELLS], value[MOST][CELLS];

static __attribute__((noinline)) void plain_pass_on(long first, long last) {
  for (long line = first; line < last; line++) {
    shmem_double_p(&from_left.above[line], above[line][CELLS - 1], me + 1);
    shmem_double_p(&from_left.value[line], value[line][CELLS - 1], me + 1);
  }
}

static __attribute__((noinline)) void plain_pass_back(long first, long last) {
  for (long line = first; line < last; line++) shmem_double_p(&from_right[line], value[line][0], me - 1);
}

static void by_hand_pass_on(long first, long last) {
  static border packed;
  for (long line = first; line < last; line++) {
    packed.above[line] = above[line][CELLS - 1];
    packed.value[line] = value[line][CELLS - 1];
  }
  const size_t count = (size_t)(last - first);
  shmem_double_put_nbi(&from_left.above[first], &packed.above[first], count, me + 1);
  shmem_double_put_nbi(&from_left.value[first], &packed.value[first], count, me + 1);
}

static void by_hand_pass_back(long first, long last) {
  static double packed[MOST];
  for (long line = first; line < last; line++) packed[line] = value[line][0];
  shmem_double_put_nbi(&from_right[first], &packed[first], (size_t)(last - first), me - 1);
}

/* The matrix has 4 in its diagonal, and -1 beside it. */
static void eliminate(long line) {
  double before = me > 0 ? from_left.above[line] : 0, known = me > 0 ? from_left.value[line] : 0;
  for (int i = 0; i < CELLS; i++) {
    const double pivot = 4 + before;
    before = above[line][i] = -1 / pivot;
    known = value[line][i] = (value[line][i] + known) / pivot;
  }
}

static void substitute(long line) {
  double behind = me + 1 < n_pes ? from_right[line] : 0;
  for (int i = CELLS - 1; i >= 0; i--) behind = value[line][i] -= above[line][i] * behind;
}

static void forward(long lines, long step, int hand) {
  for (long first = 0; first < lines; first += SOME) {
    const long last = first + SOME < lines ? first + SOME : lines;
    if (me > 0) shmem_long_wait_until(&came_from_left, SHMEM_CMP_GE, step * lines + last);
    for (long line = first; line < last; line++) eliminate(line);
    if (me + 1 == n_pes) continue;
    hand ? by_hand_pass_on(first, last) : plain_pass_on(first, last);
    shmem_fence();
    shmem_long_p(&came_from_left, step * lines + last, me + 1);
  }
}

static void backward(long lines, long step, int hand) {
  for (long first = 0; first < lines; first += SOME) {
    const long last = first + SOME < lines ? first + SOME : lines;
    if (me + 1 < n_pes) shmem_long_wait_until(&came_from_right, SHMEM_CMP_GE, step * lines + last);
    for (long line = first; line < last; line++) substitute(line);
    if (me == 0) continue;
    hand ? by_hand_pass_back(first, last) : plain_pass_back(first, last);
    shmem_fence();
    shmem_long_p(&came_from_right, step * lines + last, me - 1);
  }
}

int main(int argc, char** argv) {
  long size;
  const int hand = begin(argc, argv, &size, MOST);
  uint64_t state = seed_of(me), checksum = 0;
  for (long line = 0; line < size; line++)
    for (int i = 0; i < CELLS; i++) value[line][i] = (double)(next_random(&state) % 1000);
  shmem_barrier_all();
  for (long step = 0; step < STEPS; step++) {
    forward(size, step, hand);
    backward(size, step, hand);
    shmem_barrier_all();
  }
  for (long line = 0; line < size; line++)
    for (int i = 0; i < CELLS; i++) {
      uint64_t bits;
      memcpy(&bits, &value[line][i], sizeof bits);
      checksum ^= mixed((uint64_t)((me * size + line) * CELLS + i), bits);
    }
  return end(checksum);
}
