// SPDX-License-Identifier: BSD-3-Clause
#include "shmem/reductions.hpp"

#include "shmem/define.hpp"

using namespace windrow::shmem; // everything below is the C interface

#define GROUP group(*valid(team, ROUTINE).members, CALL)
#define REDUCE(T, N, name, op)                                                                              \
  SHMEM_FUNCTION(int, shmem_##N##_##name, (shmem_team_t team, T * dest, const T* source, size_t nreduce)) { \
    return reduce(GROUP, dest, source, nreduce, op()), 0;                                                   \
  }
#define SCAN(T, N, A, B)                                                          \
  SHMEM_FUNCTION(int, shmem_##N##_sum_inscan,                                     \
                 (shmem_team_t team, T * dest, const T* source, size_t nelems)) { \
    return scan(GROUP, dest, source, nelems, true), 0;                            \
  }                                                                               \
  SHMEM_FUNCTION(int, shmem_##N##_sum_exscan,                                     \
                 (shmem_team_t team, T * dest, const T* source, size_t nelems)) { \
    return scan(GROUP, dest, source, nelems, false), 0;                           \
  }

WINDROW_SHMEM_BITWISE_REDUCE_TYPES(REDUCE, and_reduce, bitwise_and)
WINDROW_SHMEM_BITWISE_REDUCE_TYPES(REDUCE, or_reduce, bitwise_or)
WINDROW_SHMEM_BITWISE_REDUCE_TYPES(REDUCE, xor_reduce, bitwise_xor)
WINDROW_SHMEM_ORDERED_REDUCE_TYPES(REDUCE, max_reduce, larger)
WINDROW_SHMEM_ORDERED_REDUCE_TYPES(REDUCE, min_reduce, smaller)
WINDROW_SHMEM_ARITHMETIC_REDUCE_TYPES(REDUCE, sum_reduce, sum)
WINDROW_SHMEM_ARITHMETIC_REDUCE_TYPES(REDUCE, prod_reduce, product)
WINDROW_SHMEM_ARITHMETIC_REDUCE_TYPES(SCAN, , )

#undef GROUP
#undef REDUCE
