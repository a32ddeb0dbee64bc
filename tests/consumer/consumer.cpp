// SPDX-License-Identifier: BSD-3-Clause
// A user's program: `consumer PES` fails unless it runs on so many PEs and counts right on them.
#include <windrow/windrow.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>

int main(int argc, char** argv) {
  if (argc == 2 && std::strcmp(argv[1], "--version") == 0) return std::puts(WINDROW_VERSION) < 0;

  constexpr std::uint64_t size = 1000;
  windrow::job job(argc, argv);
  auto table = job.array<std::uint64_t>(size);
  windrow::context ctx(job, windrow::aggregate);
  for (std::uint64_t i = 0; i < size; ++i) ctx.add(table[i], i);
  ctx.barrier();

  const auto mine = table.local();
  const auto sum = job.world().sum(std::accumulate(mine.begin(), mine.end(), std::uint64_t{0}));
  const auto pes = static_cast<std::uint64_t>(job.pes());
  const bool right = argc == 2 && job.pes() == std::atoi(argv[1]) && sum == pes * (size * (size - 1) / 2);
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
