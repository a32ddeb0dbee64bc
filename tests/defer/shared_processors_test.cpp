// SPDX-License-Identifier: BSD-3-Clause
// Where PEs share processors, what waits is held to what fits the caches, unless somebody chooses a limit.
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdint>

#include "tests/support/pe_test.hpp"
#include "windrow/windrow.hpp"

namespace windrow::test {
namespace {

TEST(shared_processors, what_waits_takes_256_kib_for_each_pe) {
  auto& j = the_job();
  const auto pes = static_cast<std::uint64_t>(j.pes());
  auto counts = j.array<std::uint64_t>(pes);
  context ctx(j, aggregate);
  std::uint64_t ran = 0;
  constexpr std::uint64_t asked = 100'000;
  for (std::uint64_t i = 0; i < asked; ++i)
    ctx.fetch_inc(counts[i % pes]).then([captured = std::array<char, 100>{}, &ran](std::uint64_t) {
      ran += 1 + static_cast<std::uint64_t>(captured[0]);
    });
  ctx.barrier();
  EXPECT_EQ(ran, asked);
  const auto limit = j.pes() > ::sysconf(_SC_NPROCESSORS_ONLN) ? pes << 18 : std::uint64_t{16} << 20;
  EXPECT_LE(j.stats().deferred_bytes_max,
            limit + 16 * 1024); // two chunks: who takes one more helps next time
  j.free(counts);
}

} // namespace
} // namespace windrow::test
