// SPDX-License-Identifier: BSD-3-Clause
// A bounded queue on PE 0 that all PEs push to and pop from under one lock, the way that is easy to get right
// and slow. Every item must come out exactly once, and those of one PE in order for each receiver.
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>

enum { capacity = 8, items_each = 200, most_pes = 64 };

static long lock, head, tail, ring[capacity]; // of PE 0
static long received, sum;                    // of PE 0: what all have popped

static int try_push(long item) {
  shmem_set_lock(&lock);
  const long end = shmem_long_g(&tail, 0);
  const int room = end - shmem_long_g(&head, 0) < capacity;
  if (room) {
    shmem_long_p(&ring[end % capacity], item, 0);
    shmem_long_p(&tail, end + 1, 0);
  }
  shmem_clear_lock(&lock);
  return room;
}

static int try_pop(long* item) {
  while (shmem_test_lock(&lock) != 0) {
  }
  const long begin = shmem_long_g(&head, 0);
  const int any = begin < shmem_long_g(&tail, 0);
  if (any) {
    *item = shmem_long_g(&ring[begin % capacity], 0);
    shmem_long_p(&head, begin + 1, 0);
  }
  shmem_clear_lock(&lock);
  return any;
}

static void take(long item, long* last_of) {
  const long from = item / items_each;
  if (item <= last_of[from]) {
    fprintf(stderr, "locked_queue: item %ld came after %ld\n", item, last_of[from]);
    shmem_global_exit(1);
  }
  last_of[from] = item;
  shmem_long_atomic_add(&sum, item, 0);
  shmem_long_atomic_inc(&received, 0);
}

int main(void) {
  shmem_init();
  const long me = shmem_my_pe(), total = (long)shmem_n_pes() * items_each;
  if (shmem_n_pes() > most_pes) {
    if (me == 0) fprintf(stderr, "locked_queue: for %d PEs at most\n", most_pes);
    shmem_finalize();
    return 1;
  }
  long last_of[most_pes];
  for (int i = 0; i < most_pes; ++i) last_of[i] = -1;
  long pushed = 0, item;
  while (pushed < items_each || shmem_long_atomic_fetch(&received, 0) < total) {
    if (pushed < items_each && try_push(me * items_each + pushed)) ++pushed;
    if (try_pop(&item)) take(item, last_of);
  }
  shmem_barrier_all();
  if (me == 0) {
    if (received != total || sum != total * (total - 1) / 2) {
      fprintf(stderr, "locked_queue: %ld of %ld items, sum %ld\n", received, total, sum);
      shmem_global_exit(1);
    }
    printf("locked_queue: %ld items\n", total);
  }
  shmem_finalize();
  return 0;
}
