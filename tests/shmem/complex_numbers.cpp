// SPDX-License-Identifier: BSD-3-Clause
// Reductions of complex numbers from C++: of C's and of C++'s own types, by all their names.
#include <complex>

#include "tests/shmem/harness.h"

namespace {

__extension__ using c_double = double _Complex;
__extension__ using c_float = float _Complex;

long sync[SHMEM_REDUCE_SYNC_SIZE];

template <class T, class Real>
void test(int (*typed_sum)(shmem_team_t, T*, const T*, std::size_t),
          int (*typed_product)(shmem_team_t, T*, const T*, std::size_t)) {
  auto* const source = static_cast<T*>(shmem_malloc(4 * sizeof(T)));
  auto* const dest = source + 2;
  auto* const parts = reinterpret_cast<Real*>(source); // real, imaginary, real, ...
  const auto* const results = reinterpret_cast<Real*>(dest);
  const auto n = static_cast<Real>(pes);
  parts[0] = static_cast<Real>(me);
  parts[1] = 2;
  shmem_barrier_all();
  CHECK(typed_sum(SHMEM_TEAM_WORLD, dest, source, 1) == 0);
  CHECK(results[0] == n * (n - 1) / 2 && results[1] == 2 * n);
  CHECK(shmem_sum_reduce(SHMEM_TEAM_WORLD, dest, source, 1) == 0);
  CHECK(results[0] == n * (n - 1) / 2 && results[1] == 2 * n);
  CHECK(shmem_sum_inscan(SHMEM_TEAM_WORLD, dest, source, 1) == 0);
  CHECK(results[1] == 2 * static_cast<Real>(me + 1));
  CHECK(shmem_sum_exscan(SHMEM_TEAM_WORLD, dest, source, 1) == 0);
  CHECK(results[1] == 2 * static_cast<Real>(me));
  parts[0] = 0;
  parts[1] = 1;
  shmem_barrier_all();
  CHECK(typed_product(SHMEM_TEAM_WORLD, dest, source, 1) == 0); // i to the power of the number of PEs
  CHECK(results[0] == (pes % 2 == 0 ? (pes % 4 == 0 ? 1 : -1) : 0));
  CHECK(shmem_prod_reduce(SHMEM_TEAM_WORLD, dest, source, 1) == 0);
  CHECK(results[1] == (pes % 2 == 1 ? (pes % 4 == 1 ? 1 : -1) : 0));
  shmem_free(source);
}

void test_old_names() {
  static c_double source, dest, work[SHMEM_REDUCE_MIN_WRKDATA_SIZE + 1];
  reinterpret_cast<double*>(&source)[1] = 3;
  for (auto& word : sync) word = SHMEM_SYNC_VALUE;
  shmem_barrier_all();
  shmem_complexd_sum_to_all(&dest, &source, 1, 0, 0, pes, work, sync);
  CHECK(reinterpret_cast<double*>(&dest)[1] == 3.0 * pes);
}

} // namespace

int main() {
  shmem_init();
  me = shmem_my_pe();
  pes = shmem_n_pes();
  test<c_double, double>(shmem_complexd_sum_reduce, shmem_complexd_prod_reduce);
  test<c_float, float>(shmem_complexf_sum_reduce, shmem_complexf_prod_reduce);
  test<std::complex<double>, double>(shmem_complexd_sum_reduce, shmem_complexd_prod_reduce);
  test<std::complex<float>, float>(shmem_complexf_sum_reduce, shmem_complexf_prod_reduce);
  test_old_names();
  return finish_tests();
}
