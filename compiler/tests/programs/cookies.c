/* SPDX-License-Identifier: BSD-3-Clause */
/* A stream that calls functions of the program. */
#define _GNU_SOURCE
#include "job.h"

enum { n = 40 };
static int64_t written;

static ssize_t count(void* cookie, const char* bytes, size_t number) {
  (void)cookie, (void)bytes;
  written += (int64_t)number;
  return (ssize_t)number;
}

static int64_t sum(shmem_ctx_t ctx, FILE* stream, const int64_t* values, int pe) {
  int64_t found[2 * n], all = 0;
#pragma shmem defer
  for (int i = 0; i < n; i++) {
    fputc('+', stream);
    for (int j = 0; j < 2; j++)
      found[2 * i + j] = shmem_ctx_int64_g(ctx, &values[2 * i + j], pe) * 100 + written;
  }
  for (int i = 0; i < 2 * n; i++) all = all * 31 + found[i] % 1000;
  return all;
}

int main(void) {
  shmem_ctx_t ctx = start();
  int64_t* values = symmetric(2 * n);
  FILE* stream = fopencookie(NULL, "w", (cookie_io_functions_t){.write = count});
  setbuf(stream, NULL);
  FOR_MY_PES(me)
  for (int i = 0; i < 2 * n; i++) PART(values, me)[i] = (int64_t)(mixed((uint64_t)i, 3) % 1000);
  shmem_barrier_all();
  FOR_MY_PES(me) {
    written = 0;
    const int64_t all = sum(ctx, stream, values, (me + 1) % shmem_n_pes());
    if (me == 0) printf("%lld\n", (long long)all);
  }
  fclose(stream);
  shmem_finalize();
  return 0;
}
