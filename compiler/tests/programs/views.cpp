// SPDX-License-Identifier: BSD-3-Clause
// Memory that dependent code writes, and that is read behind the statement by another owner, view or
// iterator. The quiet stands behind the reading.
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "noted.hpp"

namespace {

void part_of_vector() {
  std::vector<word> all(places);
  const std::span<word> half(all.data() + places / 2, places / 2);
#pragma shmem defer
  for (std::size_t k = 0; k < half.size(); ++k) half[k] = fetch(static_cast<word>(k) * 3);
  for (const word value : all) note(value);
  shmem_ctx_quiet(ctx);
}

std::pair<word*, word> row_of(std::vector<word>& all, word row) {
  return {all.data() + row * 16, 16};
}

void returned_in_pair() {
  std::vector<word> all(places);
  const auto [row, count] = row_of(all, 3);
#pragma shmem defer
  for (word i = 0; i < count; ++i) row[i] = fetch(i);
  for (const word value : all) note(value);
  shmem_ctx_quiet(ctx);
}

void moved() {
  auto all = std::make_unique<word[]>(places);
  word* raw = all.get();
#pragma shmem defer
  for (word k = 0; k < places; ++k) raw[k] = fetch(k * 3);
  const auto other = std::move(all);
  for (std::size_t k = 0; k < places; ++k) note(other[k]);
  shmem_ctx_quiet(ctx);
}

void rows() {
  std::vector<std::vector<word>> all(8, std::vector<word>(16));
#pragma shmem defer
  for (std::size_t r = 0; r < all.size(); ++r)
    for (std::size_t k = 0; k < 16; ++k) all[r][k] = fetch(static_cast<word>(r * 16 + k));
  for (const auto& row : all)
    for (const word value : row) note(value);
  shmem_ctx_quiet(ctx);
}

struct sums {
  sums(word& all, word* parts) : all_(all), parts_(parts) {}
  void add(word value) {
    all_ += value;
    parts_[value & 7]++;
  }
  word& all_;
  word* parts_;
};

void kept_references() {
  word all = 0, parts[8] = {};
  sums both(all, parts);
  sums* to = &both;
#pragma shmem defer
  for (word k = 0; k < places; ++k) to->add(fetch(k));
  note(all);
  for (const word value : parts) note(value);
  shmem_ctx_quiet(ctx);
}

// Calls that may throw, in two statements.
struct noted {
  ~noted() { note(1); }
};

[[gnu::noinline]] word checked(word k) {
  if (k > 100000) throw k;
  return k;
}

void may_throw() {
  const noted end;
  word sum = 0;
#pragma shmem defer
  {
    sum += checked(fetch(7));
  }
#pragma shmem defer
  {
    const word k = checked(3);
    sum += fetch(9) + k;
  }
  note(sum);
}

// A value that wants more alignment than a record has.
using wide = word __attribute__((vector_size(32)));
alignas(32) wide vectors[places];

void wide_values() {
#pragma shmem defer
  for (word i = 0; i < places; ++i) {
    const wide start{i, 1, 2, 3};
    vectors[i] = start * fetch(i);
  }
  shmem_ctx_quiet(ctx);
  for (const auto& one : vectors) note(one[0] + one[3]);
}

} // namespace

int main() {
  begin_job();
  part_of_vector();
  returned_in_pair();
  moved();
  rows();
  kept_references();
  may_throw();
  wide_values();
  if (shmem_my_pe() == 0) std::printf("%llx\n", static_cast<unsigned long long>(result));
  end_job();
}
