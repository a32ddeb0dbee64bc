// SPDX-License-Identifier: BSD-3-Clause
// OpenSHMEM and the C++ interface in one program, in one job, whichever comes first (argv[1]: "shmem_first"
// or "job_first"): the same PEs, the same memory, the same atomics.
#include <shmemx.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <vector>

#include "windrow/windrow.hpp"

namespace {

int failures;

void check(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "PE %d: not so: %s\n", shmem_my_pe(), what);
  ++failures;
}

long static_cell;

// Memory of the one interface under the operations of the other.
void share_memory(windrow::job& j) {
  const auto from_job = j.allocate<long>(4);
  long* const plain = j.local(from_job);
  const int next = (shmem_my_pe() + 1) % shmem_n_pes();
  check(shmem_addr_accessible(plain, next), "memory of the job is symmetric");
  shmem_long_p(&plain[1], 10 + shmem_my_pe(), next);
  shmem_barrier_all();
  const int before = (shmem_my_pe() + shmem_n_pes() - 1) % shmem_n_pes();
  check(plain[1] == 10 + before, "shmem_long_p writes memory of the job");

  long* const from_shmem = static_cast<long*>(shmem_calloc(4, sizeof(long)));
  const auto global = j.global(&from_shmem[2]);
  windrow::put(j, *windrow::global_ptr<long>(next, global.offset()), 20L + j.pe());
  j.barrier();
  check(from_shmem[2] == 20 + before, "windrow::put writes memory of shmem_calloc");
  shmem_barrier_all();
  shmem_free(from_shmem);
  j.free(from_job);
}

// Direct, aggregated and OpenSHMEM atomics on one counter lose nothing.
void share_atomics(windrow::job& j) {
  const auto counter = j.allocate<long>(1);
  const windrow::global_ptr<long> first(0, counter.offset());
  long* const plain = j.local(counter);
  windrow::context aggregated(j, windrow::aggregate);
  shmem_ctx_t ctx;
  check(shmem_ctx_create(SHMEMX_CTX_AGGREGATE, &ctx) == 0, "a context is made");
  constexpr int times = 1000;
  for (int i = 0; i < times; ++i) {
    aggregated.add(*first, 1);
    shmem_long_atomic_add(plain, 1, 0);
    windrow::add(j, *first, 1);
    shmem_ctx_long_atomic_add(ctx, plain, 1, 0);
    shmem_long_atomic_add(&static_cell, 1, 0);
  }
  shmem_ctx_quiet(ctx);
  aggregated.barrier();
  j.barrier();
  check(windrow::get(j, *first) == 4L * times * j.pes(), "no addition is lost");
  check(shmem_long_g(&static_cell, 0) == 1L * times * j.pes(), "nor one on a static variable");
  shmem_ctx_destroy(ctx);
  j.free(counter);
}

void share_everything(windrow::job& j) {
  check(j.pe() == shmem_my_pe() && j.pes() == shmem_n_pes(), "both count the same PEs");
  share_memory(j);
  share_atomics(j);
  j.barrier();
  shmem_sync_all();
}

// Whose overloads are told apart by the context alone.
void signal_on_contexts() {
  static std::uint64_t signal_word;
  const int next = (shmem_my_pe() + 1) % shmem_n_pes();
  shmem_signal_set(SHMEM_CTX_DEFAULT, &signal_word, 3, next);
  shmem_signal_wait_until(&signal_word, SHMEM_CMP_EQ, 3);
  shmem_barrier_all();
  shmem_signal_add(SHMEM_CTX_DEFAULT, &signal_word, 4, next);
  shmem_signal_add(&signal_word, 5, next);
  check(shmem_signal_wait_until(&signal_word, SHMEM_CMP_EQ, 12) == 12, "signals arrive");
}

// The others wait, and the job is a variable of the program.
int end_on_one_pe(int argc, char** argv) {
  static windrow::job job(argc, argv);
  shmem_init();
  if (job.pe() == 0) shmem_global_exit(7);
  for (;;) job.barrier();
}

// SHMEM_TEAM_SHARED is one more.
void begin_with_many_teams(int argc, char** argv) {
  windrow::job job(argc, argv);
  std::vector<windrow::team> all;
  for (int i = 1; i < 64; ++i) all.push_back(job.world().split_strided(0, 1, job.pes()));
  shmem_init();
}

// What makes the job ends it.
void call_after_the_job(std::string_view call) {
  const windrow::team world = [] {
    const windrow::job job;
    shmem_init();
    return job.world();
  }();
  if (call == "barrier_all") shmem_barrier_all();
  if (call == "long_p") shmem_long_p(&static_cell, 1, 0);
  if (call == "finalize") shmem_finalize();
}

} // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "global_exit") return end_on_one_pe(argc, argv);
  if (argc > 1 && std::string_view(argv[1]) == "many_teams") return begin_with_many_teams(argc, argv), 0;
  if (argc > 2) return call_after_the_job(argv[2]), 0;
  const bool job_first = argc > 1 && std::string_view(argv[1]) == "job_first";
  std::unique_ptr<windrow::job> own;
  if (job_first) own = std::make_unique<windrow::job>(argc, argv);
  shmem_init();
  if (own) check(own.get() == &shmemx_job(), "shmem_init takes the job that is there");
  share_everything(shmemx_job());
  signal_on_contexts();
  if (failures != 0) shmem_global_exit(1);
  shmem_finalize();
}
