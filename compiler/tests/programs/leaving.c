/* Functions that stand in a statement, are not inlined, and may not come back: what was deferred before is
 * done by then. */
#include "job.h"

#include <setjmp.h>
#include <stdarg.h>

enum { rounds = 40, last = 25 };

static jmp_buf before;
static int64_t out[rounds];

__attribute__((noinline)) static void leave(int value, ...) {
  va_list more;
  va_start(more, value);
  const int at = va_arg(more, int);
  va_end(more);
  if (at == last) longjmp(before, value);
}
static void (*const leave_by_pointer)(int, ...) = leave;

static void until_it_leaves(shmem_ctx_t ctx, const int64_t* table, int to) {
#pragma shmem defer
  for (int i = 0; i < rounds; i++) {
    out[i] = shmem_ctx_int64_g(ctx, &table[i], to);
    leave(3, i);
  }
}
static void until_another_leaves(shmem_ctx_t ctx, const int64_t* table, int to) {
#pragma shmem defer
  for (int i = 0; i < rounds; i++) {
    out[i] += shmem_ctx_int64_g(ctx, &table[i], to);
    leave_by_pointer(4, i);
  }
}
__attribute__((noinline)) static void check(int64_t value) {
  if (value == 1 + last * 7) longjmp(before, 5);
}
static void until_a_value_leaves(shmem_ctx_t ctx, const int64_t* table, int to) {
#pragma shmem defer
  for (int i = 0; i < rounds; i++) {
    const int64_t found = shmem_ctx_int64_g(ctx, &table[i], to);
    out[i] += found;
    check(found);
  }
}

__attribute__((noinline)) static void finish(int at, int me) {
  if (at != last) return;
  uint64_t sum = 0;
  for (int i = 0; i < rounds; i++) sum = mixed(sum, (uint64_t)out[i]);
  if (me == 0) printf("at the end %016lx\n", (unsigned long)sum);
  shmem_barrier_all();
  shmem_finalize();
  exit(0);
}
static void until_the_end(shmem_ctx_t ctx, const int64_t* table, int to, int me) {
#pragma shmem defer
  for (int i = 0; i < rounds; i++) {
    out[i] += shmem_ctx_int64_g(ctx, &table[i], to);
    finish(i, me);
  }
}

int main(void) {
  static void (*const all[])(shmem_ctx_t, const int64_t*, int) = {until_it_leaves, until_another_leaves,
                                                                  until_a_value_leaves};
  static shmem_ctx_t ctx;
  static int64_t* table;
  static volatile int at;
  ctx = start();
  table = symmetric(rounds);
  const int me = shmem_my_pe(), to = (me + 1) % shmem_n_pes();
  for (int i = 0; i < rounds; i++) table[i] = 1 + i * 7;
  shmem_barrier_all();
  for (at = 0; at < 3; at++) {
    const int how = setjmp(before);
    if (how == 0) all[at](ctx, table, to);
    uint64_t sum = 0;
    for (int i = 0; i < rounds; i++) sum = mixed(sum, (uint64_t)out[i]);
    if (me == 0) printf("%d left by %d: %016lx\n", at, how, (unsigned long)sum);
    shmem_ctx_quiet(ctx);
  }
  until_the_end(ctx, table, to, me);
  return 1;
}
