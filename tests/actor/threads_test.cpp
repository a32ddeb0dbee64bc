// SPDX-License-Identifier: BSD-3-Clause
// Mailboxes among PEs that are threads: what ThreadSanitizer looks at.
#include <gtest/gtest.h>

#include <string>

#include "tests/actor/random_selectors.hpp"
#include "windrow/windrow.hpp"

namespace windrow::test {
namespace {

TEST(threads, random_selectors) {
  for (const pe_t pes : {1, 2, 4})
    run_threads(pes, [](job& j) {
      for (std::uint64_t seed = 1; seed <= 15; ++seed) run_random_selectors(j, seed);
    });
}

// What handlers of a PE write is its own, between runs too: no lock, no barrier.
TEST(threads, results_of_a_run_are_plain_memory) {
  run_threads(3, [](job& j) {
    std::string got;
    std::uint64_t length = 0;
    mailbox<std::string_view> m(j, [&](std::string_view item) { got.append(item); });
    for (std::size_t round = 0; round < 30; ++round) {
      m.run([&] {
        for (pe_t pe = 0; pe < j.pes(); ++pe) m.send(pe, std::string(round * 1000, 'x'));
      });
      length += got.size();
      got.clear();
    }
    EXPECT_EQ(length, 3 * 1000 * (29 * 30 / 2));
  });
}

} // namespace
} // namespace windrow::test
