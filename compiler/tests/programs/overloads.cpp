// SPDX-License-Identifier: BSD-3-Clause
// The forms of C++: overloads, and a lambda around the loop.
#include <shmem.h>
#include <shmemx.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

int main() {
  shmem_init();
  shmem_ctx_t ctx;
  if (shmem_ctx_create(std::getenv("PLAIN_CONTEXT") ? 0 : SHMEMX_CTX_AGGREGATE, &ctx) != 0) return 2;
  const std::vector<long> numbers{3, 1, 4, 1, 5, 9, 2, 6};
  auto* place = static_cast<long*>(shmem_calloc(numbers.size(), sizeof(long)));
  for (std::size_t i = 0; i < numbers.size(); ++i) place[i] = numbers[i] * (shmem_my_pe() + 1);
  shmem_barrier_all();
  const auto sum_of = [&](long pe) {
    long sum = 0;
#pragma shmem defer
    for (std::size_t i = 0; i < numbers.size(); ++i)
      sum = 2 * sum + shmem_g(ctx, &place[i], static_cast<int>(pe)) - (pe + 1) * numbers[i];
    shmem_ctx_quiet(ctx);
    return sum;
  };
  long wrong = 0;
  for (int pe = 0; pe < shmem_n_pes(); ++pe) wrong += sum_of(pe) != 0;
  if (shmem_my_pe() == 0) std::printf("wrong sums: %ld\n", wrong);
  shmem_ctx_destroy(ctx);
  shmem_finalize();
}
