// SPDX-License-Identifier: BSD-3-Clause
// The same place by two pointers, where the second has been made of the first by what C++ has for that.
// Inside of the statement the round writes by the one what the dependent code reads by the other; behind it
// the code reads by the one what the dependent code writes by the other.
#include "job.h"

#include <array>
#include <atomic>
#include <bit>
#include <memory>
#include <string_view>
#include <utility>

namespace {

using word = std::int64_t;
constexpr word places = 64, rounds = 8;

shmem_ctx_t ctx;
word* values;
int pe;

word fetch(word i) {
  return shmem_g(ctx, &values[i], pe);
}

word* in_an_array(word* p) {
  std::array<word*, 4> all;
  for (auto& one : all) one = p;
  return all[2];
}

word* in_an_atomic(word* p) {
  std::atomic<word*> kept(nullptr);
  kept.exchange(p);
  return kept.fetch_add(1);
}

word* compared(word* p) {
  std::atomic<word*> kept(nullptr);
  word* expected = nullptr;
  kept.compare_exchange_strong(expected, p);
  return kept.load();
}

word* as_a_number(word* p) {
  return std::bit_cast<word*>(std::bit_cast<double>(p));
}

word* in_halves(word* p) {
  struct halves {
    unsigned low, high;
  };
  const auto one = std::bit_cast<halves>(p);
  return std::bit_cast<word*>(halves{one.low, one.high});
}

word* of_a_view(word* p) {
  const std::string_view all(reinterpret_cast<const char*>(p), sizeof *p);
  return const_cast<word*>(reinterpret_cast<const word*>(all.substr(0, 4).data()));
}

word* taken(word* p) {
  word* kept = p;
  return std::exchange(kept, nullptr);
}

word* thrown(word* p) {
  try {
    if (values) throw p;
  } catch (word* caught) {
    return caught;
  }
  return nullptr;
}

word* by_reference(word* p) {
  word* q = nullptr;
  const auto set = [&](word* to) { q = to; };
  set(p);
  return q;
}

word* owned(word* p) {
  std::unique_ptr<word, void (*)(word*)> one(p, [](word*) {});
  const auto other = std::move(one);
  return other.get();
}

template <typename Way>
word in_the_statement(Way way, word* p) {
  word found[2 * rounds], sum = 0;
  word* q = way(p);
#pragma shmem defer
  for (word i = 0; i < rounds; ++i) {
    *q = i + 1;
    for (word j = 0; j < 2; ++j) found[2 * i + j] = fetch(i * 2 + j) * 100 + *p;
  }
  for (const word one : found) sum = sum * 31 + one;
  return sum;
}

template <typename Way>
word behind_it(Way way, word* p) {
  word* q = way(p);
  *p = 0;
#pragma shmem defer
  for (word i = 0; i < rounds; ++i) *p += fetch(i);
  const word sum = *q;
  shmem_ctx_quiet(ctx);
  return sum;
}

} // namespace

int main() {
  ctx = start();
  values = symmetric(places);
  const auto place = std::make_unique<word>(0);
  FOR_MY_PES(me)
  for (word i = 0; i < places; ++i)
    PART(values, me)[i] = static_cast<word>(mixed(static_cast<std::uint64_t>(i), 5) % 1000);
  shmem_barrier_all();
  FOR_MY_PES(me) {
    pe = (me + 1) % shmem_n_pes();
    const auto show = [me](const char* name, auto way, word* p) {
      const word one = in_the_statement(way, p), other = behind_it(way, p);
      if (me == 0)
        std::printf("%s: %llx %lld\n", name, static_cast<unsigned long long>(one),
                    static_cast<long long>(other));
    };
#define SHOW(way) show(#way, [](word* p) { return way(p); }, place.get());
    SHOW(in_an_array)
    SHOW(in_an_atomic)
    SHOW(compared)
    SHOW(as_a_number)
    SHOW(in_halves)
    SHOW(of_a_view)
    SHOW(taken)
    SHOW(thrown)
    SHOW(by_reference)
    SHOW(owned)
  }
  shmem_barrier_all();
  shmem_free(values);
  shmem_ctx_destroy(ctx);
  shmem_finalize();
}
