// SPDX-License-Identifier: BSD-3-Clause
// Remote calls: a function that runs on another PE and whose result comes back as a future. Whole arrays:
// many elements by one call.
#include <windrow/windrow.hpp>

#include <cstdint>
#include <iostream>
#include <numeric>
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
  const auto sum = [](const windrow::owner& here, windrow::global_ptr<std::uint64_t> part,
                      std::uint64_t size) {
    return std::accumulate(here.local(part), here.local(part) + size, std::uint64_t{0});
  };
  std::vector<windrow::future<std::uint64_t>> answers; // all are under way together
  for (windrow::pe_t pe = 0; pe < job.pes(); ++pe)
    answers.push_back(windrow::call(pe, sum, table.storage(), table.local_size(pe)));

  bool right = true;
  const auto expected = static_cast<std::uint64_t>(job.pes());
  for (const auto value : values) right = right && value == expected;
  std::uint64_t all = 0;
  for (const auto& answer : answers) all += answer.get();
  right = right && all == table.size() * expected;
  if (job.pe() == 0) std::cout << "every element is " << values[0] << '\n';
  return right ? 0 : 1;
}
