// SPDX-License-Identifier: BSD-3-Clause
// The engine among PEs that are threads: what ThreadSanitizer looks at.
#include <gtest/gtest.h>

#include "tests/aggregate/random_operations.hpp"
#include "windrow/windrow.hpp"

namespace windrow::test {
namespace {

TEST(threads, random_operations) {
  for (const pe_t pes : {1, 2, 3, 4, 8})
    run_threads(pes, [](job& j) {
      for (std::uint64_t seed = 1; seed <= 20; ++seed) run_random_operations(j, seed, 2, 600);
    });
}

TEST(threads, handlers_that_send) {
  run_threads(4, [](job& j) {
    std::uint64_t handled = 0;
    stream<std::uint32_t> s(j, [&](std::span<const std::uint32_t> batch, pe_t) {
      handled += batch.size();
      for (const auto left : batch)
        if (left > 0) s.send((j.pe() + 1) % j.pes(), left - 1);
    });
    s.send(0, 500);
    s.quiet();
    EXPECT_EQ(j.world().sum(handled), 501U * 4);
  });
}

} // namespace
} // namespace windrow::test
