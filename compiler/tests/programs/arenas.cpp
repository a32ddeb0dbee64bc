// SPDX-License-Identifier: BSD-3-Clause
// Allocators of the program's own give the same memory twice: what waits for it is complete first.
#include <cstddef>
#include <new>

#include "job.h"

enum { n = 192 };

struct arena {
  alignas(16) unsigned char memory[1024];
  size_t used = 0;
  void* take(size_t bytes) {
    void* const taken = memory + used;
    used += (bytes + 15) / 16 * 16;
    return taken;
  }
};
void* operator new(size_t bytes, arena& from) {
  return from.take(bytes);
}
void operator delete(void*, arena&) {}

struct box {
  int64_t sum, many;
};

static arena pool;
struct pooled : box {
  pooled(int64_t first, int64_t second) : box{first, second} {}
  static void* operator new(size_t bytes) { return pool.take(bytes); }
  static void operator delete(void*) {}
};

__attribute__((malloc, noinline)) static box* declared() {
  return static_cast<box*>(pool.take(sizeof(box)));
}
__attribute__((noinline)) static box* fresh() {
  return new box{0, 0};
}

static shmem_ctx_t ctx;
static int pe;

#define FETCH(i) shmem_ctx_int64_g(ctx, &from[(i) * 7 % n], pe)

#define TAKEN_AGAIN(name, in, make_one, make_two)                                    \
  static uint64_t name(const int64_t* from) {                                        \
    (in).used = 0;                                                                   \
    box* const one = make_one;                                                       \
    _Pragma("shmem defer") for (int64_t i = 0; i < n; i++) one->sum += FETCH(i);     \
    (in).used = 0;                                                                   \
    box* const two = make_two;                                                       \
    two->sum += 1000;                                                                \
    shmem_ctx_quiet(ctx);                                                            \
    return mixed(static_cast<uint64_t>(two->sum), static_cast<uint64_t>(two->many)); \
  }

static arena mine;
TAKEN_AGAIN(of_an_arena, mine, (new(mine) box{0, 0}), (new(mine) box{5, 7}))
TAKEN_AGAIN(of_a_class, pool, (new pooled(0, 0)), (new pooled(5, 7)))
TAKEN_AGAIN(as_declared, pool, declared(), declared())

static uint64_t seen_beside(const int64_t* from, arena& in) {
  in.used = 0;
  box* const one = new (in) box{0, 0};
  const int64_t* const there = reinterpret_cast<const int64_t*>(in.memory);
  uint64_t seen = 0;
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) {
    one->sum = FETCH(i);
    seen = mixed(seen, static_cast<uint64_t>(*there));
  }
  shmem_ctx_quiet(ctx);
  return seen;
}

static uint64_t at_a_given_place(const int64_t* from) {
  alignas(box) static unsigned char place[sizeof(box)];
  box* const one = new (place) box{0, 0};
#pragma shmem defer
  for (int64_t i = 0; i < n; i++) one->sum += FETCH(i);
  box* const two = new (place) box{1000, 7};
  shmem_ctx_quiet(ctx);
  return mixed(static_cast<uint64_t>(two->sum), static_cast<uint64_t>(two->many));
}

// Two objects of two calls: these need not wait.
static uint64_t of_their_own(const int64_t* from) {
  box *const one = fresh(), *const two = fresh();
#pragma shmem defer strict
  for (int64_t i = 0; i < n; i++) {
    one->sum += FETCH(i);
    two->sum += i;
  }
  shmem_ctx_quiet(ctx);
  const auto result = mixed(static_cast<uint64_t>(one->sum), static_cast<uint64_t>(two->sum));
  delete one;
  delete two;
  return result;
}

int main() {
  ctx = start();
  int64_t* const from = symmetric(n);
  FOR_MY_PES(me) {
    for (int64_t i = 0; i < n; i++) PART(from, me)[i] = i * 11 % 37 + me;
  }
  shmem_barrier_all();
  pe = 0;
  const uint64_t results[] = {of_an_arena(from),       of_a_class(from),       as_declared(from),
                              seen_beside(from, mine), at_a_given_place(from), of_their_own(from)};
  if (shmem_my_pe() == 0)
    for (const auto result : results) printf("%016lx\n", static_cast<unsigned long>(result));
  shmem_barrier_all();
  shmem_finalize();
}
