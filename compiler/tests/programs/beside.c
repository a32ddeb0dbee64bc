/* Fetches on a condition beside others, whose values are used together behind it. Where the condition does
   not hold, there is no such place, or no such PE. */
#include "job.h"

enum { size = 64, rounds = 50 };

static int64_t *table, *chained;
static int32_t* narrow;
static int64_t out[size], others[size], third[size];

static int64_t get(shmem_ctx_t ctx, int64_t i, int n) {
  return shmem_ctx_int64_g(ctx, &table[i % size], (int)(i % n));
}

static void one(shmem_ctx_t ctx, int n) {
#pragma shmem defer
  for (int64_t i = 0; i < rounds; i++) {
    const int64_t v = shmem_ctx_int64_g(ctx, &table[i], (int)(i % n));
    int64_t w = -i;
    if (i % 3 == 1) w = shmem_ctx_int64_g(ctx, &table[(i * 7) % size], (int)((i + 1) % n));
    out[i] = v * 3 + w;
  }
}

static void two(shmem_ctx_t ctx, int n, int64_t missing) {
#pragma shmem defer
  for (int64_t i = 0; i < rounds; i++) {
    const int64_t place = i % 4 ? i : missing, v = get(ctx, i * 5, n);
    const int pe = i % 4 ? (int)(i % n) : -1;
    int64_t w = 0, x = 1;
    if (place != missing) w = shmem_ctx_int64_g(ctx, table + place, pe) * 2 + i;
    if (i % 5 < 2) {
      x += get(ctx, i * 3, n);
      x ^= w;
    } else {
      x -= 7;
    }
    others[i] += v - w * x;
  }
}

/* The place of a condition's fetch is a long way; one of a condition within; a third of another type; sums.
 */
static int64_t more(shmem_ctx_t ctx, int n) {
  int64_t sum = 0, skipped = 0;
#pragma shmem defer
  for (int64_t i = 0; i < rounds; i++) {
    const int64_t v = get(ctx, i, n);
    int64_t w = i, far = 0;
    int32_t x = 2;
    if (i & 1) {
      far = i * 13 % size;
      w = get(ctx, far, n) + far;
    } else {
      skipped++;
    }
    if (i % 7 == 3) x = shmem_ctx_int32_g(ctx, &narrow[i], (int)(i % n));
    sum += v * x - w;
  }
  return sum * 31 + skipped;
}

static void ternaries(shmem_ctx_t ctx, int n) {
#pragma shmem defer
  for (int64_t i = 0; i < rounds; i++) {
    const int64_t v = get(ctx, i + 9, n);
    const int64_t w = i % 3 ? get(ctx, i * i, n) : i % 2 ? v : 5;
    third[i % size] += w - v;
    if (i % 11 == 10) continue;
    third[(i + 1) % size] ^= w;
  }
}

/* More than one record stores in place. */
static int64_t many(shmem_ctx_t ctx, int n) {
  int64_t sum = 0;
#pragma shmem defer
  for (int64_t i = 0; i < rounds; i++) {
    const int64_t v = get(ctx, i, n);
    int64_t a = 1, b = i, c = 2, d = -i;
    int32_t e = 3;
    if (i & 1) a = get(ctx, i * 3, n);
    if (i % 3 == 0) b += get(ctx, i * 5, n);
    if (i % 5 > 2) c = get(ctx, i * 7, n) * c;
    if (i & 4) d = get(ctx, i + 11, n) - i;
    if (i % 7 == 1) e = shmem_ctx_int32_g(ctx, &narrow[i], (int)(i % n));
    sum += (v * a - b * c + d * e) * i;
  }
  return sum;
}

/* The place on the condition, or the other one, is written by dependent code, and fetched again in a later
   round. */
static void written(shmem_ctx_t ctx, int n) {
#pragma shmem defer
  for (int64_t i = 0; i < rounds; i++) {
    const int64_t v = get(ctx, i, n);
    int64_t w = 1;
    if (i % 3) w = shmem_ctx_int64_g(ctx, &chained[i % 5], 0);
    chained[i % 5] = v + w * 3;
  }
#pragma shmem defer
  for (int64_t i = 0; i < rounds; i++) {
    const int64_t v = shmem_ctx_int64_g(ctx, &chained[i % 7], 0);
    int64_t w = 1;
    if (i % 3) w = get(ctx, i * 3, n);
    chained[i % 7] = v + w * 3;
  }
}

/* What the condition needs is computed in front of the fetch, and used behind it; a place at the far end; the
   same in a function that is called with conditions that never hold, and always. */
static int64_t sums(shmem_ctx_t ctx, int n, int64_t from, int64_t to) {
  int64_t sum = 0;
#pragma shmem defer
  for (int64_t i = 0; i < rounds; i++) {
    const int64_t v = get(ctx, i * 3, n);
    int64_t w = 0, x = 0;
    if (i >= from && i < to) {
      const int64_t k = i * 11 % size;
      const int64_t twice = k * 2 + i;
      w = get(ctx, k, n) * twice + k;
      if (k & 1) x = get(ctx, k + i, n);
    }
    sum += v ^ (w + x);
  }
  return sum;
}

int main(void) {
  const shmem_ctx_t ctx = start();
  const int n = shmem_n_pes() > 1 ? 2 : 1; /* the same values on all numbers of PEs */
  table = symmetric(size);
  chained = symmetric(size);
  narrow = (int32_t*)shmem_calloc(size, sizeof *narrow);
  FOR_MY_PES(me) {
    for (int i = 0; i < size; i++)
      PART(table, me)[i] = i * i % 23, ((int32_t*)shmem_ptr(narrow, me))[i] = i * 5 % 13;
  }
  shmem_barrier_all();
  if (shmem_my_pe() == 0) {
    one(ctx, n);
    two(ctx, n, INT64_C(1) << 40);
    const int64_t sum = more(ctx, n);
    ternaries(ctx, n);
    written(ctx, n);
    const int64_t total =
        sums(ctx, n, 0, 0) + sums(ctx, n, 0, rounds) * 3 + sums(ctx, n, 7, 30) * 5 + many(ctx, n);
    shmem_ctx_quiet(ctx);
    uint64_t hash = mixed((uint64_t)sum, (uint64_t)total);
    for (int i = 0; i < size; i++) {
      hash = mixed(mixed(hash, (uint64_t)out[i]), (uint64_t)others[i]);
      hash = mixed(mixed(hash, (uint64_t)third[i]), (uint64_t)chained[i]);
    }
    printf("%ld %016lx\n", (long)sum, (unsigned long)hash);
  }
  shmem_barrier_all();
  shmem_finalize();
  return 0;
}
