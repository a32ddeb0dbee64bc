// SPDX-License-Identifier: BSD-3-Clause
// Teams and collectives between processes.
#include "tests/support/pe_test.hpp"
#include "tests/support/random_collectives.hpp"
#include "windrow/one_sided.hpp"

namespace windrow {
namespace {

using test::the_job;

TEST(random_collectives, agree_with_a_sequential_computation) {
  for (std::uint64_t seed = 100; seed < 110; ++seed)
    test::run_random_collectives(the_job().world(), seed, 400);
}

TEST(barrier, orders_direct_writes) {
  auto& job = the_job();
  const auto cells = job.allocate<int>(1);
  auto cell = [&](pe_t pe) { return *global_ptr<int>(pe, cells.offset()); };
  for (int round = 0; round < 1000; ++round) {
    put(job, cell((job.pe() + round) % job.pes()), round + job.pe());
    job.barrier();
    for (pe_t pe = 0; pe < job.pes(); ++pe) ASSERT_EQ(get(job, cell((pe + round) % job.pes())), round + pe);
    job.barrier();
  }
  job.free(cells);
}

} // namespace
} // namespace windrow
