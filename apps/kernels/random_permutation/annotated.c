/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/kernels/annotated.h"

static const uint64_t no_dart = UINT64_MAX;

/* mix and below of apps/graph/mix.hpp. */
static uint64_t mix(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}
static uint64_t slot_of(const struct annotated_board* board, uint64_t dart) {
  __extension__ typedef unsigned __int128 wide;
  return (uint64_t)((wide)mix(mix(board->seed) + dart * 0x9e3779b97f4a7c15u) * board->count >> 64);
}

/* Every dart tries to take its slot from the one that it expects there, at first from nobody. */
static void throw_all(shmem_ctx_t ctx, const struct annotated_board* board, const uint64_t* flying,
                      const uint64_t* expected, uint64_t* before, size_t n) {
  uint64_t* slots = board->slots;
#pragma shmem defer
  for (size_t i = 0; i < n; i++) {
    const uint64_t slot = slot_of(board, flying[i]), dart = flying[i], from = expected[i];
    before[i] = shmem_ctx_uint64_atomic_compare_swap(ctx, &slots[slot % board->block], from, dart,
                                                     (int)(slot / board->block));
  }
  shmem_ctx_quiet(ctx);
}

void darts_loop(shmem_ctx_t ctx, const struct annotated_board* board, uint64_t* flying, uint64_t* expected,
                uint64_t* before, size_t n) {
  for (size_t i = 0; i < n; i++) expected[i] = no_dart;
  while (n > 0) {
    throw_all(ctx, board, flying, expected, before, n);
    size_t left = 0;
    for (size_t i = 0; i < n; i++) {
      const uint64_t dart = flying[i], met = before[i];
      if (met == expected[i] && met == no_dart) continue; /* it has a slot */
      const int tries_again = met != expected[i] && met > dart;
      flying[left] = tries_again          ? dart
                     : met == expected[i] ? met + 1
                                          : dart + 1; /* the larger one is thrown again */
      expected[left++] = tries_again ? met : no_dart;
    }
    n = left;
  }
}
