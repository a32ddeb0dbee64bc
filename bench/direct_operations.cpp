// SPDX-License-Identifier: BSD-3-Clause
// Single direct operations, for bench/instructions.py: `direct_operations NAME COUNT` carries one out so many
// times, on the memory of the only PE; without arguments it prints the names.
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>

#include "shmem.h"
#include "shmemx.h"
#include "windrow/windrow.hpp"

using namespace windrow;

namespace {

long global_words[8]; ///< symmetric, but not in the heap
volatile int target = 0;

template <class Operation>
std::function<void(long)> repeat(Operation operation) {
  return [operation](long count) {
    const int pe = target; // which the compiler does not know
    for (long i = 0; i < count; ++i) {
      operation(i, pe);
      asm volatile("" ::: "memory");
    }
  };
}

} // namespace

int main(int argc, char** argv) {
  shmem_init();
  auto& j = shmemx_job();
  auto* const words = static_cast<long*>(shmem_malloc(64 * sizeof(long)));
  auto* const signal = static_cast<std::uint64_t*>(shmem_malloc(sizeof(std::uint64_t)));
  const auto place = j.global(words);
  static long local[8];
  [[maybe_unused]] static long sum; // results go there
  context blocks(j, blocking), begins(j, nonblocking);
  const std::map<std::string, std::function<void(long)>> operations{
      {"empty loop", repeat([](long, int) {})},
      {"shmem_long_p", repeat([=](long i, int pe) { shmem_long_p(words, i, pe); })},
      {"shmem_long_g", repeat([=](long, int pe) { sum += shmem_long_g(words, pe); })},
      {"shmem_long_put, 1", repeat([=](long, int pe) { shmem_long_put(words, local, 1, pe); })},
      {"shmem_long_get, 8", repeat([=](long, int pe) { shmem_long_get(local, words, 8, pe); })},
      {"shmem_long_iput, 4", repeat([=](long, int pe) { shmem_long_iput(words, local, 2, 1, 4, pe); })},
      {"shmem_long_atomic_inc", repeat([=](long, int pe) { shmem_long_atomic_inc(words, pe); })},
      {"shmem_long_atomic_fetch_add",
       repeat([=](long i, int pe) { sum += shmem_long_atomic_fetch_add(words, i, pe); })},
      {"shmem_long_put_signal, 1", repeat([=](long, int pe) {
         shmem_long_put_signal(words, local, 1, signal, 1, SHMEM_SIGNAL_SET, pe);
       })},
      {"shmem_long_p, global variable", repeat([](long i, int pe) { shmem_long_p(global_words, i, pe); })},
      {"shmem_quiet", repeat([](long, int) { shmem_quiet(); })},
      {"shmem_fence", repeat([](long, int) { shmem_fence(); })},
      {"put", repeat([&](long i, int pe) { put(j, *place.on(pe), i); })},
      {"get", repeat([&](long, int pe) { sum += get(j, *place.on(pe)); })},
      {"fetch_add", repeat([&](long i, int pe) { sum += fetch_add(j, *place.on(pe), i); })},
      {"put_strided, 4", repeat([&](long, int pe) { put_strided(j, place.on(pe), 2, local, 1, 4); })},
      {"blocking context, add", repeat([&](long i, int pe) { blocks.add(*place.on(pe), i); })},
      {"nonblocking context, put", repeat([&](long i, int pe) { begins.put(*place.on(pe), i); })},
  };
  const auto chosen = operations.find(argc > 1 ? argv[1] : "");
  if (chosen == operations.end())
    for (const auto& [name, run] : operations) std::printf("%s\n", name.c_str());
  else
    chosen->second(std::strtol(argv[2], nullptr, 10));
  shmem_finalize();
}
