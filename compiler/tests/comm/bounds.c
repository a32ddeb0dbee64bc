/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops whose bound each round loads anew: it stays, or the loop changes it. */
#include "told.h"

enum { room = 3000 };
struct matrix {
  long rows, *offsets, *columns;
};
static long symmetric[room], other[room], count, written[room];
static long memory[room];

#define FORM static __attribute__((noinline))

FORM long sum(const struct matrix* m, const long* r, int pe) {
  long s = 0;
  for (long i = 0; i < m->rows; i++) s = 3 * s + shmem_long_g(&r[i], pe);
  return s;
}
FORM void collect(const struct matrix* m, long* to, const long* r, int pe) {
  for (long i = 0; i < m->rows; i++) to[i] = shmem_long_g(&r[i], pe);
}
FORM void columns(const struct matrix* m, const long* r, int pes) {
  for (long i = 0; i < m->rows; i++)
    for (long k = m->offsets[i]; k < m->offsets[i + 1]; k++)
      m->columns[k] = shmem_long_g(&r[m->columns[k] / pes], (int)(m->columns[k] % pes));
}
FORM void send(const struct matrix* m, long* to, int pe) {
  for (long i = 0; i < m->rows; i++) shmem_long_p(&to[i], i * 7, pe);
}
/* The bound is among what is stored. */
FORM long stop_early(long* to, const long* bound, const long* r, int pe) {
  long i = 0;
  do to[i] = shmem_long_g(&r[i], pe);
  while (++i < *bound);
  return i;
}
FORM long count_up(long* bound, const long* r, int pe) {
  long s = 0;
  for (long i = 0; i < *bound; i++) {
    s = 3 * s + shmem_long_g(&r[i], pe);
    if (i < 30) ++*bound;
  }
  return s;
}

int main(void) {
  shmem_init();
  const int me = shmem_my_pe(), pes = shmem_n_pes(), next = (me + 1) % pes;
  static long offsets[101], column[room];
  struct matrix m = {room, offsets, column};
  for (int i = 0; i < room; i++) {
    symmetric[i] = 50 + (i * 37 + me) % 100;
    other[i] = symmetric[i];
    column[i] = i * 13 % room;
  }
  for (int i = 0; i <= 100; i++) offsets[i] = i * 30 - i % 2;
  shmem_barrier_all();
  tell("sum", (uint64_t)sum(&m, symmetric, next));
  collect(&m, memory, symmetric, next);
  tell_memory("collect", memory, sizeof memory);
  send(&m, written, next);
  tell_memory("send", written, sizeof written);
  m.rows = 100;
  columns(&m, symmetric, pes);
  tell_memory("columns", column, sizeof column);
  memory[25] = 1000;
  tell("stop early", (uint64_t)stop_early(memory, &memory[25], symmetric, next));
  memory[0] = 5;
  tell("at once", (uint64_t)stop_early(memory, &memory[0], symmetric, next));
  count = 100;
  tell("count up", (uint64_t)count_up(&count, symmetric, next));
  shmem_finalize();
}
