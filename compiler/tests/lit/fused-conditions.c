// Conditions in what runs at the owner: which go there, and which do not.
// RUN: %same %s
// RUN: %instrumented --levels O0 --orders random --flags="-fno-sanitize=null" %s
// RUN: %cc -O0 -g -c %s -o /dev/null -Rpass=windrow-defer 2>&1 | %FileCheck %s
#include <shmem.h>
#include <stdio.h>

typedef struct {
  int64_t *table, *sums, *none;
  int64_t n, limit;
  int npes;
} job;

static int64_t weights[64];

static void guarded(shmem_ctx_t ctx, const job* j) {
  int64_t *table = j->table, *sums = j->sums;
  const int64_t limit = j->limit;
#pragma shmem defer
  for (int64_t k = 0; k < j->n; k++) {
    const int pe = (int)(k % j->npes);
    // CHECK: fused-conditions.c:[[#@LINE+1]]:{{[0-9]+}}: remark: fused at owner
    const int64_t v = shmem_ctx_int64_g(ctx, &table[k & 31], pe);
    if (v < limit && (v & 1)) shmem_ctx_int64_atomic_add(ctx, &sums[v], k, pe);
  }
  shmem_ctx_quiet(ctx);
}

static void either(shmem_ctx_t ctx, const job* j) {
  int64_t *table = j->table, *sums = j->sums;
#pragma shmem defer
  for (int64_t k = 0; k < j->n; k++) {
    const int pe = (int)(k * 3 % j->npes);
    // CHECK: fused-conditions.c:[[#@LINE+1]]:{{[0-9]+}}: remark: fused at owner
    const int64_t v = shmem_ctx_int64_atomic_fetch(ctx, &table[k & 31], pe);
    int64_t twice = k;
    if (v > 9) {
      twice = 2 * v;
      if (k & 1) shmem_ctx_int64_atomic_add(ctx, &sums[80], k, pe);
    } else if (k > 20) {
      shmem_ctx_int64_atomic_add(ctx, sums + 81, v, pe);
    }
    shmem_ctx_int64_atomic_add(ctx, &sums[v & 7], v > k ? twice : v, pe);
  }
  shmem_ctx_quiet(ctx);
}

static void switched(shmem_ctx_t ctx, const job* j) {
  int64_t *table = j->table, *sums = j->sums;
#pragma shmem defer
  for (int64_t k = 0; k < j->n; k++) {
    const int pe = (int)(k * 5 % j->npes);
    // CHECK: fused-conditions.c:[[#@LINE+1]]:{{[0-9]+}}: remark: fused at owner
    const int64_t v = shmem_ctx_int64_g(ctx, &table[k & 31], pe);
    switch (v & 3) {
      case 0: shmem_ctx_int64_atomic_add(ctx, &sums[90], k, pe); break;
      case 1: shmem_ctx_int64_atomic_add(ctx, &sums[91], v, pe);
      case 2: shmem_ctx_int64_atomic_add(ctx, &sums[92], 1, pe); break;
      default: break;
    }
  }
  shmem_ctx_quiet(ctx);
}

/* A captured value on one side only (found by fuzzing). */
static void chosen(shmem_ctx_t ctx, const job* j) {
  int64_t *table = j->table, *sums = j->sums;
#pragma shmem defer
  for (int64_t k = 0; k < j->n; k++) {
    const int pe = (int)(k * 5 % j->npes);
    const int64_t other = k * 3;
    // CHECK: fused-conditions.c:[[#@LINE+1]]:{{[0-9]+}}: remark: fused at owner
    const int64_t v = shmem_ctx_int64_g(ctx, &table[k & 31], pe);
    shmem_ctx_int64_atomic_add(ctx, &sums[100 + (v & 3)], v > 5 && other > 50 ? v : other, pe);
  }
  shmem_ctx_quiet(ctx);
}

/* An object that there is not, if the condition does not hold. */
static void perhaps(shmem_ctx_t ctx, const job* j) {
  int64_t *table = j->table, *none = j->none;
#pragma shmem defer
  for (int64_t k = 0; k < j->n; k++) {
    const int pe = (int)(k % j->npes);
    // CHECK: fused-conditions.c:[[#@LINE+1]]:{{[0-9]+}}: remark: fused at owner
    const int64_t v = shmem_ctx_int64_g(ctx, &table[k & 31], pe);
    if (v < 0) shmem_ctx_int64_p(ctx, &none[v], k, pe);
  }
  shmem_ctx_quiet(ctx);
}

/* A read that only the condition allows. */
static void allowed_read(shmem_ctx_t ctx, const job* j) {
  int64_t *table = j->table, *sums = j->sums;
  const int64_t* list = 0;
#pragma shmem defer
  for (int64_t k = 0; k < j->n; k++) {
    const int pe = (int)(k % j->npes);
    // CHECK: fused-conditions.c:[[#@LINE+1]]:{{[0-9]+}}: remark: deferred
    const int64_t v = shmem_ctx_int64_g(ctx, &table[k & 31], pe);
    if (v < 0) shmem_ctx_int64_atomic_add(ctx, &sums[8], list[k], pe);
    if (v > 4) shmem_ctx_int64_atomic_add(ctx, &sums[9], weights[v], pe);
  }
  shmem_ctx_quiet(ctx);
}

static void repeated(shmem_ctx_t ctx, const job* j) {
  int64_t *table = j->table, *sums = j->sums;
#pragma shmem defer
  for (int64_t k = 0; k < j->n; k++) {
    const int pe = (int)(k % j->npes);
    // CHECK: fused-conditions.c:[[#@LINE+1]]:{{[0-9]+}}: remark: deferred
    const int64_t v = shmem_ctx_int64_g(ctx, &table[k & 31], pe);
    for (int64_t i = 0; i < (v & 3); i++) shmem_ctx_int64_atomic_add(ctx, &sums[10 + i], v, pe);
  }
  shmem_ctx_quiet(ctx);
}

static void elsewhere(shmem_ctx_t ctx, const job* j) {
  int64_t *table = j->table, *sums = j->sums;
#pragma shmem defer
  for (int64_t k = 0; k < j->n; k++) {
    const int pe = (int)(k % j->npes), other = (int)((k + 1) % j->npes);
    // CHECK: fused-conditions.c:[[#@LINE+1]]:{{[0-9]+}}: remark: deferred
    const int64_t v = shmem_ctx_int64_g(ctx, &table[k & 31], pe);
    if (v & 1)
      shmem_ctx_int64_atomic_add(ctx, &sums[20], v, pe);
    else
      shmem_ctx_int64_atomic_add(ctx, &sums[21], v, other);
  }
  shmem_ctx_quiet(ctx);
}

/* With a sum at home. */
static int64_t at_home(shmem_ctx_t ctx, const job* j) {
  int64_t *table = j->table, *sums = j->sums, c = 0;
#pragma shmem defer
  for (int64_t k = 0; k < j->n; k++) {
    const int pe = (int)(k % j->npes);
    // CHECK: fused-conditions.c:[[#@LINE+1]]:{{[0-9]+}}: remark: deferred
    const int64_t v = shmem_ctx_int64_g(ctx, &table[k & 31], pe);
    if (v & 1)
      shmem_ctx_int64_atomic_add(ctx, &sums[30], v, pe);
    else
      c = 3 * c + v;
  }
  shmem_ctx_quiet(ctx);
  return c;
}

/* With a sum that other deferred code makes. */
static void after_others(shmem_ctx_t ctx, const job* j) {
  int64_t *table = j->table, *sums = j->sums, c = 0;
#pragma shmem defer
  for (int64_t k = 0; k < j->n; k++) {
    const int pe = (int)(k % j->npes);
    if (k & 1) {
      // CHECK: fused-conditions.c:[[#@LINE+1]]:{{[0-9]+}}: remark: deferred
      c += shmem_ctx_int64_g(ctx, &table[k & 15], 1 % j->npes);
    } else {
      // CHECK: fused-conditions.c:[[#@LINE+1]]:{{[0-9]+}}: remark: deferred
      const int64_t v = shmem_ctx_int64_g(ctx, &table[k & 31], pe);
      shmem_ctx_int64_atomic_add(ctx, &sums[40 + (v & 7)], c, pe);
    }
  }
  shmem_ctx_quiet(ctx);
}

int main(void) {
  shmem_ctx_t ctx;
  shmem_init();
  shmem_ctx_create(0, &ctx);
  job j = {shmem_calloc(64, 8), shmem_calloc(128, 8), 0, 200, 12, shmem_n_pes()};
  for (int i = 0; i < 64; i++) weights[i] = i * i;
  for (int pe = 0; pe < j.npes; pe++)
    for (int i = 0; i < 64; i++) ((int64_t*)shmem_ptr(j.table, pe))[i] = i * 5 % 17 + pe;
  guarded(ctx, &j);
  either(ctx, &j);
  switched(ctx, &j);
  chosen(ctx, &j);
  perhaps(ctx, &j);
  allowed_read(ctx, &j);
  repeated(ctx, &j);
  elsewhere(ctx, &j);
  int64_t check = at_home(ctx, &j);
  after_others(ctx, &j);
  for (int pe = 0; pe < j.npes; pe++)
    for (int i = 0; i < 128; i++) check = 31 * check + ((int64_t*)shmem_ptr(j.sums, pe))[i];
  printf("%ld\n", (long)check);
  shmem_ctx_destroy(ctx);
  shmem_finalize();
  return 0;
}
