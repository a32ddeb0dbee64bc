/* Fetching operations several times on one place, with operands that change: each finds what those before it
   have left. Places are a PE's own, at its neighbour. */
#include "job.h"

enum { rounds = 40, kinds = 11 };

static int64_t *places, *list;
static int64_t found[kinds][2 * rounds], at_times[rounds];

static int64_t operand(int64_t i) {
  return i % 5 == 3 ? 0 : i & 1 ? 5 : 9;
}

static void with_operands(shmem_ctx_t ctx, int64_t* at, int to) {
#pragma shmem defer
  for (int64_t i = 0; i < rounds; i++)
    found[0][i] = shmem_ctx_int64_atomic_fetch_add(ctx, &at[0], operand(i), to);
#pragma shmem defer
  for (int64_t i = 0; i < rounds; i++)
    found[1][i] =
        (int64_t)shmem_ctx_uint64_atomic_fetch_xor(ctx, (uint64_t*)&at[1], (uint64_t)operand(i), to);
#pragma shmem defer
  for (int64_t i = 0; i < rounds; i++)
    found[2][i] =
        (int64_t)shmem_ctx_uint64_atomic_fetch_or(ctx, (uint64_t*)&at[2], UINT64_C(1) << (i * i % 7), to);
#pragma shmem defer
  for (int64_t i = 0; i < rounds; i++)
    found[3][i] =
        (int64_t)shmem_ctx_uint64_atomic_fetch_and(ctx, (uint64_t*)&at[3], ~(UINT64_C(1) << (i * i % 7)), to);
#pragma shmem defer
  for (int64_t i = 0; i < rounds; i++) found[4][i] = shmem_ctx_int64_atomic_swap(ctx, &at[4], operand(i), to);
#pragma shmem defer
  for (int64_t i = 0; i < rounds; i++)
    found[5][i] = shmem_ctx_int64_atomic_compare_swap(ctx, &at[5], i & 3, (i + 1) & 3, to);
}

/* Two of one routine in a round; three, one of them on a condition. */
static void several(shmem_ctx_t ctx, int64_t* at, int to) {
#pragma shmem defer
  for (int64_t i = 0; i < rounds; i++) {
    const int64_t one = shmem_ctx_int64_atomic_fetch_add(ctx, &at[6], operand(i), to);
    const int64_t two = shmem_ctx_int64_atomic_fetch_add(ctx, &at[6], 5, to);
    found[6][2 * i] = one, found[6][2 * i + 1] = two;
  }
#pragma shmem defer
  for (int64_t i = 0; i < rounds; i++) {
    found[7][i] = shmem_ctx_int64_atomic_fetch_add(ctx, &at[7], operand(i), to);
    if (i % 3 == 1) at_times[i] = shmem_ctx_int64_atomic_fetch_add(ctx, &at[7], i, to);
  }
}

/* What can run at the owner: in two places of a statement, in one of two, and with another captured word from
 * time to time. */
static void at_owner(shmem_ctx_t ctx, int64_t* at, int64_t* mine, int to) {
#pragma shmem defer
  for (int64_t i = 0; i < rounds / 4; i++) {
    if (i % 3) {
      const int64_t k = shmem_ctx_int64_atomic_fetch_inc(ctx, &at[8], to);
      shmem_ctx_int64_p(ctx, &mine[k], i, to);
    }
    if (i % 4) {
      const int64_t k = shmem_ctx_int64_atomic_fetch_inc(ctx, &at[8], to);
      shmem_ctx_int64_p(ctx, &mine[k], -i, to);
    }
  }
#pragma shmem defer
  for (int64_t i = 0; i < rounds / 4; i++) {
    if (i % 3) {
      const int64_t k = shmem_ctx_int64_atomic_fetch_inc(ctx, &at[9], to);
      shmem_ctx_int64_p(ctx, &mine[rounds / 2 + k], i, to);
    }
    if (i % 4) found[9][i] = shmem_ctx_int64_atomic_fetch_inc(ctx, &at[9], to);
  }
#pragma shmem defer
  for (int64_t i = 0; i < rounds / 4; i++)
    for (int64_t j = 0; j < 4; j++) {
      const int64_t k = shmem_ctx_int64_atomic_fetch_inc(ctx, &at[10], to);
      shmem_ctx_int64_p(ctx, &mine[rounds + k], i & 1, to);
    }
}

int main(void) {
  const shmem_ctx_t ctx = start();
  const int n = shmem_n_pes();
  places = symmetric((int64_t)kinds * n);
  list = symmetric((int64_t)2 * rounds * n);
  uint64_t sum = 0;
  FOR_MY_PES(me) {
    const int to = (me + 1) % n;
    int64_t *const at = places + (int64_t)kinds * me, *const mine = list + (int64_t)2 * rounds * me;
    shmem_int64_p(&at[3], 255, to);
    with_operands(ctx, at, to);
    several(ctx, at, to);
    at_owner(ctx, at, mine, to);
    shmem_ctx_quiet(ctx);
    if (me > 0) continue;
    for (int kind = 0; kind < kinds; kind++) {
      sum = 0;
      for (int i = 0; i < 2 * rounds; i++) sum = mixed(sum, (uint64_t)found[kind][i]);
      printf("%d: %ld left, found %016lx\n", kind, (long)shmem_int64_g(&at[kind], to), (unsigned long)sum);
    }
    sum = 0;
    for (int i = 0; i < rounds; i++) sum = mixed(sum, (uint64_t)at_times[i]);
    for (int i = 0; i < 2 * rounds; i++) sum = mixed(sum, (uint64_t)shmem_int64_g(&mine[i], to));
    printf("at the owner %016lx\n", (unsigned long)sum);
  }
  shmem_barrier_all();
  shmem_finalize();
  return 0;
}
