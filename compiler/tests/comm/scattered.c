/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes and updates at places that are computed: by what they do, by what stands around them, and by loops
 * of many forms. Each place is written by one PE, once, or all that is done with it may be done in any order.
 */
#include "told.h"

enum { most = 20000, table = 1024 };
static long counts[table], sums[table], put_here[4 * most], read_here[table], own_here[table];
static int ints[table], int_puts[4 * table];
static unsigned long bits[3][table];
static short shorts[4 * table];
static unsigned char bytes[4 * table];
static float floats[4 * table];
static double doubles[4 * table];
static long double wide[4 * table];
static struct mixed {
  char a;
  double c;
} records[4 * table];
static long index_of[most + 1], values[most + 1], out[most + 1];
static int row_begin[table + 1], small_index[most];
static struct bound {
  int n;
} bound;

#define FORM static __attribute__((noinline))

FORM void histogram(const long* b, long n, int pes) {
  for (long i = 0; i < n; i++) shmem_long_atomic_inc(&counts[b[i] / pes], (int)(b[i] % pes));
}
FORM void all_updates(const int* b, int n, int pe, int other) {
  for (int i = 0; i < n; i++) {
    shmem_long_atomic_add(&sums[b[i]], i - 7, pe);
    shmem_int_atomic_add(&ints[b[i]], -i, other);
    shmem_ulong_atomic_or(&bits[0][b[i]], 1ul << (i & 63), pe);
    shmem_ulong_atomic_xor(&bits[1][b[i]], (unsigned long)i * 77, other);
    shmem_ulong_atomic_and(&bits[2][b[i]], ~(1ul << (i & 63)), pe);
  }
}
FORM void one_place(const long* v, int n) {
  for (int i = 0; i < n; i++) shmem_long_atomic_add(&sums[3], v[i], 0);
}
/* Each PE has places of its own: those of `part`. */
FORM void all_types(const int* b, int n, int part, int pe) {
  for (int i = 0; i < n; i++) {
    const int at = part + b[i];
    shmem_short_p(&shorts[at], (short)(i - 100), pe);
    shmem_uchar_p(&bytes[at], (unsigned char)i, pe);
    shmem_int_p(&int_puts[at], -i, pe);
    shmem_float_p(&floats[at], (float)i / 3, pe);
    shmem_double_p(&doubles[at], i / 7., pe);
    shmem_longdouble_p(&wide[at], i / 9.L, pe); /* stays */
  }
}
FORM void members(const int* b, int n, int part, int pe) {
  for (int i = 0; i < n; i++) {
    const char one = (char)i;
    shmem_putmem(&records[part + b[i]].a, &one, 1, pe);
    shmem_double_put(&records[part + b[i]].c, &(double){i / 2.}, 1, pe);
  }
}
FORM void unaligned(const int* b, int n, int part, int pe) {
  for (int i = 0; i < n / 9; i++) {
    const long value = i * 1234567l;
    shmem_putmem((char*)put_here + 16 * (part + b[i]) + 3, &value, sizeof value, pe);
  }
}
FORM void permute(long* to, const long* b, const long* v, long n, int me, int pes) {
  for (long i = 0; i < n; i++) shmem_long_p(&to[me * (long)most + b[i]], v[i], (int)(i % pes));
}
/* With what is read from others, and under conditions. */
FORM void copied(const int* b, int n, int part, int pe, int other) {
  for (int i = 0; i < n; i++)
    shmem_int_p(&int_puts[part + b[i]], (int)shmem_long_g(&read_here[b[n - 1 - i]], pe), other);
}
FORM void where(const int* b, const long* v, int n, int part, int pe) {
  for (int i = 0; i < n; i++) {
    if (v[i] % 3 == 1) shmem_long_p(&put_here[part + b[i]], v[i], pe);
    if (v[i] % 5 == 2 && b[i] > 9) shmem_long_atomic_add(&sums[b[i] / (b[i] - 9)], v[i], pe);
  }
}
/* What is read of them names the place of an update, whose PE is another one each time. */
FORM void dependent(const int* b, int n, int pe, int pes) {
  for (int i = 0; i < n; i++) {
    const long at = shmem_long_g(&read_here[b[i]], pe);
    shmem_long_p(&own_here[i & (table - 1)], at, shmem_my_pe());
    if (at & 1) shmem_int_p(&int_puts[shmem_my_pe() * table + (i & (table - 1))], (int)at, (int)(at % pes));
  }
}
/* Forms of loops. */
FORM void rows(const int* begin, const int* b, int n, int pe) {
  for (int row = 0; row < n; row++)
    for (int k = begin[row]; k < begin[row + 1]; k++) shmem_long_atomic_add(&sums[b[k]], row + 1, pe);
}
FORM long until_777(const long* b, long n, int pe) {
  for (long i = 0; i < n; i++) {
    if (b[i] == 777) return i;
    shmem_long_atomic_inc(&counts[b[i] % table], pe);
  }
  return -1;
}
FORM long two_ends(const long* b, long n, int pe) {
  long s = 0;
  for (long i = 0; i < n; i++) {
    if (b[i] % 51 == 50) {
      s += 7;
      break;
    }
    if (b[i] % 1021 == 1020) return s + i;
    s += b[i];
    shmem_long_atomic_add(&sums[b[i] % table], s, pe);
  }
  return s;
}
FORM void reloaded(const struct bound* to, const int* b, int pe) {
  for (int i = 0; i < to->n; i++) shmem_int_atomic_inc(&ints[b[i]], pe);
}
/* Of values that nobody uses: all has happened when the loop has been left. */
FORM void columns(const struct bound* to, const int* b, int pes) {
  long at = 0;
  for (int i = 0; i < to->n; i++) at = shmem_long_atomic_fetch_inc(&counts[b[i]], b[i] % pes);
  (void)at;
}
FORM long swapped(const int* b, const long* v, int n, int part, int pe) {
  for (int i = 0; i < n; i++) {
    shmem_long_atomic_swap(&put_here[part + b[i]], v[i], pe);
    shmem_long_atomic_fetch_add(&put_here[part + b[i]], i, pe);
    shmem_int64_atomic_fetch_xor((int64_t*)&put_here[part + b[i]], 5, pe);
  }
  long s = 0;
  for (int i = 0; i < n; i++) s = 3 * s + shmem_long_g(&put_here[part + i], pe);
  return s;
}
FORM void down(const int* b, unsigned n, int pe) {
  for (unsigned i = n; i-- > 0;) shmem_int_atomic_add(&ints[b[i]], (int)i, pe);
}
FORM uint64_t drawn(int n, int pes) {
  uint64_t x = 5;
  for (int i = 0; i < n; i++) {
    x = x * 6364136223846793005u + 1442695040888963407u;
    shmem_ulong_atomic_xor(&bits[1][x >> 54], x, (int)((x >> 33) % (unsigned)pes));
  }
  return x;
}
FORM void contexts(shmem_ctx_t other, const int* b, int n, int pe) {
  for (int i = 0; i < n; i++) shmem_ctx_long_atomic_inc(SHMEM_CTX_DEFAULT, &counts[b[i]], pe);
  for (int i = 0; i < n / 2; i++) {
    shmem_long_atomic_inc(&counts[b[i]], pe);
    shmem_ctx_long_atomic_add(other, &sums[b[i]], 3, pe);
  }
}
/* One behind the other at each PE, with gaps, and with what is not a put. */
FORM void buckets(const int* b, int n, int part, int pes) {
  int at[4] = {0, 0, 0, 0};
  for (int i = 0; i < n; i++) {
    const int pe = b[i] % pes;
    shmem_int_p(&int_puts[part + at[pe]], b[i], pe);
    at[pe] += 1 + (i % 300 == 77);
  }
  for (int i = n; i-- > 0;) shmem_short_p(&shorts[part + --at[b[i] % pes]], (short)i, b[i] % pes);
  for (int pe = 0; pe < 4; pe++) at[pe] = 0;
  for (int i = 0; i < n; i++) {
    const int pe = b[i] % pes;
    shmem_long_p(&put_here[part + at[pe]++], i, pe);
    if (i % 200 == 199) shmem_long_atomic_add(&sums[i % table], 5, pe);
  }
  for (int pe = 0; pe < 4; pe++) at[pe] = 0;
  for (int i = 0; i < n; i++) {
    const int pe = b[i] % pes;
    if (i % 200 > 100)
      shmem_double_atomic_set(&doubles[part + at[pe]++], i, pe);
    else
      shmem_double_p(&doubles[part + at[pe]++], -i, pe);
  }
}
FORM void old_names(const int* b, int n, int pe) {
  for (int i = 0; i < n; i++) {
    shmem_long_add(&sums[b[i]], i, pe);
    shmem_int_inc(&ints[b[i]], pe);
  }
}

static void run(shmem_ctx_t other, int n) {
  const int me = shmem_my_pe(), pes = shmem_n_pes(), next = (me + 1) % pes, second = (me + 2) % pes;
  const int few = n < table ? n : table, part = me * table;
  memset(counts, 0, sizeof counts);
  memset(sums, 0, sizeof sums);
  memset(ints, 0, sizeof ints);
  memset(bits, 0, sizeof bits);
  memset(bits[2], 255, sizeof bits[2]);
  memset(put_here, 0, sizeof put_here);
  memset(int_puts, 0, sizeof int_puts);
  memset(own_here, 0, sizeof own_here);
  for (int i = 0; i < table; i++) read_here[i] = (i * 7 + me) % 1000;
  for (int i = 0; i < table + 1; i++) row_begin[i] = (i * 3 + i % 3) * n / (4 * table);
  for (int i = 0; i < most; i++) {
    index_of[i] = (i * 37l + me) % table;
    small_index[i] = (i * 37 + me) % table;
    values[i] = i * 11 + me;
  }
  bound.n = n / 3;
  shmem_barrier_all();
  if (me == 0) printf("%d\n", n);
  histogram(index_of, n, pes);
  tell_memory("histogram", counts, sizeof counts);
  all_updates(small_index, n, next, second);
  one_place(values, n / 4);
  rows(row_begin, small_index, few, next);
  tell("until 777", (uint64_t)until_777(index_of, n, next));
  tell("two ends", (uint64_t)two_ends(index_of, n, second));
  reloaded(&bound, small_index, next);
  down(small_index, (unsigned)n / 2, next);
  tell("drawn", drawn(n / 2, pes));
  contexts(other, small_index, n / 2, next);
  shmem_ctx_quiet(other);
  old_names(small_index, n / 8, next);
  where(small_index, values, few, part, next);
  columns(&bound, small_index, pes);
  tell_memory("counts", counts, sizeof counts);
  tell_memory("sums", sums, sizeof sums);
  tell_memory("ints", ints, sizeof ints);
  tell_memory("bits", bits, sizeof bits);
  tell_memory("where", put_here, sizeof put_here);
  all_types(small_index, few, part, next);
  members(small_index, few, part, second);
  tell_memory("shorts", shorts, sizeof shorts);
  tell_memory("bytes", bytes, sizeof bytes);
  tell_memory("int puts", int_puts, sizeof int_puts);
  tell_memory("floats", floats, sizeof floats);
  tell_memory("doubles", doubles, sizeof doubles);
  tell("wide", (uint64_t)(wide[part] * 100));
  for (int i = 0; i < few; i++) out[i] = records[i].a + 3 * (long)records[i].c;
  tell_memory("records", out, (size_t)few * sizeof *out);
  for (int i = 0; i < most; i++) index_of[i] = i * 7919l % n;
  permute(put_here, index_of, values, n, me, pes);
  tell_memory("permute", put_here, sizeof put_here);
  copied(small_index, few, part, next, second);
  tell_memory("copied", int_puts, sizeof int_puts);
  dependent(small_index, few, next, pes);
  tell_memory("dependent", int_puts, sizeof int_puts);
  tell_memory("own", own_here, sizeof own_here);
  tell("swapped", (uint64_t)swapped(small_index, values, few, part, next));
  tell_memory("all swapped", put_here, sizeof put_here);
  shmem_barrier_all();
  buckets(small_index, few, part, pes);
  tell_memory("bucket ints", int_puts, sizeof int_puts);
  tell_memory("bucket shorts", shorts, sizeof shorts);
  tell_memory("bucket longs", put_here, sizeof put_here);
  tell_memory("bucket sums", sums, sizeof sums);
  tell_memory("bucket doubles", doubles, sizeof doubles);
  unaligned(small_index, few, part, next);
  tell_memory("unaligned", put_here, sizeof put_here);
}

int main(void) {
  shmem_init();
  shmem_ctx_t other;
  shmem_ctx_create(0, &other);
  const int lengths[] = {1, 3, 100, 16385};
  histogram(NULL, 0, 1);
  for (unsigned i = 0; i < sizeof lengths / sizeof *lengths; i++) run(other, lengths[i]);
  shmem_ctx_destroy(other);
  shmem_finalize();
}
