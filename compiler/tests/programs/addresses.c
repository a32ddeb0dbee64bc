/* Places that are written where they were fetched, spelt in another way, or by functions; and addresses of
 * local variables that dependent code chooses from, stores or compares. */
#include <string.h>

#include "job.h"

enum { entries = 128 };

static int64_t out[entries], order[entries];
static int64_t* table; /* symmetric */

#define CASE(name) static int64_t name(shmem_ctx_t ctx, int64_t* a, int me)

static int64_t scattered(int64_t i) { /* a hash, whose variable is written three times */
  uint64_t x = (uint64_t)i * 0x9e3779b97f4a7c15u + 77;
  x ^= x >> 31;
  x *= 0xd6e8feb86659fd93u;
  return (int64_t)((x ^ x >> 32) % entries);
}
static int64_t scattered_by_32_bits(int64_t i) {
  uint32_t x = (uint32_t)i * 2654435761u;
  x ^= x >> 15;
  return x % entries;
}

CASE(by_hash) { /* label propagation in place */
  int64_t changes = 0;
#pragma shmem defer
  for (int64_t v = 0; v < entries; v++) {
    const int64_t other = shmem_ctx_int64_g(ctx, &a[scattered(v)], me);
    if (other < a[v]) a[v] = other, changes++;
  }
  shmem_ctx_quiet(ctx);
  return changes;
}
CASE(by_hash_of_32_bits) {
#pragma shmem defer
  for (int64_t v = 0; v < entries; v++) a[v] = shmem_ctx_int64_g(ctx, &a[scattered_by_32_bits(v)], me) + v;
  shmem_ctx_quiet(ctx);
  return 0;
}
CASE(relaxed) { /* a dependent fetching update of the place that was read */
  int64_t relaxed = 0;
  const int to = me;
#pragma shmem defer
  for (int64_t u = 0; u < entries; u++) {
    int64_t* const place = &a[order[u] % 20];
    const int64_t known = shmem_ctx_int64_atomic_fetch(ctx, place, me);
    if (u % 50 >= known) continue;
    const int64_t seen = shmem_ctx_int64_atomic_compare_swap(ctx, &a[order[u] % 20], known, u % 50, to);
    if (seen == known)
      relaxed++;
    else
      out[u] = seen;
  }
  shmem_ctx_quiet(ctx);
  return relaxed;
}
CASE(by_pointer) {
#pragma shmem defer
  for (int64_t u = 0; u < entries; u++) {
    const int64_t k = order[u] % 16;
    int64_t* const place = &a[k];
    a[k] = shmem_ctx_int64_g(ctx, place, me) + u;
  }
  shmem_ctx_quiet(ctx);
  return 0;
}
CASE(by_absolute_value) {
#pragma shmem defer
  for (int64_t u = 0; u < 100; u++) a[labs(50 - u)] = shmem_ctx_int64_g(ctx, &a[labs(50 - u)], me) * 3 + u;
  shmem_ctx_quiet(ctx);
  return 0;
}
CASE(by_choice) {
#pragma shmem defer
  for (int64_t u = 0; u < 100; u++)
    a[u > 50 ? 100 - u : u] = shmem_ctx_int64_g(ctx, &a[u > 50 ? 100 - u : u], me) * 3 + u;
  shmem_ctx_quiet(ctx);
  return 0;
}

static int64_t stored(int64_t at, int64_t value, int depth) { /* calls itself, so that it remains a call */
  if (depth > 0) return stored(at, value, depth - 1) + 1;
  table[at] = value;
  return 1;
}
static int64_t stored_in(int64_t* into, int64_t at, int64_t value, int depth) {
  if (depth > 0) return stored_in(into, at, value, depth - 1) + 1;
  into[at] = value;
  return 1;
}
CASE(by_function) {
  int64_t sum = 0;
#pragma shmem defer
  for (int64_t u = 0; u + 1 < entries; u++)
    sum += stored(u + 1, shmem_ctx_int64_g(ctx, &table[u], me) + 1, 3);
  shmem_ctx_quiet(ctx);
#pragma shmem defer
  for (int64_t u = 0; u + 1 < entries; u++)
    sum += stored_in(a, u + 1, shmem_ctx_int64_g(ctx, &a[u], me) + 1, 3);
  shmem_ctx_quiet(ctx);
  return sum;
}

CASE(chosen_variable) {
  int64_t odd = 0, even = 0;
#pragma shmem defer
  for (int64_t u = 0; u < entries; u++) {
    const int64_t v = shmem_ctx_int64_g(ctx, &a[u], me);
    *(v & 1 ? &odd : &even) += v;
  }
  shmem_ctx_quiet(ctx);
  int64_t first = 0, second = 0;
#pragma shmem defer
  for (int64_t u = 0; u < entries; u++) {
    *(u & 1 ? &first : &second) += shmem_ctx_int64_g(ctx, &a[u], me);
    out[u] = first;
  }
  shmem_ctx_quiet(ctx);
  return odd * 7 + even * 5 + first * 3 + second;
}
CASE(table_of_variables) {
  int64_t x = 1, y = 2, z = 3, *all[3];
#pragma shmem defer
  for (int64_t u = 0; u < entries; u++) {
    const int64_t v = shmem_ctx_int64_g(ctx, &a[u], me);
    all[0] = &x, all[1] = &y, all[2] = &z;
    *all[v % 3] += v;
  }
  shmem_ctx_quiet(ctx);
  return x * 7 + y * 5 + z;
}
struct reference {
  int64_t *to, by;
};
CASE(member_variable) {
  int64_t x = 0, y = 0;
#pragma shmem defer
  for (int64_t u = 0; u < entries; u++) {
    struct reference one = {u & 1 ? &x : &y, 0};
    one.by += shmem_ctx_int64_g(ctx, &a[u], me);
    *one.to += one.by;
  }
  shmem_ctx_quiet(ctx);
  return x * 3 + y;
}
CASE(compared_variable) {
  int64_t x = 0, *last = NULL, count = 0;
#pragma shmem defer
  for (int64_t u = 0; u < entries; u++) {
    if (shmem_ctx_int64_g(ctx, &a[u], me) & 4) last = &x;
    count += last == &x;
  }
  shmem_ctx_quiet(ctx);
  return count;
}

int main(void) {
  int64_t (*const all[])(shmem_ctx_t, int64_t*, int) = {
      by_hash,          by_hash_of_32_bits, relaxed,         by_pointer,         by_absolute_value,
      by_choice,        by_function,        chosen_variable, table_of_variables, member_variable,
      compared_variable};
  const shmem_ctx_t ctx = start();
  const int me = shmem_my_pe();
  int64_t* const a = symmetric(entries);
  table = symmetric(entries);
  for (int i = 0; i < entries; i++) order[i] = (int64_t)(mixed((uint64_t)i, 5) % entries);
  for (unsigned at = 0; at < sizeof all / sizeof *all; at++) {
    for (int i = 0; i < entries; i++) a[i] = table[i] = 5 * i + 3, out[i] = 0;
    uint64_t sum = (uint64_t)all[at](ctx, a, me);
    for (int i = 0; i < entries; i++)
      sum = mixed(mixed(mixed(sum, (uint64_t)a[i]), (uint64_t)table[i]), (uint64_t)out[i]);
    if (me == 0) printf("%u: %016lx\n", at, (unsigned long)sum);
  }
  shmem_barrier_all();
  shmem_finalize();
  return 0;
}
