// SPDX-License-Identifier: BSD-3-Clause
// Loops as applications have them: structured bindings, spans, arrays of arrays, lambdas that take lambdas,
// small helpers, maps, strings. All PEs hold the same, so that each can say what must come out.
#include "job.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace {

using word = std::int64_t;
constexpr word places = 4000;

word entry(word i) {
  return static_cast<word>(mixed(3, static_cast<std::uint64_t>(i)) % 1000);
}

struct world {
  shmem_ctx_t ctx;
  word* table;
  std::vector<word> wanted;
};

struct where {
  int pe;
  word at;
};
where place_of(word i) {
  return {static_cast<int>(i % shmem_n_pes()), i / shmem_n_pes()};
}
word read(const world& w, word i) {
  const auto [pe, at] = place_of(i);
  return shmem_g(w.ctx, w.table + at, pe);
}
word at_most(word v, word bound) {
  return v < bound ? v : bound;
}

template <class Values>
word mixed_sum(const Values& values) {
  return std::accumulate(values.begin(), values.end(), word{},
                         [](word a, word b) { return (a * 7 + b) % 1000003; });
}

// ---- the loops

word edges(world& w) {
  std::vector<std::tuple<word, word, word>> list;
  for (std::size_t k = 0; k + 1 < w.wanted.size(); ++k)
    list.emplace_back(w.wanted[k], w.wanted[k + 1], word(k));
  word cut = 0;
#pragma shmem defer
  for (const auto& [from, to, weight] : list) {
    const word a = read(w, from), b = read(w, to);
    if (a % 4 != b % 4) cut += weight;
  }
  return cut;
}

word rows_of_span(world& w) {
  std::vector<word> sums(50);
  const std::span<const word> all(w.wanted);
  for (std::size_t r = 0; r < sums.size(); ++r) {
    const auto row = all.subspan(r * 20, 20);
#pragma shmem defer
    for (const word i : row) sums[r] += read(w, i);
  }
  return mixed_sum(sums);
}

word grid(world& w) {
  std::array<std::array<word, 8>, 8> cells{};
#pragma shmem defer
  for (std::size_t k = 0; k < w.wanted.size(); ++k) {
    const word v = read(w, w.wanted[k]);
    cells[static_cast<std::size_t>(v & 7)][static_cast<std::size_t>(v >> 3 & 7)] += word(k);
  }
  word sum = 0;
  for (const auto& row : cells) sum = (sum * 31 + mixed_sum(row)) % 1000003;
  return sum;
}

template <class Use>
void for_values(const world& w, Use use) {
#pragma shmem defer
  for (const word i : w.wanted) use(i, read(w, i));
}
word by_visitor(world& w) {
  word most = -1, where = 0;
  for_values(w, [&](word i, word v) {
    if (v > most) {
      most = v;
      where = i;
    }
  });
  return most * 10000 + where;
}

word clamped(world& w) {
  word sum = 0;
#pragma shmem defer
  for (const word i : w.wanted) sum += std::clamp(read(w, i), word{100}, word{700}) + at_most(i, 50);
  return sum;
}

word chosen(world& w) {
  word sum = 0;
#pragma shmem defer
  for (const word i : w.wanted) sum += (i & 1) != 0 ? read(w, i) : 0;
  return sum;
}

word signed_sum(world& w) {
  word sum = 0;
#pragma shmem defer
  for (const word i : w.wanted) sum += (i & 1) != 0 ? read(w, i) : -read(w, i);
  return sum;
}

double weighted(world& w, const std::vector<double>& weights) {
  double sum = 0;
#pragma shmem defer
  for (std::size_t k = 0; k < w.wanted.size(); ++k)
    sum += weights[k & 15] * static_cast<double>(read(w, w.wanted[k]));
  return sum;
}
word weighted_sum(world& w) {
  std::vector<double> weights(16);
  std::iota(weights.begin(), weights.end(), 1.0);
  return static_cast<word>(weighted(w, weights));
}

word kept_if(world& w) {
  std::vector<word> out;
  out.reserve(w.wanted.size());
#pragma shmem defer
  for (const word i : w.wanted)
    if (const auto v = read(w, i); v > 500) out.push_back(i);
  return mixed_sum(out);
}

word inserted(world& w) {
  std::set<word> seen;
#pragma shmem defer
  for (const word i : w.wanted) seen.insert(read(w, i));
  return mixed_sum(seen);
}

word mapped(world& w) {
  std::map<word, word> counts;
#pragma shmem defer
  for (const word i : w.wanted) ++counts[read(w, i) % 100];
  word sum = 0;
  for (const auto& [v, n] : counts) sum = (sum * 31 + v * n) % 1000003;
  return sum;
}

word hashed(world& w) {
  std::unordered_map<word, word> counts;
#pragma shmem defer
  for (const word i : w.wanted) ++counts[read(w, i) % 100];
  word sum = 0;
  for (const auto& [v, n] : counts) sum += v * n;
  return sum;
}

word text(world& w) {
  std::string out;
#pragma shmem defer
  for (const word i : w.wanted) out += static_cast<char>('a' + read(w, i) % 26);
  word sum = 0;
  for (const char c : out) sum = (sum * 31 + c) % 1000003;
  return sum;
}

word bounded(world& w) {
  word sum = 0;
  const auto n = static_cast<word>(w.wanted.size());
#pragma shmem defer
  for (word k = 0; k < n; ++k) {
    const word i = w.wanted.at(static_cast<std::size_t>(k));
    assert(i >= 0 && i < places);
    const word v = read(w, i);
    assert(v < 1000);
    sum = (sum * 3 + v) % 1000003;
  }
  return sum;
}

struct tally {
  std::unique_ptr<word[]> bins = std::make_unique<word[]>(32);
  std::optional<word> first;
  void add(word v) {
    ++bins[static_cast<std::size_t>(v & 31)];
    if (!first) first = v;
  }
};
word tallied(world& w) {
  tally all;
#pragma shmem defer
  for (const word i : w.wanted) all.add(read(w, i));
  return mixed_sum(std::span(all.bins.get(), 32)) * 1000 + all.first.value_or(0);
}

word smallest(world& w) {
  std::pair<word, word> best{places, -1};
#pragma shmem defer
  for (const word i : w.wanted) best = std::min(best, std::pair{read(w, i), i});
  return best.first * 10000 + best.second;
}

word bucketed(world& w) {
  std::vector<std::vector<word>> buckets(10);
#pragma shmem defer
  for (const word i : w.wanted) buckets[static_cast<std::size_t>(read(w, i) / 100)].push_back(i);
  word sum = 0;
  for (const auto& one : buckets) sum = (sum * 31 + mixed_sum(one)) % 1000003;
  return sum;
}

word filled(world& w) {
  std::vector<word> out(w.wanted.size());
  auto to = out.begin();
#pragma shmem defer
  for (auto from = w.wanted.cbegin(); from != w.wanted.cend(); ++from, ++to) *to = read(w, *from);
  return mixed_sum(out);
}

struct named {
  const char* name;
  word (*run)(world&);
};
constexpr named loops[] = {
#define LOOP(NAME) {#NAME, NAME}
    LOOP(edges),      LOOP(rows_of_span), LOOP(grid),    LOOP(by_visitor), LOOP(clamped),  LOOP(chosen),
    LOOP(signed_sum), LOOP(weighted_sum), LOOP(kept_if), LOOP(inserted),   LOOP(mapped),   LOOP(hashed),
    LOOP(text),       LOOP(bounded),      LOOP(tallied), LOOP(smallest),   LOOP(bucketed), LOOP(filled),
};

} // namespace

int main() {
  world w{start(), nullptr, {}};
  const int npes = shmem_n_pes();
  w.table = symmetric(places / npes + 1);
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
  shmem_ctx_destroy(w.ctx);
  shmem_finalize();
}
