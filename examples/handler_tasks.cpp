// SPDX-License-Identifier: BSD-3-Clause
// Tasks in handlers: a handler of messages must not compute for long, so it starts a task and is ready for
// the next message. Try it with windrow run -n 2 --workers 2.
#include <windrow/windrow.hpp>

#include <atomic>
#include <cstdint>
#include <iostream>

namespace {

/// Steps until Collatz' sequence comes to 1: some numbers take much longer than others.
std::uint64_t collatz(std::uint64_t n) {
  std::uint64_t steps = 0;
  for (; n != 1; ++steps) n = n % 2 == 0 ? n / 2 : 3 * n + 1;
  return steps;
}

} // namespace

int main(int argc, char** argv) {
  windrow::job job(argc, argv);
  constexpr std::uint64_t numbers = 20'000;
  std::atomic<std::uint64_t> steps = 0; // any worker of this PE may add to it

  windrow::mailbox<std::uint64_t> asked(
      job, [&](std::uint64_t n) { windrow::async([&steps, n] { steps += collatz(n); }); });
  asked.run([&] {
    const auto pes = static_cast<std::uint64_t>(job.pes());
    for (auto n = static_cast<std::uint64_t>(job.pe()) + 1; n <= numbers; n += pes)
      asked.send(static_cast<windrow::pe_t>(n / pes % pes), n);
  }); // every message is handled, and every task that a handler has started has ended

  const auto total = job.world().sum(steps.load());
  if (job.pe() == 0)
    std::cout << total << " steps by " << job.pes() << " PEs of " << windrow::workers() << " workers\n";
  std::uint64_t expected = 0;
  for (std::uint64_t n = 1; n <= numbers; ++n) expected += collatz(n);
  return total == expected ? 0 : 1;
}
