/* SPDX-License-Identifier: BSD-3-Clause */
/* Forces between SIZE bodies a PE by the method of Barnes and Hut, in two dimensions: each PE has the tree of
 * its bodies, and walks those of all. After the program of SPLASH-2, where a walk is a recursion too. */
#include <math.h>

#include "suite.h"

enum { MOST = 1 << 12, ARMS = 4 };
static const double opening = 0.25, softening = 1e-4; /* squares of a ratio, and of a distance */

/* A square, or a body whose side is 0; the root is cell 0, and 0 says that there is no child. */
typedef struct {
  double mass, x, y, side;
  int64_t child[ARMS];
} cell;

typedef struct {
  double mass, x, y;
} body;

static cell cells[4 * MOST];
static long n_cells;
static body bodies[MOST];

/* Puts those of one quarter first; how many they are. */
static long part(body* all, long n, double x, double y, int quarter) {
  long front = 0;
  for (long i = 0; i < n; i++) {
    if ((all[i].x >= x) + 2 * (all[i].y >= y) != quarter) continue;
    const body one = all[i];
    all[i] = all[front];
    all[front++] = one;
  }
  return front;
}

/* The tree of bodies in the square of this side whose lower corner is (x, y); its cell. */
static int64_t build(body* all, long n, double x, double y, double side) {
  const long at = n_cells++;
  cell* const c = &cells[at];
  *c = (cell){.mass = all->mass, .x = all->x, .y = all->y};
  if (n == 1) return at;
  *c = (cell){.side = side};
  const double half = side / 2;
  for (int quarter = 0; quarter < ARMS; quarter++) {
    const long some = part(all, n, x + half, y + half, quarter);
    n -= some;
    if (some == 0) continue;
    c->child[quarter] = build(all, some, x + half * (quarter % 2), y + half * (quarter / 2), half);
    all += some;
    const cell* const one = &cells[c->child[quarter]];
    c->x = (c->mass * c->x + one->mass * one->x) / (c->mass + one->mass);
    c->y = (c->mass * c->y + one->mass * one->y) / (c->mass + one->mass);
    c->mass += one->mass;
  }
  return at;
}

static void plain_fetch(cell* c, int64_t at, int pe) {
  c->mass = shmem_double_g(&cells[at].mass, pe);
  c->x = shmem_double_g(&cells[at].x, pe);
  c->y = shmem_double_g(&cells[at].y, pe);
  c->side = shmem_double_g(&cells[at].side, pe);
  for (int arm = 0; arm < ARMS; arm++) c->child[arm] = shmem_int64_g(&cells[at].child[arm], pe);
}

static void by_hand_fetch(cell* c, int64_t at, int pe) {
  shmem_getmem(c, &cells[at], sizeof *c, pe);
}

/* Adds to `force` what the cell, or what is in it, does to a body. */
static void walk(double force[2], const body* on, int64_t at, int pe, int hand) {
  cell c;
  hand ? by_hand_fetch(&c, at, pe) : plain_fetch(&c, at, pe);
  const double x = c.x - on->x, y = c.y - on->y, square = x * x + y * y + softening;
  if (c.side * c.side < opening * square) {
    const double pull = c.mass / (square * sqrt(square));
    force[0] += pull * x;
    force[1] += pull * y;
    return;
  }
  for (int arm = 0; arm < ARMS; arm++)
    if (c.child[arm]) walk(force, on, c.child[arm], pe, hand);
}

int main(int argc, char** argv) {
  long size;
  const int hand = begin(argc, argv, &size, MOST);
  uint64_t state = seed_of(me), checksum = 0;
  for (long i = 0; i < size; i++) {
    bodies[i].mass = 1 + (double)(next_random(&state) % 100);
    bodies[i].x = me + (double)(next_random(&state) >> 11) * 0x1p-53;
    bodies[i].y = (double)(next_random(&state) >> 11) * 0x1p-53;
  }
  build(bodies, size, me, 0, 1);
  shmem_barrier_all();
  for (long i = 0; i < size; i++) {
    double force[2] = {0};
    for (int step = 0; step < n_pes; step++) walk(force, &bodies[i], 0, (me + step) % n_pes, hand);
    uint64_t bits[2];
    memcpy(bits, force, sizeof bits);
    checksum ^= mixed((uint64_t)(me * size + i), bits[0] ^ mixed(1, bits[1]));
  }
  return end(checksum);
}
