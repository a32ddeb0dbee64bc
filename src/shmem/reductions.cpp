// SPDX-License-Identifier: BSD-3-Clause
#include "shmem/reductions.hpp"

#include "shmem/define.hpp"

namespace windrow::shmem::routines {

namespace {

template <class Op, class T>
WINDROW_INLINE int reduce(routine by, shmem_team_t team, T* dest, const T* source, std::size_t count) {
  shmem::reduce(members(team, by), dest, source, count, Op());
  return 0;
}
template <class T>
WINDROW_INLINE int inclusive_sum(routine by, shmem_team_t team, T* dest, const T* source, std::size_t count) {
  scan(members(team, by), dest, source, count, true);
  return 0;
}
template <class T>
WINDROW_INLINE int exclusive_sum(routine by, shmem_team_t team, T* dest, const T* source, std::size_t count) {
  scan(members(team, by), dest, source, count, false);
  return 0;
}

} // namespace

} // namespace windrow::shmem::routines

using namespace windrow::shmem; // everything below is the C interface

WINDROW_SHMEM_BITWISE_REDUCE_TYPES(WINDROW_SHMEM_REDUCE, _and, )
WINDROW_SHMEM_BITWISE_REDUCE_TYPES(WINDROW_SHMEM_REDUCE, _or, )
WINDROW_SHMEM_BITWISE_REDUCE_TYPES(WINDROW_SHMEM_REDUCE, _xor, )
WINDROW_SHMEM_ORDERED_REDUCE_TYPES(WINDROW_SHMEM_REDUCE, _max, )
WINDROW_SHMEM_ORDERED_REDUCE_TYPES(WINDROW_SHMEM_REDUCE, _min, )
WINDROW_SHMEM_ARITHMETIC_REDUCE_TYPES(WINDROW_SHMEM_REDUCE, _sum, )
WINDROW_SHMEM_ARITHMETIC_REDUCE_TYPES(WINDROW_SHMEM_REDUCE, _prod, )
WINDROW_SHMEM_ARITHMETIC_REDUCE_TYPES(WINDROW_SHMEM_SCAN, , )
