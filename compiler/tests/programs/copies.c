/* An object reached by a pointer, and through a structure or pointer that was copied: by assignment, by
 * memcpy, to an element that is only known at run time, by functions. What stays and what depends on a fetch
 * keep the order of the program. */
#include "job.h"

#include <string.h>

enum { rounds = 50, width = 8, cases = 10 };

struct view {
  int64_t* at;
  int64_t n;
};
struct two {
  struct view first, second;
};

static struct view kept;

#define WORK(STAYING, DEPENDENT)                                              \
  _Pragma("shmem defer") for (int64_t i = 0; i < rounds; i++) {               \
    (STAYING)[i % width] *= 3;                                                \
    const int64_t found = shmem_ctx_int64_g(ctx, &table[i * 7 % rounds], to); \
    (DEPENDENT)[i % width] += found;                                          \
  }

static void assigned(shmem_ctx_t ctx, const int64_t* table, int64_t* out, int to) {
  struct view one = {out, width}, other;
  other = one;
  WORK(other.at, one.at)
}
static void assigned_from_global(shmem_ctx_t ctx, const int64_t* table, int64_t* out, int to) {
  kept.at = out;
  const struct view one = kept;
  WORK(one.at, kept.at)
}
static void member_of_member(shmem_ctx_t ctx, const int64_t* table, int64_t* out, int to) {
  struct two both;
  const struct view one = {out, width};
  both.second = one;
  WORK(both.second.at, out)
}
static void copied_pointer(shmem_ctx_t ctx, const int64_t* table, int64_t* out, int to) {
  int64_t *one = out, *other;
  memcpy(&other, &one, sizeof other);
  WORK(other, one)
}
static void copied_to_element(shmem_ctx_t ctx, const int64_t* table, int64_t* out, int to) {
  struct view views[4];
  const struct view one = {out, width};
  for (int i = 0; i < 4; i++) memcpy(&views[i], &one, sizeof one);
  WORK(views[2].at, out)
}
static void copied_to_either(shmem_ctx_t ctx, const int64_t* table, int64_t* out, int to) {
  struct view first = {out + width, width}, second = first;
  const struct view one = {out, width};
  memcpy(to % 2 ? &first : &second, &one, sizeof one);
  WORK((to % 2 ? &first : &second)->at, out)
}

__attribute__((noinline)) static void fill(struct two* both, int64_t* at) {
  both->first.at = both->second.at = at;
}
static void filled(shmem_ctx_t ctx, const int64_t* table, int64_t* out, int to) {
  struct two both;
  fill(&both, out);
  WORK(both.second.at, both.first.at)
}
__attribute__((noinline)) static void copy(struct view* target, const struct view* source) {
  *target = *source;
}
static void filled_by_copy(shmem_ctx_t ctx, const int64_t* table, int64_t* out, int to) {
  const struct view one = {out, width};
  struct two both;
  copy(&both.second, &one);
  WORK(both.second.at, out)
}
__attribute__((noinline)) static struct view made(int64_t* at) {
  const struct view one = {at, width};
  return one;
}
static void returned(shmem_ctx_t ctx, const int64_t* table, int64_t* out, int to) {
  const struct view one = made(out);
  WORK(one.at, out)
}
static void copied_in_loop(shmem_ctx_t ctx, const int64_t* table, int64_t* out, int to) {
  kept.at = out;
#pragma shmem defer
  for (int64_t i = 0; i < rounds; i++) {
    const struct view one = kept;
    one.at[i % width] *= 3;
    const int64_t found = shmem_ctx_int64_g(ctx, &table[i], to);
    kept.at[i % width] += found;
  }
}

int main(void) {
  void (*const all[cases])(shmem_ctx_t, const int64_t*, int64_t*, int) = {
      assigned, assigned_from_global, member_of_member, copied_pointer, copied_to_element, copied_to_either,
      filled,   filled_by_copy,       returned,         copied_in_loop};
  const shmem_ctx_t ctx = start();
  int64_t* const table = symmetric(rounds);
  FOR_MY_PES(me)
  for (int i = 0; i < rounds; i++) PART(table, me)[i] = 1 + i * 7 % 97;
  shmem_barrier_all();
  FOR_MY_PES(me) {
    for (int at = 0; at < cases; at++) {
      int64_t out[2 * width] = {0};
      all[at](ctx, table, out, (me + 1) % shmem_n_pes());
      shmem_ctx_quiet(ctx);
      uint64_t sum = 0;
      for (int i = 0; i < 2 * width; i++) sum = mixed(sum, (uint64_t)out[i]);
      if (me == 0) printf("%d: %016lx\n", at, (unsigned long)sum);
    }
  }
  shmem_barrier_all();
  shmem_finalize();
  return 0;
}
