// SPDX-License-Identifier: BSD-3-Clause
// Pointers and references to parts of local variables, made in front of the code that uses them: in the
// round, outside of the statement, by a function that is inlined, and in dependent code.
#include <cstring>

#include "job.h"

namespace {

constexpr int entries = 64, rounds = 16, width = 4;

shmem_ctx_t context;
int64_t* from; // the same on all PEs
int other;
int64_t out[rounds * width];

struct vector {
  int64_t x, y, z;
  int64_t product(int64_t value) const { return x * value + y - z; }
};
struct holder {
  int64_t before;
  vector at;
};
struct walker {
  const int64_t* at;
  int64_t step;
};
struct walk {
  int64_t before[2];
  walker by;
};

int64_t fetched(int64_t i) {
  return shmem_ctx_int64_g(context, &from[i % entries], other);
}
void four_products(int64_t* to, const vector& of, int64_t first) {
  for (int j = 0; j < width; j++) to[j] = of.product(fetched(first + j));
}

void element_of_array() {
  int64_t k[width] = {1, 2, 3, 4};
  int64_t* const p = k;
#pragma shmem defer
  for (int i = 0; i < rounds; i++) {
    out[i] = fetched(i) + p[0];
    p[0] += 1;
  }
}
void row_of_the_round() {
#pragma shmem defer
  for (int i = 0; i < rounds; i++) {
    int64_t row[width] = {i, 2, 3, static_cast<int64_t>(i) * i};
    const int64_t* p = row;
    for (int j = 0; j < width; j++) out[i * width + j] = fetched(i * width + j) + p[j];
  }
}
void row_of_a_fetched_value() {
#pragma shmem defer
  for (int i = 0; i < rounds; i++) {
    const int64_t value = fetched(i);
    int64_t row[width] = {value, value + 1, value + 2, value + 3};
    const int64_t* p = row;
    for (int j = 0; j < width; j++) out[i * width + j] = fetched(value % 8 + j) + p[j];
  }
}
void row_that_changes() {
  int64_t table[2][width] = {{1, 2, 3, 4}, {5, 6, 7, 8}};
  const int64_t* row = table[1];
#pragma shmem defer
  for (int i = 0; i < rounds; i++) {
    out[i] = fetched(i) + row[i % width];
    table[1][i % width] += i;
  }
}
void members() {
  vector v{1, 2, 3};
  const int64_t *x = &v.x, &z = v.z;
#pragma shmem defer
  for (int i = 0; i < rounds; i++) {
    out[i] = fetched(i) * *x + z;
    v.x += 2, v.z += 3;
  }
}
void member_by_reference() {
#pragma shmem defer
  for (int i = 0; i < rounds; i++) {
    holder h{i, {i, 2, 3}};
    four_products(&out[i * width], h.at, static_cast<int64_t>(i) * width);
  }
}
void member_of_a_fetched_value() {
#pragma shmem defer
  for (int i = 0; i < rounds; i++) {
    const int64_t value = fetched(i);
    holder h{i, {value, value + 1, 3}};
    four_products(&out[i * width], h.at, value % 8);
  }
}
void elements_by_reference() {
#pragma shmem defer
  for (int i = 0; i < rounds; i++) {
    int64_t row[width] = {i, 2, 3, 4};
    auto &first = row[0], &third = row[2];
    first += 5, third += i;
    for (int j = 0; j < width; j++) out[i * width + j] = fetched(i * width + j) * first + third;
  }
}
void window_that_moves() {
  int64_t window[3] = {1, 2, 3};
  int64_t *a = &window[0], *b = &window[1], *c = &window[2];
#pragma shmem defer
  for (int i = 0; i < rounds; i++) {
    out[i] = fetched(i) + *a * 3 + *b * 5 + *c;
    *a = *b, *b = *c, *c = i;
  }
}
void limit_of_a_condition() {
  int64_t limits[2] = {0, 60};
  int64_t* const upper = &limits[1];
#pragma shmem defer
  for (int i = 0; i < rounds; i++) {
    if (fetched(i) < *upper) out[i] = 1;
    *upper -= 3;
  }
}
void part_of_a_part() {
  static const int64_t steps[rounds * 2] = {1, 2, 3};
  walk k{{1, 2}, {steps, 2}};
  walker& by = k.by;
#pragma shmem defer
  for (int i = 0; i < rounds; i++) {
    out[i] = fetched(i) + by.step + *by.at;
    by.at++;
    by.step = 1 + i % 2;
  }
}
// The function ends before its statement does.
void constants_of_the_function() {
  const int64_t k[width] = {rounds, rounds + 1, rounds + 2, rounds + 3};
  const int64_t* p = k;
#pragma shmem defer nowait
  for (int i = 0; i < rounds; i++) out[i] = fetched(i) + p[i % width];
}
void write_over_the_stack() {
  volatile int64_t junk[500];
  for (int i = 0; i < 500; i++) junk[i] = i;
}

void show(const char* name, void (*function)()) {
  std::memset(out, 0, sizeof out);
  function();
  write_over_the_stack();
  shmem_ctx_quiet(context);
  uint64_t all = 0;
  for (const auto value : out) all = mixed(all, static_cast<uint64_t>(value));
  if (shmem_my_pe() == 0) printf("%s: %016lx\n", name, static_cast<unsigned long>(all));
}

} // namespace

int main() {
  context = start();
  from = symmetric(entries);
  for (int pe = 0; pe < shmem_n_pes(); pe++)
    for (int i = 0; i < entries; i++) shmem_int64_p(&from[i], 7 * i % 31 + i, pe);
  shmem_barrier_all();
  other = (shmem_my_pe() + 1) % shmem_n_pes();

  show("element of an array", element_of_array);
  show("row of the round", row_of_the_round);
  show("row of a fetched value", row_of_a_fetched_value);
  show("row that changes", row_that_changes);
  show("members", members);
  show("member by reference", member_by_reference);
  show("member of a fetched value", member_of_a_fetched_value);
  show("elements by reference", elements_by_reference);
  show("window that moves", window_that_moves);
  show("limit of a condition", limit_of_a_condition);
  show("part of a part", part_of_a_part);
  show("constants of the function", constants_of_the_function);
  shmem_barrier_all();
  shmem_finalize();
}
