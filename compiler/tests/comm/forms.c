/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops of each form that is put in strips, of lengths around those of strips. */
#include "told.h"

enum { room = 9000 };
static long longs[room], other_longs[room], sent[room];
static short shorts[room];
static unsigned char bytes[room];
static double doubles[room];
static long double wide[room];
static struct mixed {
  int a;
  float b;
  double c;
} records[room], sent_records[room];

#define FORM static __attribute__((noinline))

FORM long sum(const long* r, long n, int pe) {
  long s = 7;
  for (long i = 0; i < n; i++) s = 31 * s + shmem_long_g(&r[i], pe);
  return s;
}
FORM long stencil(const long* r, unsigned n, int pe) {
  long s = 7;
  for (unsigned i = 1; i < n; i++)
    s = 31 * s + shmem_long_g(&r[i - 1], pe) - 2 * shmem_long_g(&r[i], pe) + shmem_long_g(&r[i + 1], pe);
  return s;
}
FORM long from_behind(const short* r, int n, int pe) {
  long s = 7;
  for (int i = n; i-- > 0;) s = 31 * s + shmem_short_g(&r[i], pe);
  return s;
}
FORM long every_third(const unsigned char* r, int n, int pe) {
  long s = 7;
  for (int i = 0; i < n; i += 3) s = 31 * s + shmem_uchar_g(&r[i], pe);
  return s;
}
FORM long scattered(const double* r, int n, int pe) {
  double s = 7;
  for (int i = 0; i < n / 64; i++) s = s / 3 + shmem_double_g(&r[64 * i + 1], pe);
  return (long)(s * 1000);
}
FORM double members(const struct mixed* r, int n, int pe) {
  double s = 7;
  for (int i = 0; i < n; i++) s = s / 3 + shmem_double_g(&r[i].c, pe) - shmem_int_g(&r[i].a, pe);
  return s;
}
FORM void fill(long* r, const long* from, long n, int pe) {
  for (long i = 0; i < n; i++) shmem_long_p(&r[i], from[i] * 3, pe);
}
FORM void fill_down(short* r, long n, int pe) {
  for (long i = n - 1; i >= 0; i--) shmem_short_p(&r[i], (short)(i * 7), pe);
}
FORM void fill_records(struct mixed* r, int n, int pe) {
  for (int i = 0; i < n; i++) {
    shmem_double_p(&r[i].c, i / 3., pe);
    shmem_int_p(&r[i].a, i, pe);
    shmem_float_p(&r[i].b, (float)-i, pe);
  }
}
FORM void fill_members(struct mixed* r, int n, int pe) {
  for (int i = 0; i < n; i++) {
    shmem_int_p(&r[i].a, i + 5, pe);
    shmem_double_p(&r[i].c, i / 7., pe);
  }
}
FORM void pieces(long* to, const long* r, int n, int pe) {
  for (int i = 0; i < n / 3; i++) shmem_long_get(&to[3 * i], &r[3 * i], 3, pe);
}
FORM void windows(long* to, const long* r, int n, int pe) {
  long two[2];
  for (int i = 0; i < n; i++) {
    shmem_getmem(two, &r[i], sizeof two, pe);
    to[i] = two[0] ^ two[1];
  }
}
FORM void send_pieces(long* r, const long* from, int n, int pe) {
  for (int i = 0; i < n / 2; i++) shmem_putmem(&r[2 * i], &from[n - 2 * i - 2], 2 * sizeof(long), pe);
}
FORM void copy(long* to, const long* r, int n, int pe, int other) {
  for (int i = 0; i < n; i++) shmem_long_p(&to[i], shmem_long_g(&r[i], pe) + i, other);
}
FORM long rows(const long* r, int n, int pe) {
  long s = 0;
  for (int row = 0; row < 5; row++)
    for (int i = 0; i < n / 5; i++) s = 3 * s + shmem_long_g(&r[row * (n / 5) + i], pe);
  return s;
}
/* Ends with a value of the last round, and starts anew with it. */
FORM long last(const long* r, int n, int pe) {
  long before = 0, all = 0;
  int i = 0;
  do {
    all = 5 * all + before;
    before = shmem_long_g(&r[i], pe);
  } while (++i < n);
  return all + before + i;
}
/* Into the memory that is read, if the PE were this one. */
FORM void shift(long* r, int n, int pe) {
  for (int i = 0; i < n; i++) r[i + 1] = shmem_long_g(&r[i], pe);
}
FORM void wide_ones(long double* r, int n, int pe) {
  for (int i = 0; i < n; i++) shmem_longdouble_p(&r[i], i, pe);
}

static void run(long n) {
  const int me = shmem_my_pe(), pes = shmem_n_pes(), next = (me + 1) % pes, second = (me + 2) % pes;
  for (int i = 0; i < room; i++) {
    longs[i] = me * 1000003L + i * i;
    shorts[i] = (short)(me + i * 3);
    bytes[i] = (unsigned char)(me * 5 + i * 7);
    doubles[i] = me + i / 4.;
    records[i] = (struct mixed){i + me, (float)i, i / 2. - me};
  }
  memset(sent, 0, sizeof sent);
  memset(sent_records, 0, sizeof sent_records);
  memset(wide, 0, sizeof wide);
  memset(other_longs, 0, sizeof other_longs);
  shmem_barrier_all();
  printf(me ? "" : "%ld\n", n);
  tell("sum", (uint64_t)sum(longs, n, next));
  tell("stencil", (uint64_t)stencil(longs, (unsigned)n, next));
  tell("from behind", (uint64_t)from_behind(shorts, (int)n, second));
  tell("every third", (uint64_t)every_third(bytes, (int)n, next));
  tell("scattered", (uint64_t)scattered(doubles, (int)n, next));
  tell("members", (uint64_t)(int64_t)(1000 * members(records, (int)n, next)));
  tell("rows", (uint64_t)rows(longs, (int)n, next));
  tell("last", (uint64_t)last(longs, (int)n, next));
  pieces(other_longs, longs, (int)n, next);
  tell_memory("pieces", other_longs, sizeof other_longs);
  windows(other_longs, longs, (int)n, next);
  tell_memory("windows", other_longs, sizeof other_longs);
  fill(sent, longs, n, next);
  tell_memory("fill", sent, sizeof sent);
  send_pieces(sent, longs, (int)n, next);
  tell_memory("send pieces", sent, sizeof sent);
  copy(sent, longs, (int)n, next, second);
  tell_memory("copy", sent, sizeof sent);
  fill_down(shorts, n, next);
  tell_memory("fill down", shorts, sizeof shorts);
  fill_records(sent_records, (int)n, next);
  tell_memory("fill records", sent_records, sizeof sent_records);
  fill_members(sent_records, (int)n, second);
  tell_memory("fill members", sent_records, sizeof sent_records);
  wide_ones(wide, (int)n / 4, next);
  shmem_barrier_all();
  tell("wide", (uint64_t)(wide[n / 8] + wide[n / 4]));
  if (pes > 1) shift(other_longs, (int)n, me); /* of this PE: each round reads what the last one has stored */
  tell_memory("shift", other_longs, sizeof other_longs);
}

int main(void) {
  shmem_init();
  const long lengths[] = {0, 1, 3, 4, 5, 100, 2044, 2048, 2049, 4097, 8200};
  for (unsigned i = 0; i < sizeof lengths / sizeof *lengths; i++) run(lengths[i]);
  shmem_finalize();
}
