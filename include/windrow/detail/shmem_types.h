/* SPDX-License-Identifier: BSD-3-Clause */
/* The type tables of OpenSHMEM 1.6. Each is a list of X(type, name, A, B), where the name is the standard's
   for that type and A and B are passed on to X. */
#ifndef WINDROW_DETAIL_SHMEM_TYPES_H
#define WINDROW_DETAIL_SHMEM_TYPES_H

#ifdef __cplusplus
extern "C++" { /* old programs include shmem.h within extern "C" */
#include <complex>
#include <cstddef>
#include <cstdint>
}
#define WINDROW_SHMEM_COMPLEX_DOUBLE std::complex<double>
#define WINDROW_SHMEM_COMPLEX_FLOAT std::complex<float>
#else
#include <complex.h>
#include <stddef.h>
#include <stdint.h>
#define WINDROW_SHMEM_COMPLEX_DOUBLE double _Complex
#define WINDROW_SHMEM_COMPLEX_FLOAT float _Complex
#endif

/* C's own types, in groups, and the names that the library gives to others of them. Generic calls choose by
   C's own types only, since the others are the same types. */
#define WINDROW_SHMEM_REALS(X, A, B) X(float, float, A, B) X(double, double, A, B)
#define WINDROW_SHMEM_INTEGERS(X, A, B) \
  X(int, int, A, B)                     \
  X(long, long, A, B)                   \
  X(long long, longlong, A, B)          \
  X(unsigned int, uint, A, B) X(unsigned long, ulong, A, B) X(unsigned long long, ulonglong, A, B)
#define WINDROW_SHMEM_SMALL_INTEGERS(X, A, B) \
  X(char, char, A, B)                         \
  X(signed char, schar, A, B)                 \
  X(short, short, A, B) X(unsigned char, uchar, A, B) X(unsigned short, ushort, A, B)
#define WINDROW_SHMEM_SIZED_SMALL(X, A, B) \
  X(int8_t, int8, A, B) X(int16_t, int16, A, B) X(uint8_t, uint8, A, B) X(uint16_t, uint16, A, B)
#define WINDROW_SHMEM_SIZED(X, A, B) \
  X(int32_t, int32, A, B) X(int64_t, int64, A, B) X(uint32_t, uint32, A, B) X(uint64_t, uint64, A, B)
#define WINDROW_SHMEM_ADDRESS_SIZED(X, A, B) X(size_t, size, A, B) X(ptrdiff_t, ptrdiff, A, B)
#define WINDROW_SHMEM_COMPLEX(X, A, B) \
  X(WINDROW_SHMEM_COMPLEX_DOUBLE, complexd, A, B) X(WINDROW_SHMEM_COMPLEX_FLOAT, complexf, A, B)

/* Standard RMA types. */
#define WINDROW_SHMEM_RMA_GENERIC(X, A, B) \
  WINDROW_SHMEM_REALS(X, A, B)             \
  X(long double, longdouble, A, B) WINDROW_SHMEM_SMALL_INTEGERS(X, A, B) WINDROW_SHMEM_INTEGERS(X, A, B)
#define WINDROW_SHMEM_RMA_TYPES(X, A, B) \
  WINDROW_SHMEM_RMA_GENERIC(X, A, B)     \
  WINDROW_SHMEM_SIZED_SMALL(X, A, B) WINDROW_SHMEM_SIZED(X, A, B) WINDROW_SHMEM_ADDRESS_SIZED(X, A, B)

/* Standard, extended and bitwise AMO types. */
#define WINDROW_SHMEM_AMO_GENERIC(X, A, B) WINDROW_SHMEM_INTEGERS(X, A, B)
#define WINDROW_SHMEM_AMO_TYPES(X, A, B) \
  WINDROW_SHMEM_INTEGERS(X, A, B) WINDROW_SHMEM_SIZED(X, A, B) WINDROW_SHMEM_ADDRESS_SIZED(X, A, B)
#define WINDROW_SHMEM_EXTENDED_AMO_GENERIC(X, A, B) \
  WINDROW_SHMEM_INTEGERS(X, A, B) WINDROW_SHMEM_REALS(X, A, B)
#define WINDROW_SHMEM_EXTENDED_AMO_TYPES(X, A, B) \
  WINDROW_SHMEM_AMO_TYPES(X, A, B) WINDROW_SHMEM_REALS(X, A, B)
#define WINDROW_SHMEM_BITWISE_AMO_GENERIC(X, A, B) \
  X(int, int32, A, B)                              \
  X(long, int64, A, B)                             \
  X(unsigned int, uint, A, B) X(unsigned long, ulong, A, B) X(unsigned long long, ulonglong, A, B)
#define WINDROW_SHMEM_BITWISE_AMO_TYPES(X, A, B) \
  X(unsigned int, uint, A, B)                    \
  X(unsigned long, ulong, A, B) X(unsigned long long, ulonglong, A, B) WINDROW_SHMEM_SIZED(X, A, B)

/* Point-to-point synchronization types; short and unsigned short are deprecated there. */
#define WINDROW_SHMEM_SYNC_GENERIC(X, A, B) \
  X(short, short, A, B) X(unsigned short, ushort, A, B) WINDROW_SHMEM_INTEGERS(X, A, B)
#define WINDROW_SHMEM_SYNC_TYPES(X, A, B) \
  WINDROW_SHMEM_SYNC_GENERIC(X, A, B)     \
  WINDROW_SHMEM_SIZED(X, A, B) WINDROW_SHMEM_ADDRESS_SIZED(X, A, B)

/* Reduction types: bitwise operations; minimum and maximum; sum and product (scans have the same). */
#define WINDROW_SHMEM_BITWISE_REDUCE_GENERIC(X, A, B) \
  X(unsigned char, uchar, A, B)                       \
  X(unsigned short, ushort, A, B)                     \
  X(unsigned int, uint, A, B)                         \
  X(unsigned long, ulong, A, B)                       \
  X(unsigned long long, ulonglong, A, B)              \
  X(signed char, int8, A, B) X(short, int16, A, B) X(int, int32, A, B) X(long, int64, A, B)
#define WINDROW_SHMEM_BITWISE_REDUCE_TYPES(X, A, B) \
  X(unsigned char, uchar, A, B)                     \
  X(unsigned short, ushort, A, B)                   \
  X(unsigned int, uint, A, B)                       \
  X(unsigned long, ulong, A, B)                     \
  X(unsigned long long, ulonglong, A, B)            \
  WINDROW_SHMEM_SIZED_SMALL(X, A, B) WINDROW_SHMEM_SIZED(X, A, B) X(size_t, size, A, B)
#define WINDROW_SHMEM_ORDERED_REDUCE_GENERIC(X, A, B) WINDROW_SHMEM_RMA_GENERIC(X, A, B)
#define WINDROW_SHMEM_ORDERED_REDUCE_TYPES(X, A, B) WINDROW_SHMEM_RMA_TYPES(X, A, B)
#define WINDROW_SHMEM_ARITHMETIC_REDUCE_GENERIC(X, A, B) \
  WINDROW_SHMEM_RMA_GENERIC(X, A, B) WINDROW_SHMEM_COMPLEX(X, A, B)
#define WINDROW_SHMEM_ARITHMETIC_REDUCE_TYPES(X, A, B) \
  WINDROW_SHMEM_RMA_TYPES(X, A, B) WINDROW_SHMEM_COMPLEX(X, A, B)

/* Types of deprecated routines: waits and active-set reductions. */
#define WINDROW_SHMEM_OLD_INTEGERS(X, A, B) \
  X(short, short, A, B) X(int, int, A, B) X(long, long, A, B) X(long long, longlong, A, B)
#define WINDROW_SHMEM_OLD_ORDERED(X, A, B) \
  WINDROW_SHMEM_OLD_INTEGERS(X, A, B)      \
  WINDROW_SHMEM_REALS(X, A, B) X(long double, longdouble, A, B)
#define WINDROW_SHMEM_OLD_ARITHMETIC(X, A, B) \
  WINDROW_SHMEM_OLD_ORDERED(X, A, B) WINDROW_SHMEM_COMPLEX(X, A, B)

/* Sizes in bits of the untyped routines, and their bytes: X(bits, bytes, A, B). */
#define WINDROW_SHMEM_SIZES(X, A, B) \
  X(8, 1, A, B) X(16, 2, A, B) X(32, 4, A, B) X(64, 8, A, B) X(128, 16, A, B)

#endif
