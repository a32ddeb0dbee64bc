// SPDX-License-Identifier: BSD-3-Clause
// Fork-join inside a PE: recursion and loops on all its workers. Try it with windrow run -n 2 --workers 2.
#include <windrow/windrow.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iostream>
#include <span>
#include <vector>

namespace {

void sort(std::span<long> values) {
  if (values.size() < 1000) return std::sort(values.begin(), values.end());
  const auto half = values.size() / 2;
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(half), values.end());
  windrow::fork_join([&] { sort(values.first(half)); }, [&] { sort(values.subspan(half)); });
}

} // namespace

int main(int argc, char** argv) {
  windrow::job job(argc, argv);
  constexpr std::size_t count = 200'000;
  std::vector<long> values(count);

  // Any worker may call the body for any index; which ones are called together is found out meanwhile.
  windrow::parallel_for(std::size_t{0}, count,
                        [&](std::size_t i) { values[i] = static_cast<long>(i * 7919 % count); });
  sort(values);
  const long sum = windrow::parallel_reduce(
      std::size_t{0}, count, 0L, [&](std::size_t i) { return values[i] - static_cast<long>(i); },
      std::plus<>{});

  const bool right = sum == 0 && std::is_sorted(values.begin(), values.end());
  const bool all_right = job.world().min(right ? 1 : 0) == 1;
  if (job.pe() == 0)
    std::cout << (all_right ? "right" : "wrong") << " on " << windrow::workers() << " workers\n";
  return all_right ? 0 : 1;
}
