// SPDX-License-Identifier: BSD-3-Clause
// How many vertices of a random graph have each degree: two histograms, one after the other.
#include <windrow/windrow.hpp>

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <numeric>
#include <random>

int main(int argc, char** argv) {
  windrow::job job(argc, argv);
  constexpr std::uint64_t vertices = 10'000, edges_of_pe = 50'000, largest = 63;
  auto degree = job.array<std::uint64_t>(vertices);
  auto vertices_of = job.array<std::uint64_t>(largest + 1);
  windrow::context ctx(job, windrow::aggregate);

  std::mt19937_64 random(static_cast<unsigned>(job.pe()));
  for (std::uint64_t k = 0; k < edges_of_pe; ++k) {
    ctx.add(degree[random() % vertices], 1);
    ctx.add(degree[random() % vertices], 1);
  }
  ctx.barrier();

  for (const auto d : degree.local()) ctx.add(vertices_of[std::min(d, largest)], 1);
  ctx.barrier();

  const auto mine = vertices_of.local();
  const auto counted = job.world().sum(std::accumulate(mine.begin(), mine.end(), std::uint64_t{0}));
  if (job.pe() == 0) std::cout << counted << " vertices have a degree\n";
  return counted == vertices ? 0 : 1;
}
