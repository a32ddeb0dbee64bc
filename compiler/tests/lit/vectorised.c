// Loops that fetch element after element from one PE, and those that nearly do.
// RUN: %same %s
// RUN: %instrumented --levels O0 --orders random --flags="-fno-sanitize=null" %s
// RUN: %cc -O0 -g -c %s -o /dev/null -Rpass=windrow-defer -Rpass-missed=windrow-defer 2>&1 | %FileCheck %s
// RUN: %cc -O2 -g -c %s -o /dev/null -Rpass=windrow-defer -fplugin-arg-windrow-no-vectorisation 2>&1 | %FileCheck %s --check-prefix=OFF
// OFF-NOT: vectorised fetch
#include <shmem.h>
#include <stdio.h>

enum { room = 1000 };

typedef struct {
  int64_t *table, *sums;
  int* words;
  struct pair {
    int64_t a, b;
  }* pairs;
  int npes;
} job;

static int64_t buffer[4], weights[room];

/* Of any length, none too. */
static int64_t sum(shmem_ctx_t ctx, const int64_t* table, int64_t first, int64_t n, int pe) {
  int64_t c = 0, i;
#pragma shmem defer
  for (i = first; i < n; i++) {
    // CHECK: vectorised.c:[[#@LINE+1]]:{{[0-9]+}}: remark: deferred {{.*}} vectorised fetch
    const int64_t v = shmem_ctx_int64_g(ctx, &table[i], pe);
    c = 3 * c + v * i;
  }
  shmem_ctx_quiet(ctx);
  return c + i;
}

/* Pointers that differ in each call, but of which one call's first is the next one's second. */
static inline void add_to(int64_t* restrict to, const int64_t* restrict from, int64_t value) {
  *to = *from + value;
}
static int64_t running(shmem_ctx_t ctx, const int64_t* table) {
  static int64_t out[room + 1];
#pragma shmem defer
  for (int i = 0; i < room; i++)
    // CHECK: vectorised.c:[[#@LINE+1]]:{{[0-9]+}}: remark: deferred {{.*}} vectorised fetch
    add_to(&out[i + 1], &out[i], shmem_ctx_int64_g(ctx, &table[i], 1));
  shmem_ctx_quiet(ctx);
  return out[room];
}

/* The extent is fetched; the PE is computed in the loop. */
static int64_t rows(shmem_ctx_t ctx, const job* j) {
  int64_t c = 0;
#pragma shmem defer
  for (int64_t k = 0; k < 60; k++) {
    const int64_t n = shmem_ctx_int64_g(ctx, &j->table[k], (int)(k % j->npes));
    for (unsigned i = (unsigned)k; i < (unsigned)(k + n); ++i) {
      const int pe = (int)(k % j->npes);
      // CHECK: vectorised.c:[[#@LINE+1]]:{{[0-9]+}}: remark: deferred {{.*}} vectorised fetch, {{.*}} nesting level 2
      c += weights[k] * shmem_ctx_int_g(ctx, &j->words[i + 0UL], pe) + i;
    }
  }
  shmem_ctx_quiet(ctx);
  return c;
}

/* With more fetches that depend on it, and conditions. */
static int64_t deeper(shmem_ctx_t ctx, const job* j, int64_t n) {
  int64_t *table = j->table, *sums = j->sums;
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) {
    // CHECK: vectorised.c:[[#@LINE+1]]:{{[0-9]+}}: remark: deferred {{.*}} vectorised fetch
    const int64_t v = shmem_ctx_int64_g(ctx, &table[5 + i], 1 % j->npes);
    if (v & 1) continue;
    const int64_t w = shmem_ctx_int64_g(ctx, &table[v], (int)(v % j->npes));
    shmem_ctx_int64_atomic_add(ctx, &sums[w & 7], i, 0);
  }
  shmem_ctx_quiet(ctx);
  return n;
}

/* What is read early is read early still. */
static int64_t early(shmem_ctx_t ctx, const job* j) {
  int64_t c = 0;
#pragma shmem defer
  for (int64_t k = 0; k < 20; k++) {
    buffer[0] = k;
    for (int64_t i = 0; i < k; i++) {
      const int64_t x = buffer[0];
      // CHECK: vectorised.c:[[#@LINE+1]]:{{[0-9]+}}: remark: deferred {{.*}} vectorised fetch
      c = 5 * c + x * shmem_ctx_int64_g(ctx, &j->table[i], 0);
    }
  }
  shmem_ctx_quiet(ctx);
  return c;
}

/* A value from the round before, over the ends of what is fetched at once. */
static int64_t carried(shmem_ctx_t ctx, const job* j) {
  int64_t c = 0, last;
#pragma shmem defer
  for (int64_t i = 0; i < room; i++) {
    const int64_t v = shmem_ctx_int64_g(ctx, &j->table[i], 0);
    if (i > 0) c = 3 * c + last * v;
    last = i & 7;
  }
  shmem_ctx_quiet(ctx);
  return c;
}

/* Another PE in each round. */
static int64_t spread(shmem_ctx_t ctx, const job* j) {
  int64_t c = 0;
#pragma shmem defer
  for (int64_t i = 0; i < 50; i++) {
    // CHECK: vectorised.c:[[#@LINE+1]]:{{[0-9]+}}: remark: fetch not vectorised: the PE may change in the loop
    c = 3 * c + shmem_ctx_int64_g(ctx, &j->table[i], (int)(i % j->npes));
  }
  shmem_ctx_quiet(ctx);
  return c;
}

static int64_t with_put(shmem_ctx_t ctx, const job* j) {
  int64_t c = 0;
#pragma shmem defer
  for (int64_t i = 0; i < 50; i++) {
    shmem_ctx_int64_atomic_add(ctx, &j->sums[20 + (i & 3)], i, 0);
    // CHECK: vectorised.c:[[#@LINE+1]]:{{[0-9]+}}: remark: fetch not vectorised: other code of the loop
    c = 3 * c + shmem_ctx_int64_g(ctx, &j->table[i], 0);
  }
  shmem_ctx_quiet(ctx);
  return c;
}

/* Reads that go with the loop, of what is written behind it. */
static int64_t with_reads(shmem_ctx_t ctx, const job* j) {
  int64_t c = 0;
#pragma shmem defer
  for (int64_t k = 0; k < 8; k++) {
    for (int64_t i = 0; i < 4; i++) {
      const int64_t x = buffer[i];
      // CHECK: vectorised.c:[[#@LINE+1]]:{{[0-9]+}}: remark: fetch not vectorised: other code of the loop
      c = 3 * c + x * shmem_ctx_int64_g(ctx, &j->table[i], 0);
    }
    buffer[k & 3] = k;
  }
  shmem_ctx_quiet(ctx);
  return c;
}

static int64_t counts_itself(shmem_ctx_t ctx, const job* j) {
  int64_t c = 0, n = 0;
#pragma shmem defer
  for (int64_t i = 0; i < 50; i++) {
    n += i;
    // CHECK: vectorised.c:[[#@LINE+1]]:{{[0-9]+}}: remark: fetch not vectorised: other code of the loop
    c = 3 * c + shmem_ctx_int64_g(ctx, &j->table[i], 0);
  }
  shmem_ctx_quiet(ctx);
  return c + n;
}

static int64_t skips(shmem_ctx_t ctx, const job* j) {
  int64_t c = 0;
#pragma shmem defer
  for (int64_t i = 0; i < 50; i++) {
    // CHECK: vectorised.c:[[#@LINE+1]]:{{[0-9]+}}: remark: fetch not vectorised: the loop's counter is changed elsewhere
    c = 3 * c + shmem_ctx_int64_g(ctx, &j->table[i], 0);
    i++;
  }
  shmem_ctx_quiet(ctx);
  return c;
}

/* Other steps, other elements, a volatile, a way out, backwards. */
static int64_t others(shmem_ctx_t ctx, const job* j, int64_t n) {
  int64_t c = 0;
  volatile int64_t end = n;
#pragma shmem defer
  {
    // CHECK-NOT: vectorised fetch
    for (int64_t i = 0; i < n; i += 2) c = 3 * c + shmem_ctx_int64_g(ctx, &j->table[i], 0);
    for (int64_t i = 0; i < n; i++) c = 3 * c + shmem_ctx_int64_g(ctx, &j->table[2 * i], 0);
    for (int64_t i = 0; i < n; i++) c = 3 * c + shmem_ctx_int64_g(ctx, &j->pairs[i].b, 0);
    for (int64_t i = 0; i < end; i++) c = 3 * c + shmem_ctx_int64_g(ctx, &j->table[i], 0);
    for (int64_t i = n; i > 0; i--) c = 3 * c + shmem_ctx_int64_g(ctx, &j->table[i], 0);
    for (int64_t i = 0; i < n; i++) {
      if (i == 9) break;
      c = 3 * c + shmem_ctx_int64_g(ctx, &j->table[i], 0);
    }
  }
  shmem_ctx_quiet(ctx);
  return c;
}

int main(void) {
  shmem_ctx_t ctx;
  shmem_init();
  shmem_ctx_create(0, &ctx);
  job j = {shmem_calloc(room, 8), shmem_calloc(64, 8), shmem_calloc(room, 4), shmem_calloc(64, 16), shmem_n_pes()};
  for (int pe = 0; pe < j.npes; pe++)
    for (int i = 0; i < room; i++) {
      weights[i] = i * 7 % 5;
      ((int64_t*)shmem_ptr(j.table, pe))[i] = i * 5 % 17 + pe;
      ((int*)shmem_ptr(j.words, pe))[i] = i * 3 % 19 - pe;
      ((int64_t*)shmem_ptr(j.pairs, pe))[i & 63] = i % 64 + pe;
    }
  int64_t check = 0;
  const int64_t sizes[] = {-3, 0, 1, 2, 255, 256, 257, 511, 512, 513, room};
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
    check = 31 * check + sum(ctx, j.table, (int64_t)k & 3, sizes[k], (int)(k % (size_t)j.npes));
  check = 31 * check + running(ctx, j.table);
  check = 31 * check + rows(ctx, &j) + deeper(ctx, &j, 300);
  check = 31 * check + early(ctx, &j) + carried(ctx, &j);
  check = 31 * check + spread(ctx, &j) + with_put(ctx, &j) + with_reads(ctx, &j);
  check = 31 * check + counts_itself(ctx, &j) + skips(ctx, &j) + others(ctx, &j, 30);
  for (int pe = 0; pe < j.npes; pe++)
    for (int i = 0; i < 64; i++) check = 31 * check + ((int64_t*)shmem_ptr(j.sums, pe))[i];
  printf("%ld\n", (long)check);
  shmem_ctx_destroy(ctx);
  shmem_finalize();
  return 0;
}
