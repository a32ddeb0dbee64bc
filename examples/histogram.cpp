// SPDX-License-Identifier: BSD-3-Clause
// A histogram over all PEs, by scattered updates that look like atomics and travel in bulk.
#include <windrow/windrow.hpp>

#include <iostream>
#include <numeric>
#include <random>

int main(int argc, char** argv) {
  windrow::job job(argc, argv);
  auto table = job.array<std::uint64_t>(1000); // spread over all PEs, zeroed
  std::mt19937_64 random(static_cast<unsigned>(job.pe()));

  windrow::context ctx(job, windrow::aggregate);
  for (int i = 0; i < 100'000; ++i) ctx.add(table[random() % table.size()], 1);
  ctx.barrier(); // every add, from every PE, has happened

  const auto mine = table.local();
  const auto total = job.world().sum(std::accumulate(mine.begin(), mine.end(), std::uint64_t{0}));
  if (job.pe() == 0) std::cout << total << " counted by " << job.pes() << " PEs\n";
  return total == 100'000u * static_cast<unsigned>(job.pes()) ? 0 : 1;
}
