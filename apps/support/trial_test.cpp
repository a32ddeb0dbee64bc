// SPDX-License-Identifier: BSD-3-Clause
#include "apps/support/trial.hpp"

#include <gtest/gtest.h>

#include <mutex>
#include <vector>

namespace windrow::apps {
namespace {

/// The exit codes of 3 PEs whose run number `wrong_run` (0: none) is wrong on PE 2.
std::vector<int> exit_codes(unsigned wrong_run) {
  std::vector<int> codes(3);
  run_threads(3, [&](job& j) {
    options chosen;
    chosen.repeats = 4;
    trial t(j, chosen, 10, j.pe() == 0 ? 6u : 0u);
    for (unsigned run = 1; t.next(); ++run) {
      t.start();
      t.stop();
      t.check(j.pe() == 2 && run == wrong_run ? 4 : static_cast<std::uint64_t>(j.pe()) + 1);
    }
    codes[static_cast<std::size_t>(j.pe())] = t.report();
  });
  return codes;
}

TEST(Trial, SucceedsWhenAllRunsAreRight) {
  EXPECT_EQ(exit_codes(0), std::vector<int>(3, 0));
}

TEST(Trial, FailsWhenAnyRunIsWrong) {
  for (unsigned run = 1; run <= 5; ++run) EXPECT_EQ(exit_codes(run), std::vector<int>(3, 1)) << "run " << run;
}

TEST(Result, SurvivesJson) {
  const result r{"histogram", "R-MAT scale 7", "aggregated", 4, 1000, 0.001, ~std::uint64_t{0}, 5};
  EXPECT_EQ(nlohmann::json::parse(nlohmann::json(r).dump()).get<result>(), r);
}

TEST(Result, SaysWhatIsWrong) {
  result r{"triangles", "star", "blocking", 2, 1000, 0.001, 5, 5};
  EXPECT_EQ(describe(r),
            "triangles on star, blocking, 2 PEs: 1000 operations in 0.001000 s, 0.5 million per second and "
            "PE, equal to "
            "the sequential count");
  r.checksum = 4;
  EXPECT_TRUE(describe(r).ends_with("WRONG: checksum 4 instead of 5"));
}

} // namespace
} // namespace windrow::apps
