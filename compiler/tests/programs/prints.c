/* SPDX-License-Identifier: BSD-3-Clause */
/* Output that stays in its round stores how much has been printed (%n), which dependent code of the round
 * reads. */
#include "job.h"

enum { places = 64, rounds = 8 };

static int printed;
static const char* format = "%s%n\n";

static int64_t known(shmem_ctx_t ctx, FILE* sink, const int64_t* values, int pe) {
  static const char* const texts[] = {"a", "bb", "ccc", "dddd", "eeeee", "f", "gg", "hhh"};
  int64_t found[2 * rounds], sum = 0;
#pragma shmem defer
  for (int64_t i = 0; i < rounds; i++) {
    fprintf(sink, "%%n %s%n\n", texts[i], &printed);
    for (int64_t j = 0; j < 2; j++)
      found[2 * i + j] = shmem_ctx_int64_g(ctx, &values[i * 2 + j], pe) * 100 + printed;
  }
  for (int64_t i = 0; i < 2 * rounds; i++) sum = sum * 31 + found[i];
  return sum;
}

static int64_t unknown(shmem_ctx_t ctx, FILE* sink, const int64_t* values, int pe, const char* text) {
  int64_t found[2 * rounds], sum = 0;
#pragma shmem defer
  for (int64_t i = 0; i < rounds; i++) {
    fprintf(sink, format, text + i, &printed);
    for (int64_t j = 0; j < 2; j++)
      found[2 * i + j] = shmem_ctx_int64_g(ctx, &values[i * 2 + j], pe) * 100 + printed;
  }
  for (int64_t i = 0; i < 2 * rounds; i++) sum = sum * 31 + found[i];
  return sum;
}

/* %m reads errno, which this file does not name. */
static int64_t reason(shmem_ctx_t ctx, FILE* sink, const int64_t* values, int pe, const char* digits) {
  int64_t found[2 * rounds], sum = 0;
#pragma shmem defer
  for (int64_t i = 0; i < rounds; i++) {
    if (i > 0) fprintf(sink, "%m\n");
    for (int64_t j = 0; j < 2; j++) {
      const int64_t v = shmem_ctx_int64_g(ctx, &values[i * 2 + j], pe);
      found[2 * i + j] = strtol(digits + (v & 1), NULL, 10) / 3 + v;
    }
  }
  for (int64_t i = 0; i < 2 * rounds; i++) sum = sum * 31 + found[i];
  return sum;
}

int main(void) {
  shmem_ctx_t ctx = start();
  int64_t* values = symmetric(places);
  FILE* sink = fopen("/dev/null", "w");
  FOR_MY_PES(me)
  for (int64_t i = 0; i < places; i++) PART(values, me)[i] = (int64_t)(mixed((uint64_t)i, 11) % 1000);
  shmem_barrier_all();
  FOR_MY_PES(me) {
    const int pe = (me + 1) % shmem_n_pes();
    const int64_t one = known(ctx, sink, values, pe), other = unknown(ctx, sink, values, pe, "eight or more");
    const int64_t third = reason(ctx, me == 0 ? stdout : sink, values, pe, "99999999999999999999");
    if (me == 0) printf("%lld %lld %lld\n", (long long)one, (long long)other, (long long)third);
  }
  fclose(sink);
  shmem_finalize();
  return 0;
}
