/* SPDX-License-Identifier: BSD-3-Clause */
/* What generated functions are made of. Each file is compiled twice: VARIANT_NAME is plain or comm. */
#ifndef WINDROW_COMPILER_TESTS_COMM_HARNESS_H
#define WINDROW_COMPILER_TESTS_COMM_HARNESS_H

#include <shmem.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define JOIN(a, b) a##_##b
#define JOIN_VALUES(a, b) JOIN(a, b)
#define VARIANT(seed) JOIN_VALUES(VARIANT_NAME, seed)
#define TABLE JOIN_VALUES(table, VARIANT_NAME)

typedef uint64_t u64;
struct program {
  long seed;
  u64 (*run)(int me, int pes);
};
extern const struct program table_plain[], table_comm[];

/* Symmetric. What each is used for changes from phase to phase (generator.py). */
enum { room = 7700 };
struct record {
  int a;
  float b;
  double c;
};
#define ARRAYS(DO)   \
  DO(long, long, s0) \
  DO(long, long, s1) \
  DO(long, long, s2) \
  DO(int, int, s3) DO(int, int, s4) DO(short, short, s5) DO(unsigned char, uchar, s6) DO(double, double, s7)
#define DECLARE(T, N, name) extern T name[room];
ARRAYS(DECLARE)
extern struct record r0[room], r1[room];

/* Of this PE alone. */
extern long l0[room], l1[room];
extern long* b0;         /* not symmetric */
extern int places[room]; /* any of the first 1000 */

/* Not the default one; it does not aggregate. */
extern shmem_ctx_t other_context;

/* Unknown to the compiler. */
extern long hidden; /* 0 */
u64 noise(u64 value);
u64 computed(u64 value) __attribute__((const));
u64 read_there(const long* place, int pe) __attribute__((pure)); /* g */

#define W(x) ((u64)(int64_t)(x))

#endif
