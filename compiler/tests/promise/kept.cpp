// SPDX-License-Identifier: BSD-3-Clause
// Nothing is said where the promise is kept, however near the places are, and whatever has been there before.
// says nothing; near: as written
#include "../programs/job.h"

#include <vector>

static int64_t run(shmem_ctx_t ctx, const int64_t* table, int64_t* counts, std::vector<int64_t>& rows) {
  for (int64_t r = 0; r < 20; ++r) {
    rows[static_cast<std::size_t>(r)] = 7;
#pragma shmem defer
    for (int64_t i = 0; i < 20; ++i) {
      counts[i] = r;
      rows[static_cast<std::size_t>(r)] += shmem_g(ctx, &table[(i * 7 + r) % 50], 0);
    }
    shmem_ctx_quiet(ctx);
  }
  int64_t sum = counts[3];
#pragma shmem defer
  for (int64_t round = 0; round < 3; ++round) {
    for (int64_t i = 0; i < 20; ++i) counts[i] = shmem_g(ctx, &table[(i + round) % 50], 0);
    shmem_ctx_quiet(ctx);
    for (int64_t i = 0; i < 20; ++i) sum = sum * 3 + counts[i];
  }
  for (const int64_t one : rows) sum = sum * 3 + one;
  return sum;
}

int main() {
  const shmem_ctx_t ctx = start();
  int64_t* const table = symmetric(entries_of_table());
  std::vector<int64_t> rows(20), counts(20);
  shmem_barrier_all();
  std::printf("%lld\n", static_cast<long long>(run(ctx, table, counts.data(), rows)));
  shmem_finalize();
}
