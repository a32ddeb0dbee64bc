/* SPDX-License-Identifier: BSD-3-Clause */
/* What generated functions are made of. Each file is compiled twice: VARIANT_NAME is plain or deferred. */
#ifndef WINDROW_COMPILER_TESTS_HARNESS_H
#define WINDROW_COMPILER_TESTS_HARNESS_H

#include <errno.h>
#include <setjmp.h>
#include <shmem.h>
#include <shmemx.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define JOIN(a, b) a##_##b
#define JOIN_VALUES(a, b) JOIN(a, b)
#define VARIANT(seed) JOIN_VALUES(VARIANT_NAME, seed)
#define TABLE JOIN_VALUES(table, VARIANT_NAME)

#ifdef __cplusplus
#define THREAD_LOCAL thread_local
extern "C" {
#else
#define THREAD_LOCAL _Thread_local
#endif

/* Options of contexts. */
#ifndef CONTEXT
#define CONTEXT SHMEMX_CTX_AGGREGATE
#endif

/* Of an allocator that gives the same memory again. Where clang optimises it believes this, and the program
 * has no one result. */
#ifdef __OPTIMIZE__
#define DECLARED_MALLOC
#else
#define DECLARED_MALLOC __attribute__((malloc))
#endif

struct program {
  long seed;
  int64_t (*run)(shmem_ctx_t ctx, int64_t* sym, int64_t* counts, int64_t v0, int64_t v1);
};
extern const struct program table_plain[], table_deferred[];

struct triple {
  int64_t a, b;
  int64_t c[2];
};

/* ---- for arithmetic.py: other memory */
extern int64_t out[64], mem[16];

static inline int64_t mix(int64_t a, int64_t b) {
  return a * 31 + (b ^ (a >> 3));
}
static inline void bump(int64_t* cell, int64_t by) {
  *cell += by;
}

/* Cells that no other call of a function knows: each is fetched and changed once. */
int64_t* fresh_cells(int64_t* counts);

/* Unknown to the compiler; adds up what it hears. */
void heard(int64_t value);
int64_t noted(int64_t value);

/* ---- for grammar/ */

/* Symmetric objects. Nobody changes those of a type; each of the others has one kind of use, as the grammar
 * says. */
extern int64_t still_long[64];
extern int still_int[64];
extern unsigned int still_uint[64];
extern unsigned char still_uchar[64];
extern short still_short[64];
extern float still_float[64];
extern double still_double[64];
extern int64_t moved[64], also_moved[64], tickets[64], posted[64], taken[256], guarded[8];
extern uint64_t flag;
extern long lock;
extern int n_pes;

/* Memory of this PE. */
struct own {
  unsigned low : 5, middle : 12;
  int high : 15;
  union {
    double real;
    uint64_t bits;
    uint32_t half[2];
  } both;
  struct triple nested[2];
  uint64_t serial;
};
extern uint64_t sums[64], totals[64], tallies[64], scores[64], rest[64], cells[16];
extern double reals[16];
extern struct own own;
extern int64_t messages[256]; /* others read the first `flag` */
extern FILE* notes;           /* output; stdout is the same stream */
extern shmem_ctx_t second;    /* aggregates too */

/* Unknown to the compiler; they keep the order in which they are called. */
void say(uint64_t value);
uint64_t serial_number(void);

/* Runs a function that ends its process in one of its own; hears what could be seen there at the end, and how
 * it ended. */
void ended(void (*function)(shmem_ctx_t ctx, uint64_t x), shmem_ctx_t ctx, uint64_t x);

/* For programs with a main of their own; those that are not main run in place of it where their seed is the
 * argument. The first is called by all PEs behind the initialisation, the others
 * by the one that acts. */
void begin(long context_options);
void show(void);              /* prints what can be seen when dependent code is complete, */
void show_behind_quiet(void); /* and updates too */
struct whole {
  long seed;
  int (*run)(void);
};
extern const struct whole WHOLES[];
extern int no_rounds; /* 0, which the compiler does not know */

#define U(x) ((uint64_t)(x))
#define PE(x) ((int)(U(x) % U(n_pes)))

static inline uint64_t blend(uint64_t a, uint64_t b) {
  return a * 31 + (b ^ (a >> 3));
}
static inline uint64_t whole(double x) {
  return x > -1e15 && x < 1e15 ? U((int64_t)x) : 7;
}
static inline uint64_t bits_of(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

#ifdef __cplusplus
}
#endif

#endif
