// SPDX-License-Identifier: BSD-3-Clause
// Places that iterators, views and other objects of the statement name: a later round fetches what an earlier
// one has stored.
#include <iterator>
#include <ranges>
#include <span>
#include <utility>

#include "job.h"

enum { n = 200 };

static shmem_ctx_t ctx;
static int me;

#define FETCH(place) (shmem_ctx_int64_g(ctx, (place), me) + 1)

struct cursor {
  int64_t* at;
  cursor& operator++() {
    ++at;
    return *this;
  }
};
struct walker {
  int64_t* of;
  int64_t at = 0;
  void step() {
    of[at + 1] = FETCH(&of[at]);
    at++;
  }
};

static void of_a_span(int64_t* a) {
#pragma shmem defer
  for (int64_t& x : std::span<int64_t>(a, n - 1)) (&x)[1] = FETCH(&x);
}
static void of_a_span_backwards(int64_t* a) {
  const std::span<int64_t> all(a + 1, n - 1);
#pragma shmem defer
  for (auto i = all.rbegin(); i != all.rend(); ++i) (&*i)[-1] = FETCH(&*i);
}
static void of_a_cursor(int64_t* a) {
#pragma shmem defer
  for (cursor c{a}; c.at != a + n - 1; ++c) c.at[1] = FETCH(c.at);
}
static void of_a_pair(int64_t* a) {
  std::pair<int64_t, int64_t> k{0, 1};
#pragma shmem defer
  for (int i = 0; i < n - 1; i++) {
    a[k.second] = FETCH(&a[k.first]);
    k = {k.second, k.second + 1};
  }
}
static void of_a_lambda(int64_t* a) {
  auto next = [k = int64_t{0}]() mutable { return k++; };
#pragma shmem defer
  for (int i = 0; i < n - 1; i++) {
    const int64_t k = next();
    a[k + 1] = FETCH(&a[k]);
  }
}
static void of_a_range(int64_t* a) {
#pragma shmem defer
  for (const int64_t i : std::views::iota(int64_t{0}, int64_t{n - 1})) a[i + 1] = FETCH(&a[i]);
}
static void of_an_object(int64_t* a) {
  walker all{a};
#pragma shmem defer
  for (int i = 0; i < n - 1; i++) all.step();
}

int main() {
  ctx = start();
  me = shmem_my_pe();
  int64_t* const a = symmetric(n);
  for (const auto work :
       {of_a_span, of_a_span_backwards, of_a_cursor, of_a_pair, of_a_lambda, of_a_range, of_an_object}) {
    for (int i = 0; i < n; i++) a[i] = 5 * i + 3;
    work(a);
    shmem_ctx_quiet(ctx);
    uint64_t sum = 0;
    for (int i = 0; i < n; i++) sum = mixed(sum, static_cast<uint64_t>(a[i]));
    if (me == 0) printf("%016lx\n", static_cast<unsigned long>(sum));
  }
  shmem_barrier_all();
  shmem_finalize();
}
