// Further fetches on the very PE: they go to the owner with the first one.
// RUN: %same %s
// RUN: %instrumented --levels O0 --orders random --flags="-fno-sanitize=null" %s
// RUN: %cc -O0 -g -c %s -o /dev/null -Rpass=windrow-defer 2>&1 | %FileCheck %s
// RUN: %cc -O2 -g -c %s -o /dev/null -Rpass=windrow-defer -fplugin-arg-windrow-no-fusion 2>&1 | %FileCheck %s --check-prefix=OFF
// OFF-NOT: fused at owner
#include <shmem.h>
#include <stdio.h>

typedef struct {
  int64_t *table, *sums, *list;
  double* reals;
  int64_t n;
  int npes;
} job;

static int64_t counter, pairs[4];

/* Who comes down to one joins the list of the owner. */
static void append(shmem_ctx_t ctx, const job* j) {
  int64_t *table = j->table, *list = j->list;
#pragma shmem defer
  for (int64_t k = 0; k < j->n; k++) {
    const int pe = (int)(k % j->npes);
    const int64_t place = k & 31;
    // CHECK: fused-fetches.c:[[#@LINE+1]]:{{[0-9]+}}: remark: fused at owner: {{.*}} behind 2 fetches of one PE
    const int64_t before = shmem_ctx_int64_atomic_fetch_add(ctx, &table[place], -1, pe);
    if (before == 2) {
      const int64_t at = shmem_ctx_int64_atomic_fetch_inc(ctx, &list[0], pe);
      shmem_ctx_int64_p(ctx, &list[1 + at], place, pe);
    }
  }
  shmem_ctx_quiet(ctx);
}

/* One depends on the other, and so on. */
static void chain(shmem_ctx_t ctx, const job* j) {
  int64_t *table = j->table, *sums = j->sums;
#pragma shmem defer
  for (int64_t k = 0; k < j->n; k++) {
    const int pe = (int)(k * 3 % j->npes);
    // CHECK: fused-fetches.c:[[#@LINE+1]]:{{[0-9]+}}: remark: fused at owner: {{.*}} behind 4 fetches of one PE
    const int64_t a = shmem_ctx_int64_g(ctx, &table[k & 31], pe);
    const int64_t b = shmem_ctx_int64_atomic_fetch(ctx, &table[a & 31], pe);
    const int64_t c = shmem_ctx_int64_atomic_fetch_or(ctx, &sums[b & 15], 1, pe);
    const int64_t d = shmem_ctx_int64_atomic_fetch_xor(ctx, &sums[16 + (b & 15)], k & ~c, pe);
    shmem_ctx_int64_atomic_add(ctx, &sums[32], d & 0, pe);
    shmem_ctx_int64_atomic_add(ctx, &sums[33 + (b & 3)], k, pe);
  }
  shmem_ctx_quiet(ctx);
}

/* Side by side. */
static void beside(shmem_ctx_t ctx, const job* j) {
  int64_t *table = j->table, *sums = j->sums;
#pragma shmem defer
  for (int64_t k = 0; k < j->n; k++) {
    const int pe = (int)(k % j->npes);
    // CHECK: fused-fetches.c:[[#@LINE+1]]:{{[0-9]+}}: remark: fused at owner: {{.*}} behind 2 fetches of one PE
    const int64_t a = shmem_ctx_int64_g(ctx, &table[k & 31], pe);
    const int64_t b = shmem_ctx_int64_g(ctx, &table[(k + 1) & 31], pe);
    shmem_ctx_int64_atomic_add(ctx, &sums[40], a * b, pe);
  }
  shmem_ctx_quiet(ctx);
}

/* Every operation, and other types. */
static void operations(shmem_ctx_t ctx, const job* j) {
  int64_t *table = j->table, *sums = j->sums;
  double* reals = j->reals;
#pragma shmem defer
  for (int64_t k = 0; k < j->n; k++) {
    const int pe = (int)(k * 5 % j->npes);
    // CHECK: fused-fetches.c:[[#@LINE+1]]:{{[0-9]+}}: remark: fused at owner: {{.*}} behind 6 fetches of one PE
    const int64_t a = shmem_ctx_int64_g(ctx, &table[k & 31], pe);
    if (a & 1) {
      const double f = shmem_ctx_double_g(ctx, &reals[a & 7], pe);
      const int64_t old = shmem_ctx_int64_atomic_compare_swap(ctx, &sums[50 + (a & 3)], 0, a & 3, pe);
      shmem_ctx_int64_atomic_add(ctx, &sums[54], (int64_t)(f * 2) + (old < 4), pe);
    } else {
      const int64_t e = shmem_ctx_int64_atomic_swap(ctx, &sums[57 + (a & 1)], 2, pe);
      const int32_t h = shmem_ctx_int32_atomic_fetch_and(ctx, (int32_t*)&sums[60], 7, pe);
      if (e > 1) shmem_ctx_int64_atomic_add(ctx, &sums[55], h < 8, pe);
      shmem_ctx_int64_atomic_fetch_inc(ctx, &sums[56], pe);
    }
  }
  shmem_ctx_quiet(ctx);
}

/* What travels has changed in between. */
static void versions(shmem_ctx_t ctx, const job* j) {
  int64_t *table = j->table, *sums = j->sums;
#pragma shmem defer
  for (int64_t k = 0; k < j->n; k++) {
    const int pe = (int)(k % j->npes);
    int64_t x = k;
    // CHECK: fused-fetches.c:[[#@LINE+1]]:{{[0-9]+}}: remark: fused at owner
    const int64_t v = shmem_ctx_int64_g(ctx, &table[k & 31], pe);
    if (v & 1) shmem_ctx_int64_atomic_add(ctx, &sums[62], x, pe);
    shmem_ctx_int64_atomic_add(ctx, &sums[63], v + x, pe);
    x = 2 * k + 1;
    if (v & 2) shmem_ctx_int64_atomic_add(ctx, &sums[64], x, pe);
    shmem_ctx_int64_atomic_add(ctx, &sums[65], v + x, pe);
  }
  shmem_ctx_quiet(ctx);
}

/* On another PE. */
static void elsewhere(shmem_ctx_t ctx, const job* j) {
  int64_t *table = j->table, *sums = j->sums;
#pragma shmem defer
  for (int64_t k = 0; k < j->n; k++) {
    const int pe = (int)(k % j->npes), next = (int)((k + 1) % j->npes);
    // CHECK: fused-fetches.c:[[#@LINE+1]]:{{[0-9]+}}: remark: deferred
    const int64_t a = shmem_ctx_int64_g(ctx, &table[k & 31], pe);
    if (a & 1) {
      const int64_t b = shmem_ctx_int64_g(ctx, &table[a & 31], next);
      shmem_ctx_int64_atomic_add(ctx, &sums[70], b, pe);
    }
  }
  shmem_ctx_quiet(ctx);
}

/* On a PE that is fetched itself. */
static void fetched_pe(shmem_ctx_t ctx, const job* j) {
  int64_t *table = j->table, *sums = j->sums;
#pragma shmem defer
  for (int64_t k = 0; k < j->n; k++) {
    const int pe = (int)(k % j->npes);
    // CHECK: fused-fetches.c:[[#@LINE+1]]:{{[0-9]+}}: remark: deferred
    const int64_t a = shmem_ctx_int64_g(ctx, &table[k & 31], pe);
    const int to = (int)((uint64_t)a % (uint64_t)j->npes);
    const int64_t b = shmem_ctx_int64_atomic_fetch(ctx, &table[a & 31], to);
    shmem_ctx_int64_atomic_add(ctx, &sums[71], b, to);
  }
  shmem_ctx_quiet(ctx);
}

/* A variable for the PE that has changed in between. */
static void changed(shmem_ctx_t ctx, const job* j) {
  int64_t *table = j->table, *sums = j->sums;
  int pe = 0;
#pragma shmem defer
  for (int64_t k = 0; k < j->n; k++) {
    // CHECK: fused-fetches.c:[[#@LINE+1]]:{{[0-9]+}}: remark: deferred
    const int64_t a = shmem_ctx_int64_g(ctx, &table[k & 31], pe);
    pe = (pe + 1) % j->npes;
    const int64_t b = shmem_ctx_int64_g(ctx, &table[(k + 7) & 31], pe);
    shmem_ctx_int64_atomic_add(ctx, &sums[72], a + 2 * b, pe);
  }
  shmem_ctx_quiet(ctx);
}

/* The value is wanted here. */
static int64_t at_home(shmem_ctx_t ctx, const job* j) {
  int64_t *table = j->table, c = 0;
#pragma shmem defer
  for (int64_t k = 0; k < j->n; k++) {
    const int pe = (int)(k % j->npes);
    // CHECK: fused-fetches.c:[[#@LINE+1]]:{{[0-9]+}}: remark: deferred
    const int64_t a = shmem_ctx_int64_g(ctx, &table[k & 31], pe);
    if (a & 1) c = 3 * c + shmem_ctx_int64_g(ctx, &table[a & 31], pe);
  }
  shmem_ctx_quiet(ctx);
  return c;
}

/* As often as a fetched value says. */
static void repeated(shmem_ctx_t ctx, const job* j) {
  int64_t *table = j->table, *sums = j->sums;
#pragma shmem defer
  for (int64_t k = 0; k < j->n; k++) {
    const int pe = (int)(k % j->npes);
    // CHECK: fused-fetches.c:[[#@LINE+1]]:{{[0-9]+}}: remark: deferred
    const int64_t a = shmem_ctx_int64_g(ctx, &table[k & 31], pe);
    for (int64_t i = 0; i < (a & 3); i++) {
      // CHECK: fused-fetches.c:[[#@LINE+1]]:{{[0-9]+}}: remark: fused at owner
      const int64_t b = shmem_ctx_int64_g(ctx, &table[i], pe);
      shmem_ctx_int64_atomic_add(ctx, &sums[74], b, pe);
    }
  }
  shmem_ctx_quiet(ctx);
}

/* Where memory of this PE is changed between the fetches. */
static void with_store(shmem_ctx_t ctx, const job* j) {
  int64_t *table = j->table, *sums = j->sums;
#pragma shmem defer
  for (int64_t k = 0; k < j->n; k++) {
    const int pe = (int)(k % j->npes);
    // CHECK: fused-fetches.c:[[#@LINE+1]]:{{[0-9]+}}: remark: deferred
    const int64_t a = shmem_ctx_int64_g(ctx, &table[k & 31], pe);
    pairs[a & 3]++;
    const int64_t b = shmem_ctx_int64_g(ctx, &table[a & 31], pe);
    shmem_ctx_int64_atomic_add(ctx, &sums[75], b, pe);
  }
  shmem_ctx_quiet(ctx);
}

static void on_two_contexts(shmem_ctx_t ctx, shmem_ctx_t other, const job* j) {
  int64_t *table = j->table, *sums = j->sums;
#pragma shmem defer
  for (int64_t k = 0; k < j->n; k++) {
    const int pe = (int)(k % j->npes);
    // CHECK: fused-fetches.c:[[#@LINE+1]]:{{[0-9]+}}: remark: deferred
    const int64_t a = shmem_ctx_int64_g(ctx, &table[k & 31], pe);
    const int64_t b = shmem_ctx_int64_g(other, &table[a & 31], pe);
    shmem_ctx_int64_atomic_add(ctx, &sums[76], b, pe);
  }
  shmem_ctx_quiet(other);
  shmem_ctx_quiet(ctx);
}

int main(void) {
  shmem_ctx_t ctx, other;
  shmem_init();
  shmem_ctx_create(0, &ctx);
  shmem_ctx_create(0, &other);
  job j = {shmem_calloc(64, 8), shmem_calloc(128, 8), shmem_calloc(300, 8), shmem_calloc(16, 8), 200, shmem_n_pes()};
  for (int pe = 0; pe < j.npes; pe++)
    for (int i = 0; i < 64; i++) ((int64_t*)shmem_ptr(j.table, pe))[i] = i * 5 % 17 + pe;
  for (int pe = 0; pe < j.npes; pe++)
    for (int i = 0; i < 16; i++) ((double*)shmem_ptr(j.reals, pe))[i] = i * 0.75;
  append(ctx, &j);
  chain(ctx, &j);
  beside(ctx, &j);
  operations(ctx, &j);
  versions(ctx, &j);
  elsewhere(ctx, &j);
  fetched_pe(ctx, &j);
  changed(ctx, &j);
  int64_t check = at_home(ctx, &j);
  repeated(ctx, &j);
  with_store(ctx, &j);
  on_two_contexts(ctx, other, &j);
  for (int pe = 0; pe < j.npes; pe++) {
    const int64_t *sums = shmem_ptr(j.sums, pe), *list = shmem_ptr(j.list, pe);
    for (int i = 0; i < 128; i++)
      if (i < 16 || i > 31) check = 31 * check + sums[i];
    int64_t listed = 0;
    for (int i = 1; i <= list[0]; i++) listed += list[i] * list[i];
    check = 31 * check + listed + list[0];
  }
  printf("%ld %ld\n", (long)check, (long)(pairs[0] + 2 * pairs[1] + 3 * pairs[2] + counter));
  shmem_ctx_destroy(other);
  shmem_ctx_destroy(ctx);
  shmem_finalize();
  return 0;
}
