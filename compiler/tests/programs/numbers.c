/* SPDX-License-Identifier: BSD-3-Clause */
/* Fetches of what earlier rounds store, at places of which the compiler cannot tell that they are the same:
 * computed by functions, in floating point, in wide numbers, of memory that another member of a union has
 * set, or chosen. And two by data, which need not wait. */
#include <string.h>
#include <strings.h>

#include "job.h"

enum { entries = 256, rounds = 40 };

static int64_t data[entries]; /* nobody writes it meanwhile */
static shmem_ctx_t ctx;
static int64_t* a;
static int me;

#define CASE(name) static void name(void)
#define FETCH(at) shmem_ctx_int64_g(ctx, &a[at], me)
#define STEP(from, to)                  \
  {                                     \
    const int64_t found = FETCH(from);  \
    a[to] = (found * 3 + 1) & 0xffffff; \
  }
/* At `index` of a number that each round has one more of. */
#define CASE_OF(name, type, index)                                                        \
  CASE(name) {                                                                            \
    _Pragma("shmem defer") for (type i = 1; i < rounds; i++) STEP(index(i), index(i + 1)) \
  }

static int64_t steps_to(int64_t n) {
  return n < 1 ? 0 : 1 + steps_to(n - 1);
}
static int64_t first_above(int64_t n) {
  int64_t root = 0;
  while (root * root < n) root++;
  return root;
}
#define POPCOUNT(i) __builtin_popcountl((unsigned long)(i))
#define PARITY(i) __builtin_parity((unsigned)(i))
#define TURNED(i) __builtin_bswap32(__builtin_bswap32((uint32_t)(i)))
#define REAL(i) (int64_t)((double)(i) * 0.5)
#define COMPARED(i) ((double)(i) > 7.5)
#define CHAIN(i) ((i) > 3 && (i) < 30 && ((i) & 1))

CASE_OF(recursion, int64_t, steps_to)
CASE_OF(loop_inside, int64_t, first_above)
CASE_OF(of_the_library, int, ffs)
CASE_OF(population, int64_t, POPCOUNT)
CASE_OF(parity, int, PARITY)
CASE_OF(bytes, int64_t, TURNED)
CASE_OF(real, int, REAL)
CASE_OF(compared_reals, int, COMPARED)
CASE_OF(chain, int, CHAIN)

CASE(real_counter) {
  float at = 0;
#pragma shmem defer
  for (int i = 0; i < rounds; i++) {
    STEP((int64_t)at, (int64_t)at + 1)
    at += 1;
  }
}
CASE(wide_counter) {
  __int128 at = 0;
#pragma shmem defer
  for (int i = 0; i < rounds; i++) {
    STEP((int64_t)at, (int64_t)at + 1)
    at++;
  }
}
CASE(upper_half) {
  unsigned __int128 at = 0;
#pragma shmem defer
  for (int i = 0; i < rounds; i++) {
    STEP((int64_t)(at >> 64), (int64_t)(at >> 64) + 1)
    at += (unsigned __int128)1 << 64;
  }
}
CASE(two_elements) {
  typedef int64_t both __attribute__((vector_size(16)));
  both at = {0, 1};
#pragma shmem defer
  for (int i = 0; i < rounds; i++) {
    STEP(at[0], at[1])
    at += 1;
  }
}
CASE(text) {
  char letters[rounds + 1] = "";
#pragma shmem defer
  for (int i = 0; i < rounds; i++) {
    letters[i] = 'x';
    const size_t length = strlen(letters);
    STEP(length, length + 1)
  }
}
CASE(volatile_counter) {
  volatile int at = 0;
#pragma shmem defer
  for (int i = 0; i < rounds; i++) {
    STEP(at, at + 1)
    at++;
  }
}

/* Other types in one place. */
typedef union {
  int64_t all;
  int32_t parts[2];
  double real;
} parts;
__attribute__((noinline)) static void set_by_part(parts* at) {
#pragma shmem defer
  for (int i = 0; i < rounds; i++) {
    at->parts[0] = i;
    const int64_t index = at->all;
    STEP(index, index + 1)
  }
}
CASE(members) {
  parts at = {0};
  set_by_part(&at);
}
__attribute__((noinline)) static void set_by_real(parts* at) {
#pragma shmem defer
  for (int i = 0; i < rounds; i++) {
    at->real = 1 << (i / 4 + 1);
    const int64_t index = (at->all >> 52) & 63;
    STEP(index, index + 1)
  }
}
CASE(exponents) {
  parts at = {0};
  set_by_real(&at);
}

/* A context that is set as a number, and byte by byte. */
typedef union {
  shmem_ctx_t context;
  uintptr_t number;
  char bytes[sizeof(shmem_ctx_t)];
} kept;
static void with_kept(kept* in, int by_bytes) {
  int64_t sum = 0;
#pragma shmem defer
  for (int i = 0; i < rounds; i++) {
    sum = sum * 3 + i;
    if (by_bytes)
      for (size_t k = 0; k < sizeof ctx; k++) in->bytes[k] = ((const char*)&ctx)[k];
    else
      in->number = (uintptr_t)ctx;
    sum += shmem_ctx_int64_g(in->context, &a[i], me);
    in->context = SHMEM_CTX_INVALID;
  }
  shmem_ctx_quiet(ctx);
  a[0] = sum & 0xffffff;
}
CASE(context_by_number) {
  kept* const in = calloc(1, sizeof *in);
  with_kept(in, 0);
  free(in);
}
CASE(context_by_bytes) {
  kept* const in = calloc(1, sizeof *in);
  with_kept(in, 1);
  free(in);
}

/* Chosen among data, so that the choice is what comes again. */
CASE(switched) {
  const int64_t one = data[3], two = data[4], three = data[5];
#pragma shmem defer
  for (int i = 0; i < rounds; i++) {
    int64_t at;
    switch (i % 3) {
      case 0:
        at = one;
        break;
      case 1:
        at = two;
        break;
      default:
        at = three;
    }
    STEP(one, at)
  }
}
CASE(by_a_count) {
  const int64_t one = data[3], two = data[4];
  int64_t odd = 0;
#pragma shmem defer
  for (int i = 0; i < rounds; i++) {
    if (data[i] & 1) odd++;
    const int64_t at = odd > 3 ? one : two;
    STEP(at, one)
  }
}
CASE(narrow) {
  uint8_t at = (uint8_t)data[2];
#pragma shmem defer
  for (int i = 0; i < 4 * rounds; i++) {
    STEP(data[2], at)
    at += i & 1 ? 64 : 192;
  }
}
CASE(anywhere_and_data) {
#pragma shmem defer
  for (int i = 0; i < rounds; i++) STEP(ffs(i), data[i] & 7)
}
CASE(data_and_anywhere) {
#pragma shmem defer
  for (int i = 0; i < rounds; i++) STEP(data[i] & 7, ffs(i))
}

CASE(of_a_pe) {
  int64_t* const mine = PART(a, me);
#pragma shmem defer
  for (int i = 0; i < rounds; i++) {
    const int64_t found = FETCH(i);
    mine[i + 1] = found & 0xffffff;
  }
}
CASE(counted_by_fetches) {
  a[128] = 0;
#pragma shmem defer
  for (int i = 0; i < rounds; i++) {
    const int64_t at = shmem_ctx_int64_atomic_fetch_inc(ctx, &a[128], me);
    STEP(a[128] - 1, a[128])
    a[200] = at;
  }
}

CASE(data_here) {
#pragma shmem defer
  for (int i = 0; i < rounds; i++) STEP(data[i], data[i] | 64)
}
CASE(data_of_the_library) {
#pragma shmem defer
  for (int i = 0; i < rounds; i++) STEP(ffsl(data[i]), 64 + ffsl(data[i]))
}

int main(void) {
  void (*const all[])(void) = {recursion,
                               loop_inside,
                               of_the_library,
                               population,
                               parity,
                               bytes,
                               real,
                               compared_reals,
                               chain,
                               real_counter,
                               wide_counter,
                               upper_half,
                               two_elements,
                               text,
                               volatile_counter,
                               members,
                               exponents,
                               context_by_number,
                               context_by_bytes,
                               switched,
                               by_a_count,
                               narrow,
                               anywhere_and_data,
                               data_and_anywhere,
                               of_a_pe,
                               counted_by_fetches,
                               data_here,
                               data_of_the_library};
  ctx = start();
  a = symmetric(entries);
  me = shmem_my_pe();
  for (size_t at = 0; at < sizeof all / sizeof *all; at++) {
    for (int i = 0; i < entries; i++) a[i] = 5 * i + 3, data[i] = 7 * i % 61;
    all[at]();
    shmem_ctx_quiet(ctx);
    uint64_t sum = 0;
    for (int i = 0; i < entries; i++) sum = mixed(sum, (uint64_t)a[i]);
    if (me == 0) printf("%zu: %016lx\n", at, (unsigned long)sum);
  }
  shmem_barrier_all();
  shmem_finalize();
  return 0;
}
