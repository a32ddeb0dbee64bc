/* Swaps of values that alternate, all on one place: the last one is what stays, and each returns the one
 * before. */
#include <shmem.h>
#include <shmemx.h>
#include <stdint.h>
#include <stdio.h>

int main(void) {
  shmem_init();
  int64_t* place = shmem_calloc(1, sizeof *place);
  int64_t found[4] = {0};
  shmem_ctx_t ctx;
  shmem_ctx_create(SHMEMX_CTX_AGGREGATE, &ctx);
  int64_t value = 3;
#pragma shmem defer
  for (int64_t i = 0; i < 7; i++) {
    const int64_t before = shmem_ctx_int64_atomic_swap(ctx, place, value, shmem_my_pe());
    found[before] += i + 1;
    value ^= 1;
  }
  shmem_ctx_quiet(ctx);
  if (shmem_my_pe() == 0)
    printf("%ld left, %ld %ld %ld found\n", (long)*place, (long)found[0], (long)found[2], (long)found[3]);
  shmem_finalize();
  return 0;
}
