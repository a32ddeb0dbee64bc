/* SPDX-License-Identifier: BSD-3-Clause */
/* What generated functions are made of. Each file is compiled twice: VARIANT_NAME is plain or deferred. */
#ifndef WINDROW_COMPILER_TESTS_HARNESS_H
#define WINDROW_COMPILER_TESTS_HARNESS_H

#include <shmem.h>

#define JOIN(a, b) a##_##b
#define JOIN_VALUES(a, b) JOIN(a, b)
#define VARIANT(seed) JOIN_VALUES(VARIANT_NAME, seed)
#define TABLE JOIN_VALUES(table, VARIANT_NAME)

struct program {
  long seed;
  int64_t (*run)(shmem_ctx_t ctx, int64_t* sym, int64_t* counts, int64_t v0, int64_t v1);
};
extern const struct program table_plain[], table_deferred[];

struct triple {
  int64_t a, b;
  int64_t c[2];
};

/* Other memory. */
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

#endif
