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
/* What says how many is not there where the loop ends before it is asked. */
FORM long until(const struct matrix* m, const long* stop, const long* r, int pe) {
  long s = 0, i = 0;
  do {
    s = 3 * s + shmem_long_g(&r[i], pe);
    if (stop[i]) return s;
  } while (++i < m->rows);
  return s;
}
/* The bound and the PE are loaded again only in rounds that call the library. */
static int begin[101], me_too;
FORM long here_or_there(const long* r, int rows, int per) {
  long s = 0;
  for (int i = 0; i < rows; i++)
    for (int k = begin[i]; k < begin[i + 1]; k++) {
      const long at = memory[k] % per;
      s = 3 * s + (memory[k] / per == me_too ? 7 * r[at] : shmem_long_g(&r[at], (int)(memory[k] / per)));
    }
  return s;
}
/* Of a narrower type than the counter, among what is stored. */
FORM long narrow(int* to, const int* bound, const int* r, int pe) {
  long i = 0;
  for (; i < *bound; i++) to[i] = shmem_int_g(&r[i], pe);
  return i;
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
  static long stop[10] = {1}, later[10] = {0, 0, 0, 0, 0, 1};
  tell("until at once", (uint64_t)until(NULL, stop, symmetric, next));
  tell("until later", (uint64_t)until(&m, later, symmetric, next));
  for (int i = 0; i <= 100; i++) begin[i] = i * 20 - i % 2;
  for (int i = 0; i < room; i++) memory[i] = i * 131 % (100 * pes);
  me_too = me;
  tell("here or there", (uint64_t)here_or_there(symmetric, 100, 100));
  static int ints[room], copies[room];
  for (int i = 0; i < room; i++) ints[i] = 40 + (i + me) % 50, copies[i] = 200;
  shmem_barrier_all();
  tell("narrow", (uint64_t)narrow(copies, &copies[100], ints, next));
  tell_memory("narrow's", copies, sizeof copies);
  const int bound = 500;
  tell("narrow, apart", (uint64_t)narrow(copies, &bound, ints, next));
  tell_memory("narrow's, apart", copies, sizeof copies);
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
