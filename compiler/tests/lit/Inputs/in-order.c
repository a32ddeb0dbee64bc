/* Values that are fetched on a condition or summed up in an inner loop, and used behind it. */
#include <shmem.h>
#include <stdio.h>

enum { cells = 64, rows = 40 };
static int64_t out[rows], log_of[rows];

static int64_t conditional(shmem_ctx_t ctx, const int64_t* s) {
  int64_t seen = 0;
#pragma shmem defer
  for (int64_t i = 0; i < rows; i++) {
    int64_t v = i;
    if (i % 3 == 1)
      v = shmem_ctx_int64_g(ctx, &s[i], 1);
    else if (i % 3 == 2)
      v += shmem_ctx_int64_g(ctx, &s[cells - 1 - i], 2);
    out[i] = v * 2;
    seen = 3 * seen + v;
  }
  shmem_ctx_quiet(ctx);
  return seen;
}

static void sums(shmem_ctx_t ctx, const int64_t* s) {
#pragma shmem defer
  for (int64_t r = 0; r < rows; r++) {
    int64_t sum = 0, largest = -1;
    for (int64_t i = 0; i < r % 7; i++) {
      const int64_t v = shmem_ctx_int64_g(ctx, &s[(r * 5 + i) % cells], (int)(i & 3));
      sum += v;
      if (v > largest) largest = v;
    }
    out[r] += sum;
    if (r & 1) log_of[r] = largest;
  }
  shmem_ctx_quiet(ctx);
}

/* The fetch depends on what came of an earlier one. */
static int64_t two_levels(shmem_ctx_t ctx, const int64_t* s) {
  int64_t total = 0;
#pragma shmem defer
  for (int64_t r = 0; r < rows; r++) {
    int64_t place = r;
    if (r & 2) place = shmem_ctx_int64_g(ctx, &s[r], 3);
    total += shmem_ctx_int64_g(ctx, &s[place % cells], 1);
  }
  shmem_ctx_quiet(ctx);
  return total;
}

int main(void) {
  shmem_init();
  shmem_ctx_t ctx;
  shmem_ctx_create(0, &ctx);
  int64_t* s = shmem_malloc(cells * sizeof *s);
  for (int pe = 0; pe < shmem_n_pes(); pe++)
    for (int i = 0; i < cells; i++) ((int64_t*)shmem_ptr(s, pe))[i] = (i * 37 + pe * 11) % 29;
  printf("%lld", (long long)conditional(ctx, s));
  sums(ctx, s);
  printf(" %lld", (long long)two_levels(ctx, s));
  for (int i = 0; i < rows; i++) printf(" %lld %lld", (long long)out[i], (long long)log_of[i]);
  printf("\n");
  shmem_finalize();
  return 0;
}
