/* SPDX-License-Identifier: BSD-3-Clause */
/* The type-generic macros of C11. Part of shmem.h. */
#ifndef WINDROW_DETAIL_SHMEM_GENERIC_H
#define WINDROW_DETAIL_SHMEM_GENERIC_H

#define WINDROW_SHMEM_CASE(T, N, prefix, suffix) , T : prefix##N##suffix

/* The routine for the type that the first, or the second, argument points to. */
#define WINDROW_SHMEM_BY_FIRST(TYPES, suffix, p, ...) \
  _Generic (*(p)TYPES(WINDROW_SHMEM_CASE, shmem_, suffix))(p, __VA_ARGS__)
#define WINDROW_SHMEM_BY_SECOND(TYPES, suffix, team, p, ...) \
  _Generic (*(p)TYPES(WINDROW_SHMEM_CASE, shmem_, suffix))(team, p, __VA_ARGS__)
#define WINDROW_SHMEM_WITH_CTX(TYPES, suffix, ctx, p, ...) \
  _Generic (*(p)TYPES(WINDROW_SHMEM_CASE, shmem_ctx_, suffix))(ctx, p, __VA_ARGS__)

/* With a context there is one argument more: WINDROW_SHMEM_OF_N is for routines with N arguments without it.
 */
#define WINDROW_SHMEM_PICK3(a, b, c, macro, ...) macro
#define WINDROW_SHMEM_PICK4(a, b, c, d, macro, ...) macro
#define WINDROW_SHMEM_PICK5(a, b, c, d, e, macro, ...) macro
#define WINDROW_SHMEM_PICK6(a, b, c, d, e, f, macro, ...) macro
#define WINDROW_SHMEM_PICK7(a, b, c, d, e, f, g, macro, ...) macro
#define WINDROW_SHMEM_PICK8(a, b, c, d, e, f, g, h, macro, ...) macro
#define WINDROW_SHMEM_EITHER WINDROW_SHMEM_WITH_CTX, WINDROW_SHMEM_BY_FIRST, ~
#define WINDROW_SHMEM_APPLY(macro, ...) macro(__VA_ARGS__)
#define WINDROW_SHMEM_OF_2(TYPES, suffix, ...) \
  WINDROW_SHMEM_APPLY(WINDROW_SHMEM_PICK3, __VA_ARGS__, WINDROW_SHMEM_EITHER)(TYPES, suffix, __VA_ARGS__)
#define WINDROW_SHMEM_OF_3(TYPES, suffix, ...) \
  WINDROW_SHMEM_APPLY(WINDROW_SHMEM_PICK4, __VA_ARGS__, WINDROW_SHMEM_EITHER)(TYPES, suffix, __VA_ARGS__)
#define WINDROW_SHMEM_OF_4(TYPES, suffix, ...) \
  WINDROW_SHMEM_APPLY(WINDROW_SHMEM_PICK5, __VA_ARGS__, WINDROW_SHMEM_EITHER)(TYPES, suffix, __VA_ARGS__)
#define WINDROW_SHMEM_OF_5(TYPES, suffix, ...) \
  WINDROW_SHMEM_APPLY(WINDROW_SHMEM_PICK6, __VA_ARGS__, WINDROW_SHMEM_EITHER)(TYPES, suffix, __VA_ARGS__)
#define WINDROW_SHMEM_OF_6(TYPES, suffix, ...) \
  WINDROW_SHMEM_APPLY(WINDROW_SHMEM_PICK7, __VA_ARGS__, WINDROW_SHMEM_EITHER)(TYPES, suffix, __VA_ARGS__)
#define WINDROW_SHMEM_OF_7(TYPES, suffix, ...) \
  WINDROW_SHMEM_APPLY(WINDROW_SHMEM_PICK8, __VA_ARGS__, WINDROW_SHMEM_EITHER)(TYPES, suffix, __VA_ARGS__)

#define shmem_put(...) WINDROW_SHMEM_OF_4(WINDROW_SHMEM_RMA_GENERIC, _put, __VA_ARGS__)
#define shmem_get(...) WINDROW_SHMEM_OF_4(WINDROW_SHMEM_RMA_GENERIC, _get, __VA_ARGS__)
#define shmem_put_nbi(...) WINDROW_SHMEM_OF_4(WINDROW_SHMEM_RMA_GENERIC, _put_nbi, __VA_ARGS__)
#define shmem_get_nbi(...) WINDROW_SHMEM_OF_4(WINDROW_SHMEM_RMA_GENERIC, _get_nbi, __VA_ARGS__)
#define shmem_p(...) WINDROW_SHMEM_OF_3(WINDROW_SHMEM_RMA_GENERIC, _p, __VA_ARGS__)
#define shmem_g(...) WINDROW_SHMEM_OF_2(WINDROW_SHMEM_RMA_GENERIC, _g, __VA_ARGS__)
#define shmem_iput(...) WINDROW_SHMEM_OF_6(WINDROW_SHMEM_RMA_GENERIC, _iput, __VA_ARGS__)
#define shmem_iget(...) WINDROW_SHMEM_OF_6(WINDROW_SHMEM_RMA_GENERIC, _iget, __VA_ARGS__)
#define shmem_ibput(...) WINDROW_SHMEM_OF_7(WINDROW_SHMEM_RMA_GENERIC, _ibput, __VA_ARGS__)
#define shmem_ibget(...) WINDROW_SHMEM_OF_7(WINDROW_SHMEM_RMA_GENERIC, _ibget, __VA_ARGS__)
#define shmem_put_signal(...) WINDROW_SHMEM_OF_7(WINDROW_SHMEM_RMA_GENERIC, _put_signal, __VA_ARGS__)
#define shmem_put_signal_nbi(...) WINDROW_SHMEM_OF_7(WINDROW_SHMEM_RMA_GENERIC, _put_signal_nbi, __VA_ARGS__)

#define shmem_atomic_fetch(...) \
  WINDROW_SHMEM_OF_2(WINDROW_SHMEM_EXTENDED_AMO_GENERIC, _atomic_fetch, __VA_ARGS__)
#define shmem_atomic_set(...) WINDROW_SHMEM_OF_3(WINDROW_SHMEM_EXTENDED_AMO_GENERIC, _atomic_set, __VA_ARGS__)
#define shmem_atomic_swap(...) \
  WINDROW_SHMEM_OF_3(WINDROW_SHMEM_EXTENDED_AMO_GENERIC, _atomic_swap, __VA_ARGS__)
#define shmem_atomic_compare_swap(...) \
  WINDROW_SHMEM_OF_4(WINDROW_SHMEM_AMO_GENERIC, _atomic_compare_swap, __VA_ARGS__)
#define shmem_atomic_fetch_inc(...) \
  WINDROW_SHMEM_OF_2(WINDROW_SHMEM_AMO_GENERIC, _atomic_fetch_inc, __VA_ARGS__)
#define shmem_atomic_inc(...) WINDROW_SHMEM_OF_2(WINDROW_SHMEM_AMO_GENERIC, _atomic_inc, __VA_ARGS__)
#define shmem_atomic_fetch_add(...) \
  WINDROW_SHMEM_OF_3(WINDROW_SHMEM_AMO_GENERIC, _atomic_fetch_add, __VA_ARGS__)
#define shmem_atomic_add(...) WINDROW_SHMEM_OF_3(WINDROW_SHMEM_AMO_GENERIC, _atomic_add, __VA_ARGS__)
#define shmem_atomic_fetch_and(...) \
  WINDROW_SHMEM_OF_3(WINDROW_SHMEM_BITWISE_AMO_GENERIC, _atomic_fetch_and, __VA_ARGS__)
#define shmem_atomic_and(...) WINDROW_SHMEM_OF_3(WINDROW_SHMEM_BITWISE_AMO_GENERIC, _atomic_and, __VA_ARGS__)
#define shmem_atomic_fetch_or(...) \
  WINDROW_SHMEM_OF_3(WINDROW_SHMEM_BITWISE_AMO_GENERIC, _atomic_fetch_or, __VA_ARGS__)
#define shmem_atomic_or(...) WINDROW_SHMEM_OF_3(WINDROW_SHMEM_BITWISE_AMO_GENERIC, _atomic_or, __VA_ARGS__)
#define shmem_atomic_fetch_xor(...) \
  WINDROW_SHMEM_OF_3(WINDROW_SHMEM_BITWISE_AMO_GENERIC, _atomic_fetch_xor, __VA_ARGS__)
#define shmem_atomic_xor(...) WINDROW_SHMEM_OF_3(WINDROW_SHMEM_BITWISE_AMO_GENERIC, _atomic_xor, __VA_ARGS__)
#define shmem_atomic_fetch_nbi(...) \
  WINDROW_SHMEM_OF_3(WINDROW_SHMEM_EXTENDED_AMO_GENERIC, _atomic_fetch_nbi, __VA_ARGS__)
#define shmem_atomic_swap_nbi(...) \
  WINDROW_SHMEM_OF_4(WINDROW_SHMEM_EXTENDED_AMO_GENERIC, _atomic_swap_nbi, __VA_ARGS__)
#define shmem_atomic_compare_swap_nbi(...) \
  WINDROW_SHMEM_OF_5(WINDROW_SHMEM_AMO_GENERIC, _atomic_compare_swap_nbi, __VA_ARGS__)
#define shmem_atomic_fetch_inc_nbi(...) \
  WINDROW_SHMEM_OF_3(WINDROW_SHMEM_AMO_GENERIC, _atomic_fetch_inc_nbi, __VA_ARGS__)
#define shmem_atomic_fetch_add_nbi(...) \
  WINDROW_SHMEM_OF_4(WINDROW_SHMEM_AMO_GENERIC, _atomic_fetch_add_nbi, __VA_ARGS__)
#define shmem_atomic_fetch_and_nbi(...) \
  WINDROW_SHMEM_OF_4(WINDROW_SHMEM_BITWISE_AMO_GENERIC, _atomic_fetch_and_nbi, __VA_ARGS__)
#define shmem_atomic_fetch_or_nbi(...) \
  WINDROW_SHMEM_OF_4(WINDROW_SHMEM_BITWISE_AMO_GENERIC, _atomic_fetch_or_nbi, __VA_ARGS__)
#define shmem_atomic_fetch_xor_nbi(...) \
  WINDROW_SHMEM_OF_4(WINDROW_SHMEM_BITWISE_AMO_GENERIC, _atomic_fetch_xor_nbi, __VA_ARGS__)

#define shmem_broadcast(...) WINDROW_SHMEM_BY_SECOND(WINDROW_SHMEM_RMA_GENERIC, _broadcast, __VA_ARGS__)
#define shmem_collect(...) WINDROW_SHMEM_BY_SECOND(WINDROW_SHMEM_RMA_GENERIC, _collect, __VA_ARGS__)
#define shmem_fcollect(...) WINDROW_SHMEM_BY_SECOND(WINDROW_SHMEM_RMA_GENERIC, _fcollect, __VA_ARGS__)
#define shmem_alltoall(...) WINDROW_SHMEM_BY_SECOND(WINDROW_SHMEM_RMA_GENERIC, _alltoall, __VA_ARGS__)
#define shmem_alltoalls(...) WINDROW_SHMEM_BY_SECOND(WINDROW_SHMEM_RMA_GENERIC, _alltoalls, __VA_ARGS__)
#define shmem_and_reduce(...) \
  WINDROW_SHMEM_BY_SECOND(WINDROW_SHMEM_BITWISE_REDUCE_GENERIC, _and_reduce, __VA_ARGS__)
#define shmem_or_reduce(...) \
  WINDROW_SHMEM_BY_SECOND(WINDROW_SHMEM_BITWISE_REDUCE_GENERIC, _or_reduce, __VA_ARGS__)
#define shmem_xor_reduce(...) \
  WINDROW_SHMEM_BY_SECOND(WINDROW_SHMEM_BITWISE_REDUCE_GENERIC, _xor_reduce, __VA_ARGS__)
#define shmem_max_reduce(...) \
  WINDROW_SHMEM_BY_SECOND(WINDROW_SHMEM_ORDERED_REDUCE_GENERIC, _max_reduce, __VA_ARGS__)
#define shmem_min_reduce(...) \
  WINDROW_SHMEM_BY_SECOND(WINDROW_SHMEM_ORDERED_REDUCE_GENERIC, _min_reduce, __VA_ARGS__)
#define shmem_sum_reduce(...) \
  WINDROW_SHMEM_BY_SECOND(WINDROW_SHMEM_ARITHMETIC_REDUCE_GENERIC, _sum_reduce, __VA_ARGS__)
#define shmem_prod_reduce(...) \
  WINDROW_SHMEM_BY_SECOND(WINDROW_SHMEM_ARITHMETIC_REDUCE_GENERIC, _prod_reduce, __VA_ARGS__)
#define shmem_sum_inscan(...) \
  WINDROW_SHMEM_BY_SECOND(WINDROW_SHMEM_ARITHMETIC_REDUCE_GENERIC, _sum_inscan, __VA_ARGS__)
#define shmem_sum_exscan(...) \
  WINDROW_SHMEM_BY_SECOND(WINDROW_SHMEM_ARITHMETIC_REDUCE_GENERIC, _sum_exscan, __VA_ARGS__)

/* With a context there are four arguments. */
#define shmem_signal_add(...) \
  WINDROW_SHMEM_PICK4(__VA_ARGS__, shmem_ctx_signal_add, shmem_signal_add, ~)(__VA_ARGS__)
#define shmem_signal_set(...) \
  WINDROW_SHMEM_PICK4(__VA_ARGS__, shmem_ctx_signal_set, shmem_signal_set, ~)(__VA_ARGS__)

/* One argument: a team. Four: an active set and its pSync. */
#define shmem_sync(...) WINDROW_SHMEM_PICK4(__VA_ARGS__, shmem_sync, ~, ~, shmem_team_sync, ~)(__VA_ARGS__)

#define shmem_wait_until(...) WINDROW_SHMEM_BY_FIRST(WINDROW_SHMEM_SYNC_GENERIC, _wait_until, __VA_ARGS__)
#define shmem_wait_until_all(...) \
  WINDROW_SHMEM_BY_FIRST(WINDROW_SHMEM_SYNC_GENERIC, _wait_until_all, __VA_ARGS__)
#define shmem_wait_until_any(...) \
  WINDROW_SHMEM_BY_FIRST(WINDROW_SHMEM_SYNC_GENERIC, _wait_until_any, __VA_ARGS__)
#define shmem_wait_until_some(...) \
  WINDROW_SHMEM_BY_FIRST(WINDROW_SHMEM_SYNC_GENERIC, _wait_until_some, __VA_ARGS__)
#define shmem_wait_until_all_vector(...) \
  WINDROW_SHMEM_BY_FIRST(WINDROW_SHMEM_SYNC_GENERIC, _wait_until_all_vector, __VA_ARGS__)
#define shmem_wait_until_any_vector(...) \
  WINDROW_SHMEM_BY_FIRST(WINDROW_SHMEM_SYNC_GENERIC, _wait_until_any_vector, __VA_ARGS__)
#define shmem_wait_until_some_vector(...) \
  WINDROW_SHMEM_BY_FIRST(WINDROW_SHMEM_SYNC_GENERIC, _wait_until_some_vector, __VA_ARGS__)
#define shmem_test(...) WINDROW_SHMEM_BY_FIRST(WINDROW_SHMEM_SYNC_GENERIC, _test, __VA_ARGS__)
#define shmem_test_all(...) WINDROW_SHMEM_BY_FIRST(WINDROW_SHMEM_SYNC_GENERIC, _test_all, __VA_ARGS__)
#define shmem_test_any(...) WINDROW_SHMEM_BY_FIRST(WINDROW_SHMEM_SYNC_GENERIC, _test_any, __VA_ARGS__)
#define shmem_test_some(...) WINDROW_SHMEM_BY_FIRST(WINDROW_SHMEM_SYNC_GENERIC, _test_some, __VA_ARGS__)
#define shmem_test_all_vector(...) \
  WINDROW_SHMEM_BY_FIRST(WINDROW_SHMEM_SYNC_GENERIC, _test_all_vector, __VA_ARGS__)
#define shmem_test_any_vector(...) \
  WINDROW_SHMEM_BY_FIRST(WINDROW_SHMEM_SYNC_GENERIC, _test_any_vector, __VA_ARGS__)
#define shmem_test_some_vector(...) \
  WINDROW_SHMEM_BY_FIRST(WINDROW_SHMEM_SYNC_GENERIC, _test_some_vector, __VA_ARGS__)

/* Deprecated. */
#define shmem_cswap(...) WINDROW_SHMEM_BY_FIRST(WINDROW_SHMEM_AMO_GENERIC, _cswap, __VA_ARGS__)
#define shmem_finc(...) WINDROW_SHMEM_BY_FIRST(WINDROW_SHMEM_AMO_GENERIC, _finc, __VA_ARGS__)
#define shmem_inc(...) WINDROW_SHMEM_BY_FIRST(WINDROW_SHMEM_AMO_GENERIC, _inc, __VA_ARGS__)
#define shmem_fadd(...) WINDROW_SHMEM_BY_FIRST(WINDROW_SHMEM_AMO_GENERIC, _fadd, __VA_ARGS__)
#define shmem_add(...) WINDROW_SHMEM_BY_FIRST(WINDROW_SHMEM_AMO_GENERIC, _add, __VA_ARGS__)
#define shmem_fetch(...) WINDROW_SHMEM_BY_FIRST(WINDROW_SHMEM_EXTENDED_AMO_GENERIC, _fetch, __VA_ARGS__)
#define shmem_set(...) WINDROW_SHMEM_BY_FIRST(WINDROW_SHMEM_EXTENDED_AMO_GENERIC, _set, __VA_ARGS__)
#define shmem_swap(...) WINDROW_SHMEM_BY_FIRST(WINDROW_SHMEM_EXTENDED_AMO_GENERIC, _swap, __VA_ARGS__)

#endif
