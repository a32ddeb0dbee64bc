// SPDX-License-Identifier: BSD-3-Clause
// Tasks inside a PE: finish and async, and futures.
// Try it with windrow run -n 2 --workers 2.
#include <windrow/windrow.hpp>

#include <iostream>
#include <numeric>
#include <span>
#include <vector>

namespace {

long sum(std::span<const int> values) {
  if (values.size() <= 1000) return std::accumulate(values.begin(), values.end(), 0L);
  const auto half = values.size() / 2;
  long first = 0, second = 0;
  windrow::finish([&] {
    windrow::async([&] { first = sum(values.first(half)); });
    second = sum(values.subspan(half));
  });
  return first + second;
}

} // namespace

int main(int argc, char** argv) {
  windrow::job job(argc, argv);
  std::vector<int> numbers(100'000, 1);

  // Any worker of this PE may run a task, and any task may send.
  const auto total = windrow::async_future([&] { return sum(numbers); });
  auto totals = job.array<long>(static_cast<std::uint64_t>(job.pes()));
  windrow::context ctx(job, windrow::aggregate);
  windrow::finish([&] { windrow::async([&] { ctx.add(totals[0], total.get()); }); });
  ctx.barrier();

  const bool right = windrow::get(job, totals[0]) == 100'000L * job.pes();
  if (job.pe() == 0) std::cout << (right ? "right" : "wrong") << " on " << windrow::workers() << " workers\n";
  return right ? 0 : 1;
}
