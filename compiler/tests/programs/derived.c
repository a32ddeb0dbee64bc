/* SPDX-License-Identifier: BSD-3-Clause */
/* The same place by two pointers, where the second has been made of the first in a way that no type tells: in
 * pieces, as a number, as a distance, by other functions. Inside of the statement the round writes by the
 * one what the dependent code reads by the other; behind it the code reads by the one what the dependent code
 * writes by the other. */
#include <stdarg.h>
#include <string.h>

#include "job.h"

enum { places = 64, rounds = 8 };

struct halves {
  uint32_t low, high;
};

struct both {
  int64_t *first, *second;
};

union boxed {
  int64_t* address;
  double number;
  unsigned char bytes[sizeof(int64_t*)];
};

static int64_t* in_halves(int64_t* p) {
  struct halves kept = {(uint32_t)(uintptr_t)p, (uint32_t)((uintptr_t)p >> 32)};
  return (int64_t*)((uintptr_t)kept.high << 32 | kept.low);
}

static int64_t* by_bytes(int64_t* p) {
  int64_t* q;
  for (size_t i = 0; i < sizeof p; i++) ((char*)&q)[i] = ((char*)&p)[i];
  return q;
}

static void copy_bytes(char* to, const char* from, size_t bytes) {
  for (size_t i = 0; i < bytes; i++) to[i] = from[i];
}

static int64_t* by_a_copying_function(int64_t* p) {
  int64_t* q;
  copy_bytes((char*)&q, (const char*)&p, sizeof q);
  return q;
}

static int64_t* in_a_number(int64_t* p) {
  union boxed one = {.address = p}, other;
  other.number = one.number;
  return other.address;
}

static int64_t* in_bytes(int64_t* p) {
  union boxed one = {.address = p}, other;
  for (size_t i = sizeof one; i-- > 0;) other.bytes[i] = one.bytes[i];
  return other.address;
}

static int64_t* turned(int64_t* p) {
  return (int64_t*)__builtin_bswap64(__builtin_bswap64((uintptr_t)p));
}

static int64_t* rotated(int64_t* p) {
  const uintptr_t bits = (uintptr_t)p << 20 | (uintptr_t)p >> 44;
  return (int64_t*)(bits >> 20 | bits << 44);
}

static int64_t* with_overflow(int64_t* p) {
  uintptr_t sum;
  (void)__builtin_add_overflow((uintptr_t)p, (uintptr_t)0, &sum);
  return (int64_t*)sum;
}

static int64_t* exchanged(int64_t* p) {
  int64_t* kept = NULL;
  __atomic_exchange_n(&kept, p, __ATOMIC_RELAXED);
  return __atomic_exchange_n(&kept, NULL, __ATOMIC_RELAXED);
}

static int64_t* compared(int64_t* p) {
  int64_t *kept = NULL, *expected = NULL;
  __atomic_compare_exchange_n(&kept, &expected, p, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return kept;
}

static int64_t* from_a_constant(int64_t* p) {
  const intptr_t base = 64, distance = (intptr_t)p - base;
  return (int64_t*)(base + distance);
}

static int64_t* filled(int64_t* p) {
  int64_t* all[4];
  for (int64_t** one = all; one < all + 4; one++) *one = p;
  return all[2];
}

static void set_behind(int64_t* p, int64_t*** to) {
  **to = p;
}

static int64_t* by_two_steps(int64_t* p) {
  int64_t *q = NULL, **to = &q;
  set_behind(p, &to);
  return q;
}

static int64_t* copied_by_words(int64_t* p) {
  struct both one = {p, p}, other;
  for (size_t i = 0; i < sizeof one / sizeof(uint32_t); i++) {
    uint32_t word;
    memcpy(&word, (char*)&one + i * sizeof word, sizeof word);
    memcpy((char*)&other + i * sizeof word, &word, sizeof word);
  }
  return other.second;
}

static int64_t* given(int count, ...) {
  va_list all;
  va_start(all, count);
  int64_t* p = va_arg(all, int64_t*);
  va_end(all);
  return p;
}

static int64_t* as_an_argument(int64_t* p) {
  return given(1, p);
}

/* clang-format off */
#define WAYS(USE) \
  USE(in_halves) USE(by_bytes) USE(by_a_copying_function) USE(in_a_number) USE(in_bytes) USE(turned) USE(rotated) \
  USE(with_overflow) USE(exchanged) USE(compared) USE(from_a_constant) USE(filled) \
  USE(by_two_steps) USE(copied_by_words) USE(as_an_argument)
/* clang-format on */

#define IN_THE_STATEMENT(WAY)                                                               \
  static int64_t within_##WAY(shmem_ctx_t ctx, const int64_t* values, int pe, int64_t* p) { \
    int64_t found[2 * rounds], sum = 0;                                                     \
    int64_t* q = WAY(p);                                                                    \
    _Pragma("shmem defer") for (int64_t i = 0; i < rounds; i++) {                           \
      *q = i + 1;                                                                           \
      for (int64_t j = 0; j < 2; j++)                                                       \
        found[2 * i + j] = shmem_ctx_int64_g(ctx, &values[i * 2 + j], pe) * 100 + *p;       \
    }                                                                                       \
    for (int64_t i = 0; i < 2 * rounds; i++) sum = sum * 31 + found[i];                     \
    return sum;                                                                             \
  }                                                                                         \
  static int64_t behind_##WAY(shmem_ctx_t ctx, const int64_t* values, int pe, int64_t* p) { \
    int64_t* q = WAY(p);                                                                    \
    *p = 0;                                                                                 \
    _Pragma("shmem defer") for (int64_t i = 0; i < rounds; i++)* p +=                       \
        shmem_ctx_int64_g(ctx, &values[i], pe);                                             \
    const int64_t sum = *q;                                                                 \
    shmem_ctx_quiet(ctx);                                                                   \
    return sum;                                                                             \
  }
WAYS(IN_THE_STATEMENT)

#define PRINT(WAY)                                                                                          \
  {                                                                                                         \
    const int64_t one = within_##WAY(ctx, values, pe, place), other = behind_##WAY(ctx, values, pe, place); \
    if (me == 0) printf("%s: %llx %lld\n", #WAY, (unsigned long long)one, (long long)other);                \
  }

int main(void) {
  shmem_ctx_t ctx = start();
  int64_t* values = symmetric(places);
  int64_t* place = calloc(1, sizeof *place);
  FOR_MY_PES(me)
  for (int64_t i = 0; i < places; i++) PART(values, me)[i] = (int64_t)(mixed((uint64_t)i, 5) % 1000);
  shmem_barrier_all();
  FOR_MY_PES(me) {
    const int pe = (me + 1) % shmem_n_pes();
    WAYS(PRINT)
  }
  shmem_barrier_all();
  free(place);
  shmem_free(values);
  shmem_ctx_destroy(ctx);
  shmem_finalize();
  return 0;
}
