/* Found by fuzzing: the call between the read and the write of the sum kept the read from being deferred, and updates by
   deferred code were lost. */
#include <shmem.h>
#include <stdio.h>

static int64_t sums[16], calls;
__attribute__((noinline)) static int64_t place(int64_t i) {
  calls++;
  return i & 1;
}

int main(void) {
  shmem_ctx_t ctx;
  shmem_init();
  shmem_ctx_create(0, &ctx);
  int64_t* s = shmem_calloc(8, sizeof *s);
  for (int i = 0; i < 8; i++) ((int64_t*)shmem_ptr(s, 1))[i] = i + 1;
#pragma shmem defer
  for (int64_t i = 0; i < 8; i++) {
    const int64_t v = shmem_ctx_int64_g(ctx, &s[i], 1);
    sums[place(i)] = sums[place(i)] + v;
  }
  shmem_ctx_quiet(ctx);
  printf("%ld %ld %ld\n", (long)sums[0], (long)sums[1], (long)calls);
  shmem_ctx_destroy(ctx);
  shmem_finalize();
  return 0;
}
