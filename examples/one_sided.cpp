// SPDX-License-Identifier: BSD-3-Clause
// One-sided operations: a PE reads and writes the memory of another without its help.
#include <windrow/windrow.hpp>

#include <array>
#include <iostream>
#include <span>

int main(int argc, char** argv) {
  windrow::job job(argc, argv);
  const auto right = (job.pe() + 1) % job.pes();
  const auto left = (job.pe() + job.pes() - 1) % job.pes();

  // The same object on every PE, as a plain C++ array here and reachable from everywhere.
  const auto memory = job.allocate<double>(3);
  const double* mine = job.local(memory);

  const std::array<double, 2> values{job.pe() + 0.25, job.pe() + 0.5};
  windrow::put(job, memory.on(right), std::span(values)); // elements 0 and 1 of the right neighbour
  windrow::add(job, memory.on(0)[2], 1.0);                // element 2 of PE 0, atomically
  job.barrier();                                          // all have written

  const bool from_left = mine[0] == left + 0.25 && mine[1] == left + 0.5;
  const bool all_counted = windrow::get(job, memory.on(0)[2]) == job.pes();
  if (job.pe() == 0) std::cout << "PE 0 got " << mine[0] << " and " << mine[1] << " from PE " << left << "\n";
  return from_left && all_counted ? 0 : 1;
}
