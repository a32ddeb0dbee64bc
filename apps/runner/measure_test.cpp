// SPDX-License-Identifier: BSD-3-Clause
// The runner on kernels that are right and wrong as the test wants it.
#include "apps/runner/measure.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <sstream>

#include "apps/runner/run.hpp"
#include "apps/runner/styles.hpp"
#include "windrow/one_sided.hpp"

namespace windrow::apps {
namespace {

std::atomic<int> wrong_run; ///< counted from 1 on, over all styles; 0: none

/// Every PE adds its number + 1 to a word of PE 0. PE 2 adds something else in the wrong run.
class adder : public kernel {
 public:
  explicit adder(job& j) : job_(j), sum_(j.array<std::uint64_t>(1)) {}
  ~adder() override { job_.free(sum_); }
  void reset() override {
    for (auto& word : sum_.local()) word = 0;
    job_.barrier();
  }
  void run(kernel_style) override {
    const bool wrong = ++runs_ == wrong_run && job_.pe() == 2;
    add(job_, sum_[0], static_cast<std::uint64_t>(job_.pe()) + (wrong ? 2 : 1));
    job_.barrier();
  }
  std::uint64_t checksum() override { return job_.pe() == 0 ? get(job_, sum_[0]) : 0; }
  std::uint64_t operations() const override { return 1; }

 private:
  job& job_;
  array<std::uint64_t> sum_;
  int runs_ = 0;
};

const kernel_entry adder_entry{
    .name = "adder",
    .about = "for this test",
    .styles = styles_without_deferral,
    .make = [](job& j, const workload&) -> std::unique_ptr<kernel> { return std::make_unique<adder>(j); },
    .sequential = [](const workload&) { return sequential_answer{6, 0.25}; },
};

struct outcome {
  std::vector<bool> right; ///< of each PE
  std::string told;        ///< by all PEs
};

/// 3 PEs, two styles that it has and one that it does not have, three repeats: runs 1 and 2 warm up.
outcome run_adder(int wrong) {
  wrong_run = wrong;
  plan chosen;
  chosen.kernels = {&adder_entry};
  chosen.styles = {kernel_style::blocking, kernel_style::mailbox, kernel_style::deferred};
  chosen.repeats = 3;
  std::vector<char> right(3);
  std::vector<std::ostringstream> told(3);
  run_threads(3, [&](job& j) {
    const auto me = static_cast<std::size_t>(j.pe());
    right[me] =
        run(j, chosen, {.name = "nothing", .graph = {}, .sequences = {}}, energy_meter::none(), told[me]);
  });
  return {{right.begin(), right.end()}, told[0].str() + told[1].str() + told[2].str()};
}

std::vector<json> events(const outcome& o, const std::string& kind) {
  std::vector<json> found;
  std::istringstream lines(o.told);
  for (std::string line; std::getline(lines, line);) {
    const auto event = json::parse(line);
    if (event.at("event") == kind) found.push_back(event);
  }
  return found;
}

TEST(Runner, TellsWhatItDoesAndFinds) {
  const auto done = run_adder(0);
  EXPECT_EQ(done.right, std::vector<bool>(3, true));
  ASSERT_EQ(events(done, "start").size(), 1u);
  EXPECT_EQ(events(done, "start")[0].at("runs"), 8);
  const auto turns = events(done, "turn");
  ASSERT_EQ(turns.size(), 8u);
  for (std::size_t k = 0; k < turns.size(); ++k) { // in turn, not one style after the other
    EXPECT_EQ(turns[k].at("style"), k % 2 == 0 ? "blocking" : "mailbox");
    EXPECT_EQ(turns[k].at("turn"), k / 2);
  }
  const auto results = events(done, "result");
  ASSERT_EQ(results.size(), 2u);
  const auto first = results[0].get<result>();
  EXPECT_EQ(std::tuple(first.kernel, first.style, first.pes, first.operations),
            std::tuple("adder", "blocking", 3, 3u));
  EXPECT_EQ(first.seconds.size(), 3u);
  EXPECT_EQ(first.sequential_seconds, 0.25);
  EXPECT_EQ(first.checksum, 6u);
  EXPECT_EQ(first.moved.direct_operations, 3u);
  EXPECT_EQ(first.moved.bytes, 3 * sizeof(std::uint64_t));
  EXPECT_GT(first.peak_bytes, 0u);
  EXPECT_GT(first.cpu_seconds, 0.0);
  EXPECT_TRUE(first.joules.empty());
}

TEST(Runner, FailsWhenAnyRunOfAnyStyleIsWrong) {
  for (int wrong = 1; wrong <= 8; ++wrong) {
    const auto done = run_adder(wrong);
    EXPECT_EQ(done.right, std::vector<bool>(3, false)) << "run " << wrong;
    const auto bad = events(done, "result")[static_cast<std::size_t>((wrong - 1) % 2)].get<result>();
    EXPECT_EQ(std::tuple(bad.checksum, bad.expected), std::tuple(7u, 6u)) << "run " << wrong;
  }
}

} // namespace
} // namespace windrow::apps
