// SPDX-License-Identifier: BSD-3-Clause
// PEs as threads, for ThreadSanitizer.
#include <gtest/gtest.h>

#include "tests/mobile/random_objects.hpp"

namespace windrow::test {
namespace {

TEST(mobile_threads, random_programs_keep_every_message_in_order) {
  run_threads(3, [](job& j) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) run_random_objects(j, seed);
  });
}

} // namespace
} // namespace windrow::test
