// SPDX-License-Identifier: BSD-3-Clause
// Remote calls: a function that runs on another PE and whose result comes back as a future. Whole arrays:
// many elements by one call.
#include <windrow/windrow.hpp>

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <ranges>
#include <vector>

int main(int argc, char** argv) {
  windrow::job job(argc, argv);
  auto table = job.array<std::uint64_t>(1000);

  // Every PE adds 1 to each element. The call returns when that has happened; the barrier waits for all PEs.
  table.add(std::views::iota(0, 1000), 1);
  job.barrier();
  const auto values = table.gather(std::vector<int>{0, 500, 999});

  // The function captures nothing: what it needs are arguments. `owner` gives it the memory of its PE.
  const auto largest = [](const windrow::owner& here, windrow::global_ptr<std::uint64_t> part,
                          std::uint64_t size) {
    std::uint64_t found = 0;
    for (std::uint64_t k = 0; k < size; ++k) found = std::max(found, here.local(part)[k]);
    return found;
  };
  std::vector<windrow::future<std::uint64_t>> answers; // all are under way together
  for (windrow::pe_t pe = 0; pe < job.pes(); ++pe)
    answers.push_back(windrow::call(pe, largest, table.storage(), table.local_size(pe)));

  bool right = true;
  const auto expected = static_cast<std::uint64_t>(job.pes());
  for (const auto value : values) right = right && value == expected;
  for (const auto& answer : answers) right = right && answer.get() == expected;
  if (job.pe() == 0) std::cout << "every element is " << values[0] << '\n';
  return right ? 0 : 1;
}
