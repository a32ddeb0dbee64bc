// SPDX-License-Identifier: BSD-3-Clause
// Random programs of several threads on each PE (SHMEM_THREAD_MULTIPLE) on aggregated contexts, some of one
// thread and one of all, against the oracle of random_cells.hpp.   threads_random THREADS FIRST_SEED SEEDS
#include <shmemx.h>

#include <latch>
#include <thread>

#include "tests/shmem/random_cells.hpp"

namespace {

using cell = std::int64_t;
using operation = fuzz::operation;

struct step {
  operation op;
  bool quiet; ///< of the context; then there is no operation
};

/// Who completes what the threads have issued.
enum class ending : std::uint8_t {
  each_its_own,      ///< each thread, on its contexts
  main_meanwhile,    ///< main code, while the threads are there and do nothing
  main_after_threads ///< main code, when they have ended
};

class program {
 public:
  program(int threads, int me, int pes) : me_(me), pes_(pes), steps_(static_cast<std::size_t>(threads)) {
    auto* const memory =
        static_cast<cell*>(shmem_malloc((fuzz::cells<cell>::most + fuzz::cells<cell>::each) * sizeof(cell)));
    cells_ = std::make_unique<fuzz::cells<cell>>(memory, memory + fuzz::cells<cell>::each, me, pes);
    contexts_.resize(steps_.size() + 1); // one for each thread, and one for all
    for (auto& c : contexts_)
      if (shmem_ctx_create(SHMEMX_CTX_AGGREGATE, &c) != 0) std::abort();
  }

  int run(std::uint64_t seed) {
    fuzz::random r(seed);
    plan(r);
    shmem_barrier_all();
    issue(static_cast<ending>(seed % 3));
    shmem_barrier_all();
    const int errors = cells_->check(seed);
    shmem_barrier_all();
    return errors;
  }

 private:
  // All PEs make up the whole program; stores that have an order are those of one thread on its context.
  void plan(fuzz::random& r) {
    const int threads = static_cast<int>(steps_.size());
    cells_->begin(r, pes_, threads);
    for (auto& s : steps_) s.clear();
    const auto operations = 50 + r() % 450;
    for (std::uint64_t i = 0; i < operations; ++i) {
      const int pe = static_cast<int>(r() % static_cast<unsigned>(pes_));
      const auto thread = r() % steps_.size();
      if (r() % 20 == 0) {
        operation of{};
        of.context = static_cast<int>(thread);
        if (pe == me_) steps_[thread].push_back({of, true});
        cells_->order(pe, static_cast<int>(thread));
        continue;
      }
      auto op = cells_->plan(r, pe, static_cast<int>(thread));
      const auto by = static_cast<std::size_t>(op.context);
      if (op.what != fuzz::verb::store && r() % 2 == 0) op.context = threads;
      if (op.pe == me_) steps_[by].push_back({op, false});
    }
  }

  void issue(ending how) {
    std::latch issued(static_cast<std::ptrdiff_t>(steps_.size())), complete(1);
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < steps_.size(); ++t)
      threads.emplace_back([&, t] {
        for (const auto& s : steps_[t]) carry_out(s);
        issued.count_down();
        if (how == ending::each_its_own) shmem_ctx_quiet(contexts_[t]);
        if (how == ending::main_meanwhile) complete.wait();
      });
    issued.wait();
    if (how == ending::main_meanwhile) quiet_all();
    complete.count_down();
    for (auto& t : threads) t.join();
    if (how != ending::main_meanwhile) quiet_all();
  }

  void carry_out(const step& s) {
    const auto c = contexts_[static_cast<std::size_t>(s.op.context)];
    if (s.quiet)
      shmem_ctx_quiet(c);
    else
      cells_->issue(s.op, c);
  }

  void quiet_all() {
    for (const auto c : contexts_) shmem_ctx_quiet(c);
  }

  int me_, pes_;
  std::unique_ptr<fuzz::cells<cell>> cells_;
  std::vector<shmem_ctx_t> contexts_;
  std::vector<std::vector<step>> steps_; ///< of this PE, by thread
};

} // namespace

int main(int argc, char** argv) {
  const int threads = argc > 1 ? std::atoi(argv[1]) : 4;
  const std::uint64_t first = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 1;
  const std::uint64_t count = argc > 3 ? std::strtoull(argv[3], nullptr, 10) : 60;
  int provided = -1;
  if (shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided) != 0 || provided != SHMEM_THREAD_MULTIPLE) return 1;
  if (shmem_my_pe() == 0)
    std::printf("%d threads, seeds %llu to %llu\n", threads, static_cast<unsigned long long>(first),
                static_cast<unsigned long long>(first + count - 1));
  program p(threads, shmem_my_pe(), shmem_n_pes());
  int errors = 0;
  for (auto seed = first; seed < first + count && errors < 10; ++seed) errors += p.run(seed);
  if (errors != 0) shmem_global_exit(1);
  shmem_finalize();
}
