// SPDX-License-Identifier: BSD-3-Clause
// A program of two PEs for trace_test.py, which knows what it does: each operation once, on places that it
// prints.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "shmem.h"
#include "shmemx.h"
#include "windrow/mobile.hpp"
#include "windrow/windrow.hpp"

using namespace windrow;

namespace {

int me;
long* words; ///< symmetric

__attribute__((noinline)) void use_openshmem() {
  long local[4] = {1, 2, 3, 4};
  shmem_long_p(words + 1, 5, 1);
  shmem_long_put(words + 2, local, 3, 1);
  shmem_long_put_nbi(words + 2, local, 2, 1);
  local[0] = shmem_long_g(words, 1);
  shmem_getmem(local, words, 24, 1);
  shmem_long_iput(words, local, 2, 1, 3, 1);
  shmem_long_atomic_inc(words + 1, 1);
  local[0] = shmem_long_atomic_fetch_add(words + 1, 7, 1);
  shmem_quiet();
  shmem_fence();
}

__attribute__((noinline)) void use_cpp(job& j) {
  const auto there = j.global(words).on(1);
  long local[4] = {};
  put(j, there[3], 1);
  local[0] = get(j, there[3]);
  put(j, there, std::span<const long>(local));
  fetch_add(j, there[1], 2);
  get_strided(j, there, 2, local, 1, 2);
  context late(j, nonblocking);
  late.put(there[5], 9);
  late.complete_own();
}

__attribute__((noinline)) void synchronize() {
  static long lock = 0, flag = 0;
  if (me == 1) shmem_long_p(&flag, 1, 0);
  if (me == 0) shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
  shmem_set_lock(&lock);
  shmem_clear_lock(&lock);
  shmem_barrier_all();
  static long source = 1, sum;
  shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &sum, &source, 1);
}

__attribute__((noinline)) void aggregate_and_handle(job& j) {
  context updates(j, aggregate);
  if (me == 0)
    for (int i = 0; i < 100; ++i) updates.add(j.global(words).on(1)[i % 8], 1);
  updates.barrier();
  long received = 0;
  stream<long> s(j,
                 [&](std::span<const long> values, pe_t) { received += static_cast<long>(values.size()); });
  if (me == 0)
    for (int i = 0; i < 50; ++i) s.send(1, i);
  s.barrier();
  finish([] {
    for (int i = 0; i < 3; ++i) async([] {});
  });
}

struct counter {
  long value = 0;
  void add(long more) { value += more; }
};

void use_objects(job& j) {
  object_space space(j);
  const auto p = j.world().broadcast(space.make<counter>(), 0);
  space.run([&] {
    p.send<&counter::add>(1);
    if (me == 0) p.migrate(1);
  });
  space.run([&] {
    if (me == 0) p.destroy();
  });
}

// PE 0 waits in it for its own items, and then for the other.
void synchronize_in_light_threads(job& j) {
  context updates(j, aggregate);
  finish([&] {
    spawn_at(communication_worker, [&] {
      if (me == 1) wait_until([&, looks = 0]() mutable { return ++looks > 20; });
      updates.add(j.global(words).on(1 - me)[0], 1);
      updates.barrier();
    });
  });
}

} // namespace

int main(int argc, char** argv) {
  shmem_init();
  auto& j = shmemx_job();
  me = shmem_my_pe();
  words = static_cast<long*>(shmem_malloc(64 * sizeof(long)));
  const bool many = argc > 1 && std::strcmp(argv[1], "many") == 0;
  if (many) {
    for (int i = 0; i < 10'000; ++i) shmem_long_p(words, i, 1 - me);
  } else if (argc > 1 && std::strcmp(argv[1], "objects") == 0) {
    use_objects(j);
  } else if (argc > 1 && std::strcmp(argv[1], "light") == 0) {
    synchronize_in_light_threads(j);
  } else if (argc > 1 && std::strcmp(argv[1], "abort") == 0) {
    shmem_long_p(words, 1, 1 - me);
    shmem_barrier_all();
    if (me == 0) shmem_long_p(words, 1, 17); // there is no such PE
    shmem_barrier_all();
  } else {
    if (me == 0) std::printf("offset %lu\n", static_cast<unsigned long>(j.global(words).offset()));
    if (me == 0) use_openshmem();
    if (me == 0) use_cpp(j);
    synchronize();
    aggregate_and_handle(j);
  }
  shmem_finalize();
}
