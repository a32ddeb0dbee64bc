// SPDX-License-Identifier: BSD-3-Clause
#include <windrow/windrow.hpp>

#include <cstdint>
#include <iostream>
#include <random>

int main(int argc, char** argv) {
  windrow::job job(argc, argv);
  auto seen = job.array<std::uint64_t>(400'000); // distributed over all PEs, zeroed
  windrow::context ctx(job, windrow::aggregate);
  std::mt19937_64 random(static_cast<std::uint64_t>(job.pe()));
  std::uint64_t mine = 0;
  for (int i = 0; i < 1'000'000; ++i)
    ctx.fetch_add(seen[random() % seen.size()], 1).then([&](std::uint64_t before) { mine += before == 0; });
  ctx.barrier(); // everything, of every PE, has happened
  const auto total = job.world().sum(mine);
  if (job.pe() == 0) std::cout << total << " different keys\n";
}
