// SPDX-License-Identifier: BSD-3-Clause
// Deferred code among PEs that are threads: what ThreadSanitizer looks at.
#include <gtest/gtest.h>

#include "tests/deferral/random_deferral.hpp"

namespace windrow::test {
namespace {

TEST(threads, random_deferral) {
  for (const pe_t pes : {1, 2, 4})
    run_threads(pes, [](job& j) {
      constexpr style mixed[] = {aggregate, blocking, aggregate};
      for (std::uint64_t seed = 1; seed <= 6; ++seed) run_random_deferral(j, seed, mixed, 100);
    });
}

} // namespace
} // namespace windrow::test
