/* What can run at the owner, and things near it that cannot. */
#include <shmem.h>
#include <stdio.h>

typedef struct {
  int pe;
  uint32_t place;
} target;

static void places(shmem_ctx_t ctx, const target* targets, int64_t n, int64_t* next, int64_t* rows) {
#pragma shmem defer
  for (int64_t k = 0; k < n; k++) {
    const int64_t place = shmem_ctx_int64_atomic_fetch_inc(ctx, &next[targets[k].place], targets[k].pe);
    shmem_ctx_int64_p(ctx, &rows[place], 3 * k + 1, targets[k].pe);
  }
  shmem_ctx_quiet(ctx);
}

static void adds(shmem_ctx_t ctx, int64_t n, int64_t* table, int64_t* sums, int npes) {
#pragma shmem defer
  for (int64_t k = 0; k < n; k++) {
    const int pe = (int)(k * 7 % npes);
    const int64_t v = shmem_ctx_int64_g(ctx, &table[k & 31], pe);
    const int64_t at = (v ^ k) & 63;
    shmem_ctx_int64_atomic_add(ctx, &sums[at], v * 3 - k, pe);
    shmem_ctx_int64_atomic_add(ctx, sums + 64, 1, pe);
  }
  shmem_ctx_quiet(ctx);
}

/* On another PE. */
static void elsewhere(shmem_ctx_t ctx, int64_t n, int64_t* table, int64_t* sums, int npes) {
#pragma shmem defer
  for (int64_t k = 0; k < n; k++) {
    const int64_t v = shmem_ctx_int64_g(ctx, &table[k & 31], (int)(k % npes));
    shmem_ctx_int64_atomic_add(ctx, &sums[v & 63], v, (int)((k + 1) % npes));
  }
  shmem_ctx_quiet(ctx);
}

/* On a PE that has changed. */
static void moves(shmem_ctx_t ctx, int64_t n, int64_t* table, int64_t* sums, int npes) {
  int pe = 0;
#pragma shmem defer
  for (int64_t k = 0; k < n; k++) {
    const int64_t v = shmem_ctx_int64_g(ctx, &table[k & 31], pe);
    pe = (int)(k % npes);
    shmem_ctx_int64_atomic_add(ctx, &sums[v & 63], v, pe);
  }
  shmem_ctx_quiet(ctx);
}

/* With a sum at home. */
static int64_t at_home(shmem_ctx_t ctx, int64_t n, int64_t* table, int64_t* sums, int npes) {
  int64_t c = 0;
#pragma shmem defer
  for (int64_t k = 0; k < n; k++) {
    const int pe = (int)(k % npes);
    const int64_t v = shmem_ctx_int64_g(ctx, &table[k & 31], pe);
    shmem_ctx_int64_atomic_add(ctx, &sums[v & 63], v, pe);
    c = 3 * c + v;
  }
  shmem_ctx_quiet(ctx);
  return c;
}

int main(void) {
  enum { n = 200, entries = 512 };
  shmem_ctx_t ctx;
  shmem_init();
  shmem_ctx_create(0, &ctx);
  const int npes = shmem_n_pes();
  int64_t *table = shmem_calloc(64, 8), *sums = shmem_calloc(128, 8), *next = shmem_calloc(8, 8),
          *rows = shmem_calloc(entries, 8);
  for (int pe = 0; pe < npes; pe++)
    for (int i = 0; i < 64; i++) {
      ((int64_t*)shmem_ptr(table, pe))[i] = i * 5 % 17 + pe;
      if (i < 8) ((int64_t*)shmem_ptr(next, pe))[i] = i * 50;
    }
  target targets[n];
  for (int k = 0; k < n; k++) targets[k] = (target){k * 3 % npes, (uint32_t)(k * 5 % 8)};
  places(ctx, targets, n, next, rows);
  adds(ctx, n, table, sums, npes);
  elsewhere(ctx, n, table, sums, npes);
  moves(ctx, n, table, sums, npes);
  const int64_t c = at_home(ctx, n, table, sums, npes);
  /* The order of places is open, what is in them is not. */
  int64_t check = c;
  for (int pe = 0; pe < npes; pe++) {
    for (int i = 0; i < entries; i++) check += ((int64_t*)shmem_ptr(rows, pe))[i] * (1 + i / 50 + 10 * pe);
    for (int i = 0; i < 128; i++) check = 31 * check + ((int64_t*)shmem_ptr(sums, pe))[i];
    for (int i = 0; i < 8; i++) check = 31 * check + ((int64_t*)shmem_ptr(next, pe))[i];
  }
  printf("%ld\n", (long)check);
  shmem_ctx_destroy(ctx);
  shmem_finalize();
  return 0;
}
