/* SPDX-License-Identifier: BSD-3-Clause */
/* What is true of one arm, one call or one version of the program only: that a sum does not overflow, which
   type memory has, that two pointers differ, that a variable has a value; and counters of which a part is
   read. All PEs hold the same, so that each can say what must come out. */
#include "job.h"

enum { cells = 64, rows = 500, low_values = 256 };

typedef union {
  uint32_t number;
  uint8_t low;
} counter;

static int64_t value_at(int64_t i) {
  return (int64_t)(mixed(7, (uint64_t)(i % cells)) % 1000);
}

/* The low byte of a counter comes to the same places again. */
static int64_t low_bytes(shmem_ctx_t ctx, int64_t* own, int me) {
  counter at;
#pragma shmem defer
  for (at.number = 0; at.number < rows; at.number++)
    own[at.low] = shmem_ctx_int64_g(ctx, &own[at.low], me) * 3 + 1;
  shmem_ctx_quiet(ctx);
  int64_t wrong = 0;
  for (int64_t i = 0; i < low_values; i++) wrong += own[i] != (i + low_values < rows ? 4 : 1);
  return wrong;
}

/* Arms that begin alike, but that the sum of the one that is not come to must not overflow. */
static int64_t sums(shmem_ctx_t ctx, const int64_t* s, int npes, int32_t top, int32_t more, int one) {
  int64_t greater = 0;
#pragma shmem defer
  for (int i = 0; i < rows; i++) {
    int32_t sum;
    int64_t value;
    if (one) {
      sum = top + more;
      value = shmem_ctx_int64_g(ctx, &s[i % cells], i % npes);
    } else {
      sum = (int32_t)((uint32_t)top + (uint32_t)more);
      value = shmem_ctx_int64_g(ctx, &s[(i + 1) % cells], i % npes);
    }
    greater += sum > top ? value : 0;
  }
  shmem_ctx_quiet(ctx);
  return greater;
}

/* ... or that it reads memory as what it is not. */
static int64_t types(shmem_ctx_t ctx, const int64_t* s, int npes, const void* read, long long* written,
                     int one) {
  int64_t sum = 0;
#pragma shmem defer
  for (int i = 0; i < rows; i++) {
    int64_t known, value;
    *written = i;
    if (one) {
      known = *(const long*)read;
      *written = -1;
      value = shmem_ctx_int64_g(ctx, &s[(i + 1) % cells], i % npes);
    } else {
      known = *(const long long*)read;
      *written = -1;
      value = shmem_ctx_int64_g(ctx, &s[i % cells], i % npes);
    }
    sum += known + value;
  }
  shmem_ctx_quiet(ctx);
  return sum;
}

/* In each call the two are different places, but one call's first is the next one's second. */
static inline void step(int64_t* restrict to, const int64_t* restrict from, int64_t value) {
  *to = *from + value;
}
static void steps(shmem_ctx_t ctx, const int64_t* s, int npes, int64_t* out) {
#pragma shmem defer
  for (int i = 0; i < rows; i++) step(&out[i + 1], &out[i], shmem_ctx_int64_g(ctx, &s[i % cells], i % npes));
  shmem_ctx_quiet(ctx);
}

/* A variable that has no value, and is not used. */
static inline void numbered(shmem_ctx_t ctx, int64_t* next, int64_t* list, int npes, int scaled) {
  int64_t scale;
  if (scaled) scale = 3;
#pragma shmem defer
  for (int i = 0; i < rows; i++) {
    int64_t place = shmem_ctx_int64_atomic_fetch_inc(ctx, next, i % npes);
    if (scaled) place *= scale;
    shmem_ctx_int64_atomic_add(ctx, &list[place], 1, i % npes);
  }
  shmem_ctx_quiet(ctx);
}

static int64_t check(shmem_ctx_t ctx, const int64_t* s, int npes) {
  static int64_t out[rows + 1];
  volatile int32_t top = INT32_MAX, more = 1;
  volatile int one = 0;
  long long shared;
  int64_t sum = 0, wrong = 0, previous = 0;
  for (int64_t i = 0; i < rows; i++) sum += i + value_at(i);
  wrong += sums(ctx, s, npes, top, more, one) != 0;
  wrong += types(ctx, s, npes, &shared, &shared, one) != sum;
  out[0] = 0;
  steps(ctx, s, npes, out);
  for (int64_t i = 0; i < rows; i++) {
    previous += value_at(i);
    wrong += out[i + 1] != previous;
  }
  return wrong;
}

int main(void) {
  shmem_ctx_t ctx = start();
  const int npes = shmem_n_pes();
  int64_t *s = symmetric(cells), *wrong = symmetric(1), *own = symmetric(low_values), *next = symmetric(1),
          *list = symmetric(rows * npes);
  FOR_MY_PES(me)
  for (int64_t i = 0; i < cells; i++) PART(s, me)[i] = value_at(i);
  shmem_barrier_all();
  FOR_MY_PES(me) {
    int64_t found = check(ctx, s, npes);
    if (me == 0) found += low_bytes(ctx, own, me);
    numbered(ctx, next, list, npes, 0);
    shmem_ctx_int64_atomic_add(ctx, wrong, found, 0);
    shmem_ctx_quiet(ctx);
  }
  shmem_barrier_all();
  FOR_MY_PES(me) {
    int64_t missing = 0;
    for (int64_t i = 0; i < PART(next, me)[0]; i++) missing += PART(list, me)[i] != 1;
    shmem_ctx_int64_atomic_add(ctx, wrong, missing, 0);
    shmem_ctx_quiet(ctx);
  }
  shmem_barrier_all();
  if (shmem_my_pe() == 0) printf("wrong: %ld\n", (long)*wrong);
  shmem_ctx_destroy(ctx);
  shmem_finalize();
  return 0;
}
