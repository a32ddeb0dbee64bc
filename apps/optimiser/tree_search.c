/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts the nodes of a random tree whose root, on PE 0, has SIZE children. Who has nothing left looks for a
 * PE with nodes to give, and takes some of them under a lock. After the Unbalanced Tree Search benchmark. */
#include <stddef.h>

#include "suite.h"

enum { MOST = 1 << 12, MOST_NODES = 1 << 14, MOST_PES = 256, SOME = 16 };
/* What a PE has to give: nodes first … first + available - 1. */
static struct {
  long available, first;
  uint64_t node[MOST_NODES];
} given;
static long lock[MOST_PES], idle;
static uint64_t own[MOST_NODES];
static long left, found;

static uint64_t child_of(uint64_t node, int i) {
  return mixed(node, (uint64_t)i + 1);
}

/* Four children or none, 0.96 in the mean, so that the tree ends. */
static void visit(uint64_t node) {
  found++;
  if (node % 100 >= 24) return;
  for (int i = 0; i < 4; i++) own[left++] = child_of(node, i);
}

/* Gives the oldest of its own nodes, if it has many and others have taken what it gave. They may be at it. */
static void give_some(void) {
  if (left < 4 * SOME || shmem_long_atomic_fetch(&given.available, me) > 0) return;
  shmem_set_lock(&lock[me]);
  memcpy(given.node, own, SOME * sizeof *own);
  given.first = 0;
  given.available = SOME;
  shmem_clear_lock(&lock[me]);
  left -= SOME;
  memmove(own, own + SOME, (size_t)left * sizeof *own);
}

/* Takes half of what `pe` gives; how many. */
static __attribute__((noinline)) long take_plain(int pe) {
  if (shmem_long_g(&given.available, pe) == 0) return 0;
  shmem_set_lock(&lock[pe]);
  const long available = shmem_long_g(&given.available, pe);
  const long first = shmem_long_g(&given.first, pe);
  const long taken = (available + 1) / 2;
  for (long i = 0; i < taken; i++) own[left + i] = shmem_uint64_g(&given.node[first + i], pe);
  shmem_long_p(&given.first, first + taken, pe);
  shmem_long_p(&given.available, available - taken, pe);
  shmem_quiet();
  shmem_clear_lock(&lock[pe]);
  left += taken;
  return taken;
}

static long take_by_hand(int pe) {
  if (shmem_long_g(&given.available, pe) == 0) return 0;
  shmem_set_lock(&lock[pe]);
  long both[2];
  shmem_long_get(both, &given.available, 2, pe); /* they lie side by side */
  const long taken = (both[0] + 1) / 2;
  if (taken > 0) {
    shmem_uint64_get(&own[left], &given.node[both[1]], (size_t)taken, pe);
    both[1] += taken;
    both[0] -= taken;
    shmem_long_put(&given.available, both, 2, pe);
    shmem_quiet();
  }
  shmem_clear_lock(&lock[pe]);
  left += taken;
  return taken;
}

static long take(int pe, int hand) {
  return hand ? take_by_hand(pe) : take_plain(pe);
}

/* A PE is idle when it has nothing, and gives nothing. When all are, nobody will have anything. */
static void search(int hand) {
  for (;;) {
    while (left > 0) {
      visit(own[--left]);
      give_some();
    }
    if (take(me, hand) > 0) continue;
    shmem_long_atomic_inc(&idle, 0);
    int victim = me;
    for (;;) {
      if (shmem_long_atomic_fetch(&idle, 0) == n_pes) return;
      victim = (victim + 1) % n_pes;
      if (victim == me || shmem_long_g(&given.available, victim) == 0) continue;
      shmem_long_atomic_add(&idle, -1, 0);
      if (take(victim, hand) > 0) break;
      shmem_long_atomic_inc(&idle, 0);
    }
  }
}

int main(int argc, char** argv) {
  long size;
  const int hand = begin(argc, argv, &size, MOST);
  require_pes(MOST_PES);
  for (long i = 0; me == 0 && i < size; i++) own[left++] = child_of(42, (int)i);
  shmem_barrier_all();
  search(hand);
  shmem_barrier_all();
  static long mine, all;
  mine = found;
  shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &all, &mine, 1);
  return end(me == 0 ? (uint64_t)all : 0);
}
