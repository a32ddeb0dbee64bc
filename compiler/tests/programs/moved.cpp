// SPDX-License-Identifier: BSD-3-Clause
// Pointers that change places meanwhile, in memory that others know: in the statement, by functions that it
// calls, and behind it. Under either name it is the same object, and the promise says nothing of it.
#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <utility>

#include "job.h"

namespace {

constexpr int entries = 64, width = 8, rounds = 8;

shmem_ctx_t ctx;
int64_t* from; // the same on all PEs
int other;
int64_t first[width], second[width], third[width];
int64_t seen;

struct lists {
  int64_t *a, *b;
};
struct numbers {
  uintptr_t a, b;
};
struct ring {
  int64_t* p[3];
};
struct holder {
  lists* in;
};
int64_t *one_of_all, *other_of_all;
uintptr_t first_of_all, second_of_all;

int64_t fetched(int64_t i) {
  return shmem_ctx_int64_g(ctx, &from[i % entries], other);
}
void note(const int64_t* list) {
  for (int j = 0; j < width; j++)
    seen = static_cast<int64_t>(mixed(static_cast<uint64_t>(seen), static_cast<uint64_t>(list[j])));
}

// What a round does: dependent code changes one list, other code the other one; then they change places.
#define ROUNDS(one, other, ...)                                         \
  _Pragma("shmem defer") for (int i = 0; i < rounds; i++) {             \
    for (int j = 0; j < width; j++) (one)[j] += fetched(i * width + j); \
    (other)[i] = (other)[i] * 3 + i;                                    \
    __VA_ARGS__                                                         \
  }

__attribute__((noinline)) void exchange(int64_t** a, int64_t** b) {
  int64_t* const kept = *a;
  *a = *b;
  *b = kept;
}
__attribute__((noinline)) void exchange_numbers(uintptr_t* a, uintptr_t* b) {
  const uintptr_t kept = *a;
  *a = *b;
  *b = kept;
}

void by_members(lists* t) {
  ROUNDS(t->a, t->b, {
    int64_t* const kept = t->a;
    t->a = t->b;
    t->b = kept;
  })
}
void by_swap(lists* t) {
  ROUNDS(t->a, t->b, std::swap(t->a, t->b);)
}
void by_exchange(lists* t) {
  ROUNDS(t->a, t->b, t->a = std::exchange(t->b, t->a);)
}
void by_function(lists* t) {
  ROUNDS(t->a, t->b, exchange(&t->a, &t->b);)
}
void by_structure(lists* t) {
  ROUNDS(t->a, t->b, {
    const lists kept = *t;
    t->a = kept.b;
    t->b = kept.a;
  })
}
void by_whole_structure(lists* t) {
  ROUNDS(t->a, t->b, {
    const lists turned = {t->b, t->a};
    *t = turned;
  })
}
void by_bytes(lists* t) {
  ROUNDS(t->a, t->b, {
    int64_t* kept;
    memcpy(&kept, &t->a, sizeof kept);
    memcpy(&t->a, &t->b, sizeof kept);
    memcpy(&t->b, &kept, sizeof kept);
  })
}
void by_numbers(numbers* t) {
  ROUNDS(reinterpret_cast<int64_t*>(t->a), reinterpret_cast<int64_t*>(t->b), exchange_numbers(&t->a, &t->b);)
}
void by_arithmetic(numbers* t) {
  ROUNDS(reinterpret_cast<int64_t*>(t->a), reinterpret_cast<int64_t*>(t->b), t->a ^= t->b; t->b ^= t->a;
         t->a ^= t->b;)
}
void by_rotation(ring* t) {
  ROUNDS(t->p[0], t->p[1], {
    int64_t* const kept = t->p[0];
    t->p[0] = t->p[1];
    t->p[1] = t->p[2];
    t->p[2] = kept;
  })
}
void further_down(holder* h) {
  ROUNDS(h->in->a, h->in->b, std::swap(h->in->a, h->in->b);)
}
void of_the_program() {
  ROUNDS(one_of_all, other_of_all, std::swap(one_of_all, other_of_all);)
}
void numbers_of_the_program() {
  ROUNDS(reinterpret_cast<int64_t*>(first_of_all), reinterpret_cast<int64_t*>(second_of_all),
         std::swap(first_of_all, second_of_all);)
}
void owned(std::array<std::unique_ptr<int64_t[]>, 2>& both) {
  ROUNDS(both[0], both[1], both[0].swap(both[1]);)
}

void behind(lists* t) {
  for (int r = 0; r < rounds; r++) {
#pragma shmem defer
    for (int j = 0; j < width; j++) t->a[j] += shmem_ctx_int64_g(ctx, &from[r * width + j], other);
    std::swap(t->a, t->b);
    note(t->b);
  }
  shmem_ctx_quiet(ctx);
}
void behind_by_function(lists* t) {
  for (int r = 0; r < rounds; r++) {
#pragma shmem defer
    for (int j = 0; j < width; j++) t->a[j] += shmem_ctx_int64_g(ctx, &from[r * width + j], other);
    exchange(&t->a, &t->b);
    note(t->b);
  }
  shmem_ctx_quiet(ctx);
}
void behind_by_copy(lists* t, lists* to) {
  for (int r = 0; r < rounds; r++) {
#pragma shmem defer
    for (int j = 0; j < width; j++) t->a[j] += shmem_ctx_int64_g(ctx, &from[r * width + j], other);
    *to = *t;
    note(to->a);
  }
  shmem_ctx_quiet(ctx);
}

template <class Function, class... Arguments>
void show(const char* name, Function function, Arguments... arguments) {
  for (int j = 0; j < width; j++) first[j] = j, second[j] = 100 * j, third[j] = 7;
  seen = 0;
  function(arguments...);
  shmem_ctx_quiet(ctx);
  note(first), note(second), note(third);
  if (shmem_my_pe() == 0) printf("%s: %016lx\n", name, static_cast<unsigned long>(seen));
}
template <class Structure>
std::unique_ptr<Structure> made(const Structure& of) {
  return std::make_unique<Structure>(of);
}

} // namespace

int main() {
  ctx = start();
  from = symmetric(entries);
  for (int pe = 0; pe < shmem_n_pes(); pe++)
    for (int i = 0; i < entries; i++) shmem_int64_p(&from[i], 7 * i % 31 + i, pe);
  shmem_barrier_all();
  other = (shmem_my_pe() + 1) % shmem_n_pes();

  const lists both = {first, second};
  const numbers by_number = {reinterpret_cast<uintptr_t>(first), reinterpret_cast<uintptr_t>(second)};
  show("members", by_members, made(both).get());
  show("swap", by_swap, made(both).get());
  show("exchange", by_exchange, made(both).get());
  show("function", by_function, made(both).get());
  show("structure", by_structure, made(both).get());
  show("whole structure", by_whole_structure, made(both).get());
  show("bytes", by_bytes, made(both).get());
  show("numbers", by_numbers, made(by_number).get());
  show("arithmetic", by_arithmetic, made(by_number).get());
  show("rotation", by_rotation, made(ring{{first, second, third}}).get());
  const auto in = made(both);
  show("further down", further_down, made(holder{in.get()}).get());
  one_of_all = first, other_of_all = second;
  show("of the program", of_the_program);
  first_of_all = by_number.a, second_of_all = by_number.b;
  show("numbers of the program", numbers_of_the_program);
  show("owned", [] {
    std::array<std::unique_ptr<int64_t[]>, 2> lists = {std::make_unique<int64_t[]>(width),
                                                       std::make_unique<int64_t[]>(width)};
    owned(lists);
    shmem_ctx_quiet(ctx);
    note(lists[0].get()), note(lists[1].get());
  });
  show("behind", behind, made(both).get());
  show("behind, by a function", behind_by_function, made(both).get());
  const auto to = made(both);
  show("behind, by a copy", behind_by_copy, made(both).get(), to.get());
  shmem_barrier_all();
  shmem_finalize();
}
