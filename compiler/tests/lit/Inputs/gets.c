/* Values fetched by get: of small types, in conditions, and behind each other. */
#include <shmem.h>
#include <stdio.h>

enum { cells = 64 };

static int64_t chain(shmem_ctx_t ctx, const int64_t* s, const short* small, int64_t n) {
  int64_t c = 0;
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) {
    int64_t place, value;
    short little;
    shmem_ctx_int64_get(ctx, &place, &s[i % cells], 1, (int)(i & 3));
    shmem_ctx_short_get(ctx, &little, &small[i % cells], 1, 2);
    shmem_ctx_int64_get(ctx, &value, &s[(place + little) & (cells - 1)], 1, (int)(place & 3));
    if (value & 1)
      c = 3 * c + value;
    else
      c ^= little;
  }
  shmem_ctx_quiet(ctx);
  return c;
}

int main(void) {
  shmem_init();
  shmem_ctx_t ctx;
  shmem_ctx_create(0, &ctx);
  int64_t* s = shmem_malloc(cells * sizeof *s);
  short* small = shmem_malloc(cells * sizeof *small);
  for (int pe = 0; pe < shmem_n_pes(); pe++)
    for (int i = 0; i < cells; i++) {
      ((int64_t*)shmem_ptr(s, pe))[i] = (i * 37 + pe * 11) % 29;
      ((short*)shmem_ptr(small, pe))[i] = (short)(pe - i);
    }
  printf("%lld\n", (long long)chain(ctx, s, small, 500));
  shmem_finalize();
  return 0;
}
