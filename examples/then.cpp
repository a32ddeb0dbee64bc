// SPDX-License-Identifier: BSD-3-Clause
// Deferred execution: code that uses a fetched value is written where the fetch is and runs when the value is
// here, so that a million fetches do not wait for one another.
#include <windrow/windrow.hpp>

#include <cstdint>
#include <iostream>
#include <numeric>

int main(int argc, char** argv) {
  windrow::job job(argc, argv);
  constexpr std::uint64_t each = 10'000;
  const auto items = each * static_cast<std::uint64_t>(job.pes());
  auto next = job.array<std::uint64_t>(100); // how many places of each bucket are taken
  auto bucket = job.array<std::uint64_t>(100 * items);

  // Sort the items into buckets: take the next place, then put the item there.
  windrow::context ctx(job, windrow::aggregate);
  for (std::uint64_t k = 0; k < each; ++k) {
    const auto item = each * static_cast<std::uint64_t>(job.pe()) + k, b = item * item % 100;
    ctx.fetch_add(next[b], 1).then([&, item, b](std::uint64_t place) {
      ctx.put(bucket[b * items + place], item);
    });
  }
  ctx.barrier(); // every continuation, of every PE, has run, and what it sent has arrived

  // Two values for one continuation: how many items are in buckets whose first one belongs there?
  std::uint64_t right = 0;
  for (std::uint64_t b = 0; b < 100; ++b) {
    windrow::when_all(ctx.get(next[b]), ctx.get(bucket[b * items]))
        .then([&, b](std::uint64_t taken, std::uint64_t item) {
          if (taken > 0 && item * item % 100 == b) right += taken;
        });
  }
  ctx.barrier();

  if (job.pe() == 0) std::cout << right << " of " << items << " items are in buckets\n";
  return right == items ? 0 : 1;
}
