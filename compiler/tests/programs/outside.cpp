// SPDX-License-Identifier: BSD-3-Clause
// Statements of no rounds before shmem_init and after shmem_finalize, where nothing can wait.
#include "job.h"

namespace {

struct pool {
  int64_t* values = nullptr;
  int64_t size = 0;
  shmem_ctx_t ctx{};

  pool() { sum(); }
  ~pool() { printf("%lld\n", (long long)sum()); }

  int64_t sum() const {
    int64_t total = 0;
#pragma shmem defer strict
    for (int64_t i = 0; i < size; i++) {
      const int64_t value = shmem_ctx_int64_g(ctx, &values[i], 0);
      if (value & 1) total += value;
    }
    return total;
  }
};

pool all;

} // namespace

int main() {
  all.ctx = start();
  all.values = symmetric(20);
  all.size = 20;
  FOR_MY_PES(me)
  for (int64_t i = 0; i < 20; i++) PART(all.values, me)[i] = i;
  shmem_barrier_all();
  FOR_MY_PES(me)
  if (me == 0) printf("%lld\n", (long long)all.sum());
  all.size = 0;
  const int me = shmem_my_pe();
  shmem_finalize();
  if (me != 0) _Exit(0);
}
