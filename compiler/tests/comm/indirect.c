/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads whose places are computed ahead: by what names them, by what the loop stores meanwhile, by types, and
 * with owners that do not help. */
#include "told.h"

enum { most = 17000, table = 1024 };
static long values[2 * table], other_values[table], sent[most];
static short shorts[table];
static unsigned char bytes[8 * table];
static double doubles[table];
static long double wide[table];
static struct mixed {
  int a;
  double c;
} records[table];
static int done;
static long index_of[most + 1], out[most + 1];
static int small_index[most];

#define FORM static __attribute__((noinline))

FORM void gather(long* y, const long* b, long n, const long* r, int pes) {
  for (long i = 0; i < n; i++) y[i] = shmem_long_g(&r[b[i] / pes], (int)(b[i] % pes));
}
FORM double types(const int* b, int n, int pe) {
  double s = 1;
  for (int i = 0; i < n; i++) {
    s = s / 3 + shmem_short_g(&shorts[b[i]], pe) +
        shmem_uchar_g(&bytes[b[i]], pe) * shmem_double_g(&doubles[b[i]], pe);
    s += (double)shmem_longdouble_g(&wide[b[i]], pe) - shmem_int_g(&records[b[i]].a, pe) +
         shmem_double_g(&records[b[i]].c, pe);
  }
  return s;
}
FORM long pieces(const int* b, int n, int pe) {
  long s = 0, three[3], one;
  for (int i = 0; i < n; i++) {
    shmem_long_get(three, &values[b[i]], 3, pe);
    shmem_getmem(&one, &bytes[b[i]], sizeof one, pe); /* not aligned */
    s = 5 * s + three[0] - three[2] + one;
  }
  return s;
}
FORM long any_pe(const long* r, int n, int pes) {
  long s = 0;
  for (int i = 0; i < n; i++) s = 3 * s + shmem_long_g(&r[i % 64], i % pes);
  return s;
}
FORM long apart(const long* r, int n, int by, int pe) {
  long s = 0;
  for (int i = 0; i < n; i++) s = 3 * s + shmem_long_g(&r[i * by], pe);
  return s;
}
FORM uint64_t drawn(const long* r, int n, int pes) {
  uint64_t x = 5, s = 0;
  for (int i = 0; i < n; i++) {
    x = x * 6364136223846793005u + 1442695040888963407u;
    s = 3 * s + (uint64_t)shmem_long_g(&r[x >> 54], (int)(x >> 33) % pes);
  }
  return s + x;
}
FORM long twice(const int* b, const int* c, int n, int pe, int other) {
  long s = 0;
  for (int i = 0; i < n; i++)
    s = 3 * s + shmem_long_g(&values[c[b[i]]], pe) - shmem_long_g(&other_values[b[i]], other);
  return s;
}
/* What names the place is overwritten: behind its own round, or before a later one. */
FORM void in_place(long* b, int n, int pe) {
  for (int i = 0; i < n; i++) b[i] = shmem_long_g(&values[b[i]], pe) & (table - 1);
}
FORM void chase(long* b, int n, int pe) {
  for (int i = 0; i < n; i++) b[i + 1] = shmem_long_g(&values[b[i]], pe) & (table - 1);
}
/* What names the place has been stored in the same round, by a get. */
FORM long named_by_get(long* b, int n, int pe) {
  long s = 0;
  for (int i = n; i-- > 0;) {
    shmem_long_get(&b[i], &values[i], 1, pe);
    s = 3 * s + shmem_long_g(&other_values[b[i] & (table - 1)], pe);
  }
  return s;
}
/* Under conditions: of places too that could not be computed where these do not hold. */
FORM long where(const int* b, const long* when, int n, int pe) {
  long s = 0;
  for (int i = 0; i < n; i++)
    if (when[i] % 3 == 1)
      s = 3 * s + shmem_long_g(&values[b[i] / shmem_n_pes()], (pe + b[i]) % shmem_n_pes());
  return s;
}
FORM long nested(const int* b, const long* c, int n, int pe, int other) {
  long s = 0;
  for (int i = 0; i < n; i++) {
    s = 5 * s + shmem_long_g(&other_values[b[i]], other);
    if (b[i] > 100 && b[n - 1 - i] > 50) {
      s += shmem_long_g(&values[b[i] / (b[i] - 100)], pe);
      if (c && c[i] & 1) s -= shmem_long_g(&values[c[c[i]]], pe);
    } else
      s ^= shmem_long_g(&values[i % table], other);
  }
  return s;
}
FORM void maybe_in_place(long* b, int n, int pe) {
  for (int i = 0; i < n; i++)
    if (b[i] & 1) b[i] = shmem_long_g(&values[b[i]], pe) & (table - 1);
}
FORM void maybe_ahead(long* b, int n, int pe) {
  for (int i = 0; i < n; i++)
    if (b[i] & 1) b[i + 1] = shmem_long_g(&values[b[i]], pe) & (table - 1);
}
FORM void counted(long* counts, const int* b, int n, int pe) {
  for (int i = 0; i < n; i++) counts[shmem_long_g(&values[b[i]], pe) & 255]++;
}
/* Reads of this PE's own memory, half of which the loop stores to, beside others. */
FORM void own(long* r, const int* b, int n, int me, int next) {
  for (int i = 0; i < n; i++) {
    const long got = shmem_long_g(&r[b[i] & (table - 1)], b[i] & (table / 2) ? next : me);
    r[i & (table / 2 - 1)] = got + i;
  }
}
FORM void own_steps(long* r, const int* b, int n, int me, int next) {
  for (int i = 0; i < n; i++) r[i] = shmem_long_g(&r[b[i] & (table - 1)], b[i] & (table / 2) ? next : me) + i;
}
FORM void send(long* to, const long* r, const int* b, int n, int pe, int other) {
  for (int i = 0; i < n; i++) shmem_long_p(&to[i], shmem_long_g(&r[b[i]], pe) + i, other);
}
FORM long last(const long* r, const int* b, int n, int pe) {
  long before = 0, all = 0;
  int i = 0;
  do {
    all = 5 * all + before;
    before = shmem_long_g(&r[b[i]], pe);
  } while (++i < n);
  return all + before + i;
}
/* Places at equal distances at each PE, and such as nearly are. */
FORM long dealt_out(const long* r, const short* q, int n, int pes, int by) {
  long s = 0;
  for (int i = 0; i < n; i++)
    s = 3 * s + shmem_long_g(&r[i / pes * by], i % pes) - shmem_short_g(&q[i / pes], i % pes);
  return s;
}
FORM long dealt_backwards(const long* r, int n, int pes) {
  long s = 0;
  for (int i = n; i-- > 0;) s = 3 * s + shmem_long_g(&r[i / pes], i % pes);
  return s;
}
FORM long blocks(const long* r, int n, int pes) {
  long s = 0;
  for (int i = 0; i < n; i++) s = 3 * s + shmem_long_g(&r[i / (3 * pes) * 3 + i % 3], i / 3 % pes);
  return s;
}
FORM long nearly(const long* r, int n, int pes, int odd) {
  long s = 0;
  for (int i = 0; i < n; i++)
    s = 3 * s + shmem_long_g(&r[i == odd ? 1 : i / pes], (i == odd + 1 ? i + 1 : i) % pes);
  return s;
}
FORM long one_place(const long* r, int n, int pes) {
  long s = 0;
  for (int i = 0; i < n; i++) s = 3 * s + shmem_long_g(&r[i % pes], i % pes);
  return s;
}
FORM long long_doubles(const long double* r, int n, int pes, int from) {
  long double s = 0;
  for (int i = from; i < n; i++) s = s / 2 + shmem_longdouble_g(&r[i / pes], i % pes);
  return (long)s;
}
/* The others ask again and again, which is no help to who asks them. */
FORM long without_help(const int* b, int n, int me, int pes) {
  long s = 0;
  if (me != 0)
    while (!shmem_int_atomic_fetch(&done, 0)) continue;
  else {
    for (int i = 0; i < n; i++) s = 3 * s + shmem_long_g(&values[b[i]], i % pes);
    shmem_int_atomic_set(&done, 1, 0);
  }
  return s;
}

static void run(int n) {
  const int me = shmem_my_pe(), pes = shmem_n_pes(), next = (me + 1) % pes, second = (me + 2) % pes;
  for (int i = 0; i < 2 * table; i++) values[i] = me * 1000003L + i * 7919;
  for (int i = 0; i < 8 * table; i++) bytes[i] = (unsigned char)(me * 5 + i * 7);
  for (int i = 0; i < table; i++) {
    other_values[i] = values[i] ^ i;
    shorts[i] = (short)(me + i * 3);
    doubles[i] = me + i / 4.;
    wide[i] = me - i / 2.L;
    records[i] = (struct mixed){i + me, i / 2. - me};
  }
  for (int i = 0; i < most; i++) index_of[i] = small_index[i] = (i * 37 + me) % table;
  memset(out, 0, sizeof out);
  memset(sent, 0, sizeof sent);
  done = 0;
  shmem_barrier_all();
  if (me == 0) printf("%d\n", n);
  gather(out, index_of, n, values, pes);
  tell_memory("gather", out, sizeof out);
  tell("types", (uint64_t)(int64_t)(1000 * types(small_index, n / 8, next)));
  tell("pieces", (uint64_t)pieces(small_index, n / 8, next));
  tell("any PE", (uint64_t)any_pe(values, n, pes));
  tell("apart", (uint64_t)apart(values, n < 64 ? n : 64, 15, next));
  const int few = n < table ? n : table, fewer = few / 4;
  for (int by = 0; by <= 4; by += 2) tell("dealt out", (uint64_t)dealt_out(values, shorts, fewer, pes, by));
  tell("dealt backwards", (uint64_t)dealt_backwards(values, few, pes));
  tell("blocks", (uint64_t)blocks(values, few, pes));
  for (int odd = 0; odd <= 7; odd++) tell("nearly", (uint64_t)nearly(values, few - 1, pes, odd));
  tell("nearly at the end", (uint64_t)nearly(values, few - 1, pes, few - 2));
  tell("one place", (uint64_t)one_place(values, few, pes));
  tell("long doubles", (uint64_t)long_doubles(wide, few, pes, 1));
  tell("drawn", drawn(values, n / 2, pes));
  tell("twice", (uint64_t)twice(small_index, small_index, n / 4, next, second));
  tell("last", (uint64_t)last(values, small_index, n, next));
  tell("where", (uint64_t)where(small_index, index_of, n, next));
  tell("nested", (uint64_t)nested(small_index, index_of, n, next, second));
  tell("without", (uint64_t)nested(small_index, NULL, n / 4, next, second));
  counted(out, small_index, n / 4, next);
  tell_memory("counted", out, sizeof out);
  send(sent, values, small_index, n, next, second);
  tell_memory("send", sent, sizeof sent);
  tell("without help", (uint64_t)without_help(small_index, n / 8, me, pes));
  tell("named by get", (uint64_t)named_by_get(out, n < table ? n : table, next));
  tell_memory("got", out, sizeof out);
  own(values, small_index, n, me, next);
  tell_memory("own", values, sizeof values);
  own_steps(values, small_index, n < table / 2 ? n : table / 2, me, next);
  tell_memory("own steps", values, sizeof values);
  in_place(index_of, n, next);
  tell_memory("in place", index_of, sizeof index_of);
  maybe_in_place(index_of, n, next);
  maybe_ahead(index_of, n / 4, next);
  tell_memory("perhaps in place", index_of, sizeof index_of);
  chase(index_of, n / 4, next);
  tell_memory("chase", index_of, sizeof index_of);
  for (int i = 0; i < most; i++) index_of[i] = small_index[i];
  for (int i = 0; i < table; i++) other_values[i] = (i * 13 + 1) % table;
  shmem_barrier_all();
  gather(index_of + 1, index_of, n / 4, other_values, 1);
  tell_memory("overlapping", index_of, sizeof index_of);
}

int main(void) {
  shmem_init();
  const int lengths[] = {0, 1, 3, 4, 5, 100, 16383, 16384, 16385};
  for (unsigned i = 0; i < sizeof lengths / sizeof *lengths; i++) run(lengths[i]);
  shmem_finalize();
}
