// SPDX-License-Identifier: BSD-3-Clause
// Active sets: whatever sets of PEs come, in whatever order, members find each other and leave pSync clean.
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "shmem.h"
#include "tests/support/pe_test.hpp"

namespace {

class active_sets : public testing::Test {
 protected:
  static void SetUpTestSuite() { shmem_init(); } // in the job that the test program has made
  static void TearDownTestSuite() { shmem_finalize(); }
};

struct set {
  int start, log_stride, size;

  bool includes(int pe) const {
    const int distance = pe - start;
    return distance >= 0 && distance % (1 << log_stride) == 0 && distance >> log_stride < size;
  }
};

// Alike on all PEs.
set random_set(std::mt19937& random, int pes) {
  const int start = static_cast<int>(random() % static_cast<unsigned>(pes));
  const int log_stride = static_cast<int>(random() % 3);
  const int most = (pes - start - 1) / (1 << log_stride) + 1;
  return {start, log_stride, 1 + static_cast<int>(random() % static_cast<unsigned>(most))};
}

constexpr int arrays = 3;
long sync_arrays[arrays][SHMEM_SYNC_SIZE];
long work[SHMEM_REDUCE_MIN_WRKDATA_SIZE], in, out;

TEST_F(active_sets, members_of_random_sets_meet_and_leave_clean_arrays) {
  std::mt19937 random(20260101);
  const int me = shmem_my_pe(), pes = shmem_n_pes();
  for (int round = 0; round < 300; ++round) {
    const auto s = random_set(random, pes);
    auto* pSync = sync_arrays[round % arrays];
    if (s.includes(me)) {
      in = 1 + me;
      shmem_long_sum_to_all(&out, &in, 1, s.start, s.log_stride, s.size, work, pSync);
      long expected = 0;
      for (int m = 0; m < s.size; ++m) expected += 1 + s.start + (m << s.log_stride);
      ASSERT_EQ(out, expected) << "round " << round;
    }
    // The arrays are used in turn; a set's array is clean for all once its members have left the collective.
    if (round % arrays == arrays - 1) shmem_barrier_all();
  }
  for (const auto& array : sync_arrays)
    for (const long word : array) ASSERT_EQ(word, SHMEM_SYNC_VALUE);
}

} // namespace
