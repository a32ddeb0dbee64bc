// SPDX-License-Identifier: BSD-3-Clause
// What the conformance tests share: patterns that betray a wrong width, sign, offset, PE or order, symmetric
// memory of every kind to use them on, and the loop that runs the cases. Plain OpenSHMEM, so that the tests
// themselves can be tried on another implementation (-DSHMEM_TESTS_PORTABLE leaves out what only Windrow
// has).
#pragma once

#include <shmem.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { most_pes = 8, arena_bytes = 1 << 16 };
/// How often a PE changes what others change too: it meets them in the middle, for which a slow program
/// needs fewer. Odd, so that xor does something.
#ifdef SHMEM_TESTS_SLOW
enum { many_times = 801 };
#else
enum { many_times = 8001 };
#endif

__extension__ typedef unsigned __int128 wide;

extern int me, pes;
extern void* arena;          ///< symmetric, zeroed, aligned; from another kind of memory in each round
extern shmem_ctx_t ctx;      ///< another kind of context in each round
extern bool ctx_is_deferred; ///< its operations complete, locally too, at quiet only

typedef struct {
  const char* name;
  void (*run)(void);
  bool uses_context;
} test_case;

/// Runs the cases whose names contain argv[1] (or all) in all rounds; the exit code of the program.
int run_cases(const test_case* cases, size_t count, int argc, char** argv);
/// For tests by hand: counts the failures of all PEs, finalizes, and gives the exit code.
int finish_tests(void);

/// 64 bits that differ between cases and rounds, and for other arguments.
uint64_t bits(int from, int to, size_t index);
void report_difference(const char* file, int line, const char* what, size_t index, const void* found,
                       const void* wanted, size_t bytes);
void report_failure(const char* file, int line, const char* what);

#define MAKE_INTEGER(bits) ((T)(bits))
#define MAKE_FLOAT(bits) ((float)((int64_t)(bits) >> 40) / 4)
#define MAKE_DOUBLE(bits) ((double)((int64_t)(bits) >> 11) / 4)
#define MAKE_LONG_DOUBLE(bits) ((long double)(int64_t)(bits) / 4)
#define MAKE_COMPLEX_FLOAT(bits) ((float _Complex)(MAKE_FLOAT(bits) + I * MAKE_FLOAT((bits) << 20)))
#define MAKE_COMPLEX_DOUBLE(bits) ((double _Complex)(MAKE_DOUBLE(bits) + I * MAKE_DOUBLE((bits) << 20)))
#define MAKE_WIDE(bits) ((wide)(bits) << 64 | ~(wide)(bits) >> 64)
// Sums and products of these are exact and fit, in any order.
#define SMALL_INTEGER(k) \
  ((T)((uint64_t)(int64_t)(k) * (sizeof(T) == 1 ? 1 : ((uint64_t)1 << (8 * sizeof(T) - 8)) + 1)))
#define SMALL_FLOAT(k) ((float)(k) * 1025)
#define SMALL_DOUBLE(k) ((double)(k) * (((int64_t)1 << 40) + 1))
#define SMALL_LONG_DOUBLE(k) ((long double)(k) * (((int64_t)1 << 52) + 1))
#define SMALL_COMPLEX_FLOAT(k) ((float _Complex)(SMALL_FLOAT(k) + I * (k)))
#define SMALL_COMPLEX_DOUBLE(k) ((double _Complex)(SMALL_DOUBLE(k) + I * (k)))
#define FACTOR_INTEGER(k) ((T)(((k) % 3 + 1) * ((T) - 1 < (T)1 && (k) % 2 ? -1 : 1)))
#define FACTOR_FLOAT(k) ((float)((k) % 3 + 1) * ((k) % 2 ? -1 : 1))
#define FACTOR_DOUBLE(k) ((double)((k) % 3 + 1) * ((k) % 2 ? -1 : 1))
#define FACTOR_LONG_DOUBLE(k) ((long double)((k) % 3 + 1) * ((k) % 2 ? -1 : 1))
#define FACTOR_COMPLEX_FLOAT(k) ((float _Complex)((k) % 2 + I * ((k) % 3 - 1)))
#define FACTOR_COMPLEX_DOUBLE(k) ((double _Complex)((k) % 2 + I * ((k) % 3 - 1)))
#define SUMMAND(from, to, index) SMALL((int)(bits(from, to, (size_t)(index)) % 31) - 15)
#define FACTOR(from, to, index) MAKE_FACTOR((int)(bits(from, to, (size_t)(index)) % 12))

#define VALUE(from, to, index) MAKE(bits(from, to, (size_t)(index)))
#define ZERO ((T)0)

#define EXPECT(found, wanted, what, index)                                                            \
  do {                                                                                                \
    T found_ = (found), wanted_ = (wanted);                                                           \
    if (!(found_ == wanted_))                                                                         \
      report_difference(__FILE__, __LINE__, what, (size_t)(index), &found_, &wanted_, sizeof found_); \
  } while (0)

#define CHECK(condition)                                              \
  do {                                                                \
    if (!(condition)) report_failure(__FILE__, __LINE__, #condition); \
  } while (0)

#ifdef __cplusplus
}
#endif
