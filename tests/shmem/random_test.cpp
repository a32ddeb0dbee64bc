// SPDX-License-Identifier: BSD-3-Clause
// Random programs of puts, gets, atomics, fences and quiets on all kinds of contexts and of symmetric memory,
// against an oracle that knows what the standard leaves open. All PEs make up the whole program from the
// seed, and each carries out its part.   random_test FIRST_SEED SEEDS
#include <shmemx.h>

#include <memory>
#include <tuple>

#include "tests/shmem/random_cells.hpp"

namespace {

template <class T>
using storage = T[fuzz::cells<T>::most + fuzz::cells<T>::each];

// One table for each type, in static memory on odd seeds, on the heap on even ones.
template <class... T>
class tables {
 public:
  tables(int me, int pes) : on_heap_{on_heap<T>(me, pes)...}, in_data_{in_data<T>(me, pes)...} {}

  template <class Do>
  void each(std::uint64_t seed, Do d) {
    std::apply([&](auto&... table) { (d(table), ...); }, seed % 2 ? in_data_ : on_heap_);
  }
  template <class Do>
  void one(std::uint64_t seed, std::size_t type, Do d) {
    std::size_t i = 0;
    each(seed, [&](auto& table) {
      if (i++ == type) d(table);
    });
  }

 private:
  template <class U>
  static fuzz::cells<U> on_heap(int me, int pes) {
    U* memory = static_cast<U*>(shmem_malloc(sizeof(storage<U>)));
    return {memory, memory + fuzz::cells<U>::each, me, pes};
  }
  template <class U>
  static fuzz::cells<U> in_data(int me, int pes) {
    static storage<U> memory;
    return {memory, memory + fuzz::cells<U>::each, me, pes};
  }
  std::tuple<fuzz::cells<T>...> on_heap_, in_data_;
};

using all_tables = tables<std::int32_t, std::uint32_t, std::int64_t, std::uint64_t, float, double>;
constexpr unsigned types = 6;

struct contexts {
  contexts() : all{SHMEM_CTX_DEFAULT} {
    for (const long options :
         {0L, SHMEM_CTX_PRIVATE + 0L, SHMEMX_CTX_AGGREGATE + 0L, SHMEMX_CTX_AGGREGATE + 0L}) {
      all.emplace_back();
      if (shmem_ctx_create(options, &all.back()) != 0) std::abort();
    }
  }
  ~contexts() {
    for (std::size_t i = 1; i < all.size(); ++i) shmem_ctx_destroy(all[i]);
  }
  contexts(const contexts&) = delete;
  contexts& operator=(const contexts&) = delete;
  std::vector<shmem_ctx_t> all;
};

class program {
 public:
  program(all_tables& t, contexts& c, int me, int pes) : tables_(t), contexts_(c.all), me_(me), pes_(pes) {}

  int run(std::uint64_t seed) {
    fuzz::random r(seed);
    tables_.each(seed, [&](auto& table) { table.begin(r, pes_, static_cast<int>(contexts_.size())); });
    shmem_barrier_all();
    const auto operations = 20 + r() % 400;
    for (std::uint64_t i = 0; i < operations; ++i) step(seed, r);
    for (const auto c : contexts_) shmem_ctx_quiet(c);
    shmem_barrier_all();
    int errors = 0;
    tables_.each(seed, [&](auto& table) { errors += table.check(seed); });
    shmem_barrier_all();
    return errors;
  }

 private:
  void step(std::uint64_t seed, fuzz::random& r) {
    const int pe = static_cast<int>(r() % static_cast<unsigned>(pes_));
    const int context = static_cast<int>(r() % contexts_.size());
    const auto chance = r() % 20;
    if (chance <= 1) return order(seed, pe, context, chance == 0);
    tables_.one(seed, r() % types, [&](auto& table) {
      const auto op = table.plan(r, pe, context);
      if (op.pe == me_) table.issue(op, contexts_[static_cast<std::size_t>(op.context)]);
    });
  }

  void order(std::uint64_t seed, int pe, int context, bool quiet) {
    const auto c = contexts_[static_cast<std::size_t>(context)];
    if (pe == me_) quiet ? shmem_ctx_quiet(c) : shmem_ctx_fence(c);
    tables_.each(seed, [&](auto& table) { table.order(pe, context); });
  }

  all_tables& tables_;
  const std::vector<shmem_ctx_t>& contexts_;
  int me_, pes_;
};

int run_seeds(std::uint64_t first, std::uint64_t count) {
  const int me = shmem_my_pe(), pes = shmem_n_pes();
  all_tables tables(me, pes);
  contexts all;
  program p(tables, all, me, pes);
  int errors = 0;
  for (auto seed = first; seed < first + count && errors < 10; ++seed) errors += p.run(seed);
  return errors;
}

} // namespace

int main(int argc, char** argv) {
  const std::uint64_t first = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1;
  const std::uint64_t count = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 100;
  shmem_init();
  if (shmem_my_pe() == 0)
    std::printf("seeds %llu to %llu\n", static_cast<unsigned long long>(first),
                static_cast<unsigned long long>(first + count - 1));
  const int errors = run_seeds(first, count);
  if (errors != 0) shmem_global_exit(1);
  shmem_finalize();
}
