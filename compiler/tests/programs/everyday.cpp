// SPDX-License-Identifier: BSD-3-Clause
// Loops as they are written in C++: containers, iterators, lambdas, templates, members, references, helpers
// of a header. All PEs hold the same, so that each can say what must come out.
#include "job.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <functional>
#include <list>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace {

using word = std::int64_t;
constexpr word places = 4000;

// The table's entry `i` is at place i / npes of PE i % npes.
word entry(word i) {
  return static_cast<word>(mixed(3, static_cast<std::uint64_t>(i)) % 1000);
}

struct world {
  shmem_ctx_t ctx;
  word* table;
  word* counts;
  std::vector<word> wanted;
};

word fetch(const world& w, word i) {
  return shmem_g(w.ctx, &w.table[i / shmem_n_pes()], static_cast<int>(i % shmem_n_pes()));
}

#define FETCH(i) shmem_ctx_int64_g(ctx, &table[(i) / shmem_n_pes()], static_cast<int>((i) % shmem_n_pes()))

// A distributed array, as programs have one of their own.
template <class T>
class spread {
 public:
  class place {
   public:
    place(const spread& whole, word index) : whole_(whole), index_(index) {}
    operator T() const { return whole_.read(index_); }

   private:
    const spread& whole_;
    word index_;
  };

  spread(T* part, shmem_ctx_t ctx) : part_(part), ctx_(ctx) {}
  T read(word index) const { return shmem_g(ctx_, part_ + local(index), owner(index)); }
  place operator[](word index) const { return place(*this, index); }
  T operator()(word index) const { return read(index); }

 private:
  static int owner(word index) { return static_cast<int>(index % shmem_n_pes()); }
  static word local(word index) { return index / shmem_n_pes(); }

  T* part_;
  shmem_ctx_t ctx_;
};

class extremes {
 public:
  void see(word value) {
    if (seen_++ == 0 || value < least_) least_ = value;
    largest_ = std::max(largest_, value);
  }
  word both() const { return largest_ * 1000 + least_ + seen_; }

 private:
  word seen_ = 0, least_ = 0, largest_ = -1;
};

template <class Range>
word mixed_sum(const Range& values) {
  return std::accumulate(values.begin(), values.end(), word{},
                         [](word a, word b) { return (a * 7 + b) % 1000003; });
}

// ---- what is iterated over

word by_value(world& w) {
  const auto [ctx, table] = std::pair(w.ctx, w.table);
  word sum = 0;
#pragma shmem defer
  for (const word i : w.wanted) sum += FETCH(i);
  shmem_ctx_quiet(ctx);
  return sum;
}

word by_iterator(world& w) {
  word sum = 0;
#pragma shmem defer
  for (auto at = w.wanted.begin(); at != w.wanted.end(); ++at) sum = (3 * sum + fetch(w, *at)) % 1000003;
  shmem_ctx_quiet(w.ctx);
  return sum;
}

word backwards(world& w) {
  word sum = 0;
#pragma shmem defer
  for (auto at = w.wanted.rbegin(); at != w.wanted.rend(); ++at) sum = (3 * sum + fetch(w, *at)) % 1000003;
  shmem_ctx_quiet(w.ctx);
  return sum;
}

word by_span(world& w) {
  const std::span<const word> some(w.wanted.data() + 10, 500);
  word sum = 0;
#pragma shmem defer
  for (const auto& i : some) sum ^= fetch(w, i);
  shmem_ctx_quiet(w.ctx);
  return sum;
}

word of_list(world& w) {
  const std::list<word> some(w.wanted.begin(), w.wanted.begin() + 300);
  word sum = 0;
#pragma shmem defer
  for (const word i : some) sum += fetch(w, i);
  shmem_ctx_quiet(w.ctx);
  return sum;
}

word of_tuples(world& w) {
  std::vector<std::tuple<word, word, word>> some;
  for (word k = 0; k < 400; ++k) some.emplace_back(w.wanted[static_cast<std::size_t>(k)], k % 5, k);
  word sum = 0;
#pragma shmem defer
  for (const auto& [i, weight, shift] : some) sum += fetch(w, i) * weight + shift;
  shmem_ctx_quiet(w.ctx);
  return sum;
}

word of_fixed_array(world& w) {
  const std::array<word, 5> some{1, 17, 256, 1000, 3999};
  word sum = 0;
#pragma shmem defer
  for (const word i : some) sum = 5 * sum + fetch(w, i);
  shmem_ctx_quiet(w.ctx);
  return sum;
}

// ---- how it is fetched

word by_member(world& w) {
  const spread<word> all(w.table, w.ctx);
  word sum = 0;
#pragma shmem defer
  for (const word i : w.wanted) sum += all.read(i);
  shmem_ctx_quiet(w.ctx);
  return sum;
}

word by_call_operator(world& w) {
  const spread<word> all(w.table, w.ctx);
  word sum = 0;
#pragma shmem defer
  for (const word i : w.wanted) sum += all(i);
  shmem_ctx_quiet(w.ctx);
  return sum;
}

word by_proxy(world& w) {
  const spread<word> all(w.table, w.ctx);
  word sum = 0;
#pragma shmem defer
  for (const word i : w.wanted) sum += all[i];
  shmem_ctx_quiet(w.ctx);
  return sum;
}

word by_several_proxies(world& w) {
  const spread<word> all(w.table, w.ctx);
  word sum = 0;
#pragma shmem defer strict
  for (const word i : w.wanted) sum += 3 * all[i] - all[places - 1 - i];
  shmem_ctx_quiet(w.ctx);
  return sum;
}

word by_lambda(world& w) {
  const auto at = [&w](word i) { return fetch(w, i); };
  word sum = 0;
#pragma shmem defer
  for (const word i : w.wanted) sum += at(i);
  shmem_ctx_quiet(w.ctx);
  return sum;
}

// ---- what is done with it

word into_vector(world& w) {
  std::vector<word> values(w.wanted.size());
#pragma shmem defer
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = fetch(w, w.wanted[k]);
  shmem_ctx_quiet(w.ctx);
  return mixed_sum(values);
}

word transformed_into(world& w) {
  std::vector<word> values(w.wanted.size());
  auto to = values.begin();
#pragma shmem defer
  for (const word i : w.wanted) *to++ = 2 * fetch(w, i) + 1;
  shmem_ctx_quiet(w.ctx);
  return mixed_sum(values);
}

word into_array(world& w) {
  std::array<word, 16> counts{};
#pragma shmem defer
  for (const word i : w.wanted) ++counts[static_cast<std::size_t>(fetch(w, i) & 15)];
  shmem_ctx_quiet(w.ctx);
  return mixed_sum(counts);
}

word into_owned(world& w) {
  const auto counts = std::make_unique<word[]>(16);
#pragma shmem defer
  for (const word i : w.wanted) counts[static_cast<std::size_t>(fetch(w, i) & 15)] += i;
  shmem_ctx_quiet(w.ctx);
  return mixed_sum(std::span(counts.get(), 16));
}

word into_counts(world& w) {
  std::vector<word> counts(32);
#pragma shmem defer
  for (const word i : w.wanted) ++counts[static_cast<std::size_t>(fetch(w, i) % 32)];
  shmem_ctx_quiet(w.ctx);
  return mixed_sum(counts);
}

word largest(world& w) {
  word found = -1;
#pragma shmem defer
  for (const word i : w.wanted) found = std::max(found, fetch(w, i));
  shmem_ctx_quiet(w.ctx);
  return found;
}

word least_and_largest(world& w) {
  word least = 1000, most = -1;
#pragma shmem defer
  for (const word i : w.wanted) {
    const word value = fetch(w, i);
    least = std::min(least, value);
    most = std::max(most, value);
  }
  shmem_ctx_quiet(w.ctx);
  return 1000 * most + least;
}

word swapped(world& w) {
  word last = 0, before = 0;
#pragma shmem defer
  for (const word i : w.wanted) {
    word value = fetch(w, i);
    if (value % 2 == 0) std::swap(last, value);
    before = (before * 3 + value) % 1000003;
  }
  shmem_ctx_quiet(w.ctx);
  return 1000003 * last + before;
}

word by_method(world& w) {
  extremes found;
#pragma shmem defer
  for (const word i : w.wanted) found.see(fetch(w, i));
  shmem_ctx_quiet(w.ctx);
  return found.both();
}

word noted(world& w) {
  word sum = 0, odd = 0;
  const auto note = [&](word value) {
    sum += value;
    odd += value & 1;
  };
#pragma shmem defer
  for (const word i : w.wanted) note(fetch(w, i));
  shmem_ctx_quiet(w.ctx);
  return 10000 * sum + odd;
}

word by_algorithm(world& w) {
  word sum = 0;
#pragma shmem defer
  std::for_each(w.wanted.begin(), w.wanted.end(), [&](word i) { sum += fetch(w, i); });
  shmem_ctx_quiet(w.ctx);
  return sum;
}

template <class T, class Combine>
T folded(const world& w, T first, Combine combine) {
#pragma shmem defer
  for (const word i : w.wanted) first = combine(first, fetch(w, i));
  shmem_ctx_quiet(w.ctx);
  return first;
}

word with_plus(world& w) {
  return folded(w, word{}, std::plus<>());
}

word with_lambda(world& w) {
  return folded(w, word{1}, [](word a, word b) { return (a * 5 + b) % 1000003; });
}

word the_last(world& w) {
  std::optional<word> found;
#pragma shmem defer
  for (const word i : w.wanted) {
    const word value = fetch(w, i);
    if (value % 7 == 0) found = value;
  }
  shmem_ctx_quiet(w.ctx);
  return found.value_or(-1);
}

class reader {
 public:
  explicit reader(world& w) : world_(w) {}
  word run() {
#pragma shmem defer
    for (const word i : world_.wanted) {
      sum_ += fetch(world_, i);
      if (sum_ % 3 == 0) ++thirds_;
    }
    shmem_ctx_quiet(world_.ctx);
    return 10000 * sum_ + thirds_;
  }

 private:
  world& world_;
  word sum_ = 0, thirds_ = 0;
};

word in_class(world& w) {
  return reader(w).run();
}

// ---- around it

word with_string(world& w) {
  const std::string label = "long enough to lie in memory of its own, which its end frees";
  word sum = 0;
#pragma shmem defer
  for (const word i : w.wanted) sum += fetch(w, i) + static_cast<word>(label.size());
  shmem_ctx_quiet(w.ctx);
  return sum;
}

word asserted(world& w) {
  word sum = 0;
#pragma shmem defer
  for (const word i : w.wanted) {
    assert(i >= 0 && i < places);
    const word value = fetch(w, i);
    assert(value < 1000);
    sum += value;
  }
  shmem_ctx_quiet(w.ctx);
  return sum;
}

word by_choice(world& w) {
  word sum = 0;
#pragma shmem defer
  for (const word i : w.wanted) sum += i % 3 == 0 ? fetch(w, i) : -i;
  shmem_ctx_quiet(w.ctx);
  return sum;
}

word by_either(world& w) {
  word sum = 0;
#pragma shmem defer
  for (const word i : w.wanted) sum = (sum * 3 + (i % 2 == 0 ? fetch(w, i) : fetch(w, i / 2))) % 1000003;
  shmem_ctx_quiet(w.ctx);
  return sum;
}

word if_wanted(world& w) {
  word sum = 0;
#pragma shmem defer
  for (const word i : w.wanted)
    if (i % 5 == 0 && fetch(w, i) > 500) ++sum;
  shmem_ctx_quiet(w.ctx);
  return sum;
}

word of_rows(world& w) {
  std::vector<word> sums(200);
#pragma shmem defer
  for (std::size_t row = 0; row < sums.size(); ++row) {
    word sum = 0;
    for (std::size_t k = 0; k < row % 9; ++k) sum += fetch(w, w.wanted[row * 3 + k]) * static_cast<word>(k);
    sums[row] = sum;
  }
  shmem_ctx_quiet(w.ctx);
  return mixed_sum(sums);
}

word of_fetched_rows(world& w) {
  word all = 0;
#pragma shmem defer
  for (word row = 0; row < 200; ++row) {
    const word begin = fetch(w, row), end = begin + fetch(w, row + 1) % 4;
    word sum = 0;
    for (word k = begin; k < end; ++k) sum += fetch(w, k);
    all = (all * 3 + sum) % 1000003;
  }
  shmem_ctx_quiet(w.ctx);
  return all;
}

word counted_at_owner(world& w) {
  const int npes = shmem_n_pes();
#pragma shmem defer
  for (const word i : w.wanted) {
    const word before = shmem_atomic_fetch_inc(w.ctx, &w.counts[i / npes], static_cast<int>(i % npes));
    shmem_p(w.ctx, &w.counts[(places + i) / npes + 1], before + 1, static_cast<int>(i % npes));
  }
  shmem_ctx_quiet(w.ctx);
  return 0;
}

struct named {
  const char* name;
  word (*run)(world&);
};
constexpr named loops[] = {
#define LOOP(NAME) {#NAME, NAME}
    LOOP(by_value),
    LOOP(by_iterator),
    LOOP(backwards),
    LOOP(by_span),
    LOOP(of_list),
    LOOP(of_tuples),
    LOOP(of_fixed_array),
    LOOP(by_member),
    LOOP(by_call_operator),
    LOOP(by_proxy),
    LOOP(by_several_proxies),
    LOOP(by_lambda),
    LOOP(into_vector),
    LOOP(transformed_into),
    LOOP(into_array),
    LOOP(into_owned),
    LOOP(into_counts),
    LOOP(largest),
    LOOP(least_and_largest),
    LOOP(swapped),
    LOOP(by_method),
    LOOP(noted),
    LOOP(by_algorithm),
    LOOP(with_plus),
    LOOP(with_lambda),
    LOOP(the_last),
    LOOP(in_class),
    LOOP(with_string),
    LOOP(asserted),
    LOOP(by_choice),
    LOOP(by_either),
    LOOP(if_wanted),
    LOOP(of_rows),
    LOOP(of_fetched_rows),
};

} // namespace

int main() {
  world w{start(), nullptr, nullptr, {}};
  const int npes = shmem_n_pes();
  w.table = symmetric(places / npes + 1);
  w.counts = symmetric(2 * (places / npes + 2));
  FOR_MY_PES(me)
  for (word i = me; i < places; i += npes) PART(w.table, me)[i / npes] = entry(i);
  for (word k = 0; k < 1000; ++k)
    w.wanted.push_back(static_cast<word>(mixed(5, static_cast<std::uint64_t>(k)) % places));
  shmem_barrier_all();
  for (const auto& [name, run] : loops) {
    const word result = run(w);
    if (shmem_my_pe() == 0) std::printf("%s %lld\n", name, static_cast<long long>(result));
  }
  shmem_barrier_all();
  counted_at_owner(w);
  shmem_barrier_all();
  word all = 0;
  FOR_MY_PES(me)
  for (word i = me; i < places; i += npes) all += PART(w.counts, me)[i / npes];
#ifndef REORDER
  word* sum = symmetric(1);
  shmem_atomic_add(sum, all, 0);
  shmem_barrier_all();
  all = *sum / npes;
#endif
  if (shmem_my_pe() == 0) std::printf("counted %lld\n", static_cast<long long>(all));
  shmem_ctx_destroy(w.ctx);
  shmem_finalize();
}
