// SPDX-License-Identifier: BSD-3-Clause
// Pointers to one place that functions leave in variables: to memory that they make, under several names, and
// by functions that call each other.
#include "noted.hpp"

namespace {

constexpr word rounds = 40, size = 8;

struct buffer {
  word *begin, *end;
};
[[gnu::noinline]] void make_ends(buffer& to) {
  auto* made = static_cast<word*>(calloc(size, sizeof(word)));
  to.begin = made;
  to.end = made + size;
}
[[gnu::noinline]] word* make_and_return(buffer& to) {
  auto* made = static_cast<word*>(calloc(size, sizeof(word)));
  to.begin = made;
  return made + size;
}
[[gnu::noinline]] void make_for_both(buffer& one, buffer& other) {
  auto* made = static_cast<word*>(calloc(size, sizeof(word)));
  one.begin = made;
  other.end = made + size;
}

// What one name of the memory writes in each round, the other one changes where a fetched value says.
#define COUNT_IN(memory, last)                               \
  _Pragma("shmem defer") for (word i = 0; i < rounds; ++i) { \
    last = i;                                                \
    (memory)[fetch(i) % size] += 3;                          \
  }                                                          \
  shmem_ctx_quiet(ctx);                                      \
  for (word i = 0; i < size; ++i) note((memory)[i])

void both_ends() {
  buffer b;
  make_ends(b);
  COUNT_IN(b.begin, b.end[-1]);
}
void returned() {
  buffer b;
  word* end = make_and_return(b);
  COUNT_IN(b.begin, end[-1]);
}
void in_two_variables() {
  buffer a, b;
  make_for_both(a, b);
  COUNT_IN(a.begin, b.end[-1]);
}
// Two calls make two.
void two_calls() {
  buffer a, b;
  make_ends(a);
  make_ends(b);
  COUNT_IN(a.begin, b.end[-1]);
}

void set(buffer& of, word* to, int depth);
[[gnu::noinline]] void pass_on(buffer& of, word* to, int depth) {
  if (depth > 0) set(of, to, depth - 1);
}
void set(buffer& of, word* to, int depth) {
  if (depth > 0)
    pass_on(of, to, depth - 1);
  else
    of.begin = to;
}
void by_each_other() {
  word *memory = static_cast<word*>(calloc(size, sizeof(word))), other[size] = {};
  buffer a{other, other}, b{other, other};
  set(a, other, 2);
  pass_on(b, memory, 3);
#pragma shmem defer
  for (word i = 0; i < rounds; ++i) {
    a.begin[0]++;
    b.begin[7] = i;
    memory[fetch(i) % size] += 3;
  }
  shmem_ctx_quiet(ctx);
  for (word i = 0; i < size; ++i) note(memory[i]);
  note(other[0]);
}

[[gnu::noinline]] void set_one(buffer& one, buffer& other, word* to, int depth) {
  if (depth > 0)
    set_one(other, one, to, depth - 1);
  else
    one.begin = to;
}
void in_turn() {
  word *memory = static_cast<word*>(calloc(size, sizeof(word))), other[size] = {};
  buffer a{other, other}, b{other, other}, c{other, other}, d{other, other};
  set_one(c, d, other, 2);
  set_one(a, b, memory, 1);
#pragma shmem defer
  for (word i = 0; i < rounds; ++i) {
    c.begin[0]++;
    b.begin[7] = i;
    memory[fetch(i) % size] += 3;
  }
  shmem_ctx_quiet(ctx);
  for (word i = 0; i < size; ++i) note(memory[i]);
  note(other[0]);
}

word* kept;
void keep(word& value, int depth);
[[gnu::noinline]] void keep_later(word& value, int depth) {
  if (depth > 0) keep(value, depth - 1);
}
void keep(word& value, int depth) {
  kept = &value;
  if (depth > 0) keep_later(value, depth - 1);
}
void kept_by_each_other() {
  word one = 0, other = 0;
  keep(one, 1);
  keep_later(other, 2);
#pragma shmem defer
  for (word i = 0; i < rounds; ++i) {
    one += i;
    *kept += 1;
    other += (fetch(i) * 3) ^ other;
  }
  shmem_ctx_quiet(ctx);
  note(one);
  note(other);
}

void show(const char* name, void (*function)()) {
  result = 0;
  function();
  if (shmem_my_pe() == 0) std::printf("%s: %llx\n", name, static_cast<unsigned long long>(result));
}

} // namespace

int main() {
  begin_job();
#define SHOW(function) show(#function, function);
  SHOW(both_ends)
  SHOW(returned)
  SHOW(in_two_variables)
  SHOW(two_calls)
  SHOW(by_each_other)
  SHOW(in_turn)
  SHOW(kept_by_each_other)
  end_job();
}
