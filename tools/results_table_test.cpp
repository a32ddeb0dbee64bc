// SPDX-License-Identifier: BSD-3-Clause
// Tables and charts of recorded results.
#include "tools/results_table.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "tools/chart.hpp"
#include "tools/compact_count.hpp"
#include "tools/demo/table.hpp"
#include "tools/sweep_table.hpp"
#include "windrow/error.hpp"

namespace windrow::tools {
namespace {

apps::result recorded(const std::string& style, std::vector<double> seconds) {
  apps::result r;
  r.kernel = "histogram";
  r.style = style;
  r.graph = "star";
  r.pes = 2;
  r.operations = 4'000'000;
  r.seconds = std::move(seconds);
  r.sequential_seconds = 0.25;
  r.checksum = r.expected = 7;
  r.moved = {4'000'000, 0, 0, 0, 32'000'000};
  r.cpu_seconds = 0.75;
  r.peak_bytes = 5 << 20;
  return r;
}

const std::vector<apps::result> two{recorded("blocking", {0.5, 0.4, 0.7}), recorded("aggregated", {0.125})};

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

TEST(Demo, HasReasonsForWhatWasDoneAndIsSlower) {
  EXPECT_EQ(reasons(two), "");
  std::vector<apps::result> slower{recorded("blocking", {0.1}), recorded("aggregated", {0.2})};
  EXPECT_NE(reasons(slower).find("histogram, aggregated: the counters fit the caches"), std::string::npos);
  EXPECT_NE(demo_table(slower).find("200     0.5 x"), std::string::npos) << demo_table(slower);
  for (auto& r : slower) r.operations = 0; // a graph without edges
  EXPECT_EQ(reasons(slower), "");
  EXPECT_NE(demo_table(slower).find("200         -"), std::string::npos) << demo_table(slower);
}

TEST(ResultsTable, ShowsMedianSpreadRateAndSpeedUps) {
  const auto lines = lines_of(results_table(two));
  ASSERT_EQ(lines.size(), 5u);
  EXPECT_EQ(lines[0], "star, 2 PEs");
  EXPECT_EQ(
      lines[3],
      "histogram           blocking      500.000  400.000 - 700.000      4.00    1.00 x    0.50 x       5");
  EXPECT_EQ(
      lines[4],
      "histogram           aggregated    125.000  125.000 - 125.000     16.00    4.00 x    2.00 x       5");
}

TEST(ResultsTable, FitsATerminal) {
  auto wide = two[1];
  wide.graph = wide.kernel = std::string(300, 'g');
  wide.seconds = {1e-6};
  for (const auto& text : {results_table({two[0], wide}), results_legend(),
                           energy_table({wide}, false, "this machine has no energy counters")})
    for (const auto& line : lines_of(text)) EXPECT_LE(line.size(), 100u) << line;
}

TEST(ResultsTable, HeadsEachGraphAndNumberOfPes) {
  auto more = two[0];
  more.pes = 4;
  const auto table = results_table({two[0], two[1], more});
  EXPECT_NE(table.find("star, 2 PEs\n"), std::string::npos);
  EXPECT_NE(table.find("\n\nstar, 4 PEs\n"), std::string::npos);
}

TEST(Verdict, NamesWhatIsWrong) {
  EXPECT_EQ(verdict(two), "All 2 results equal those of the sequential programs.");
  auto results = two;
  results[1].checksum = 6;
  EXPECT_TRUE(verdict(results).starts_with(
      "These results differ from the sequential program's:\n  histogram on star, aggregated, 2 PEs: WRONG"));
}

TEST(EnergyTable, WithoutCountersNoJoules) {
  const auto table = energy_table(two, false, "this machine has no energy counters");
  EXPECT_TRUE(
      table.starts_with("Energy: this machine has no energy counters.\nA model instead, not a measurement"));
  EXPECT_EQ(table.find("oule"), std::string::npos) << table;
  EXPECT_NE(table.find("0.750000        32.000       4000000"), std::string::npos) << table;
}

TEST(EnergyTable, WithCountersJoulesByPart) {
  auto results = two;
  results[0].joules = {{"cpu", 12.5}, {"memory", 3.25}};
  results[1].joules = {{"cpu", 2.5}, {"memory", 1}};
  const auto lines = lines_of(energy_table(results, true, "/sys/class/powercap"));
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(lines[1], "kernel              style              cpu      memory");
  EXPECT_EQ(lines[3], "histogram           aggregated       2.500       1.000");
}

std::vector<sweep_step> sweep() {
  return {{"0us", {recorded("blocking", {0.5}), recorded("aggregated", {0.25})}},
          {"5us", {recorded("blocking", {2.0}), recorded("aggregated", {0.5})}},
          {"50us", {recorded("blocking", {20.0}), recorded("aggregated", {0.5})}}};
}

TEST(SweepTable, ShowsSpeedUpByDelay) {
  const auto lines = lines_of(sweep_table(sweep()));
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(lines[2], "histogram           blocking      500.00 ms   2000.00 ms  20000.00 ms           0");
  EXPECT_EQ(lines[3], "histogram           aggregated       2.00 x       4.00 x      40.00 x           0");
  EXPECT_TRUE(not_rising(sweep()).empty());
  EXPECT_TRUE(same_results(sweep()));
}

TEST(SweepTable, NoticesWhatDoesNotRise) {
  auto steps = sweep();
  steps[2].results[1].seconds = {5.0};
  EXPECT_EQ(not_rising(steps), std::vector<std::string>{"histogram, aggregated"});
}

TEST(SweepTable, NoticesResultsThatDifferOrAreWrong) {
  auto other = sweep(); // right at each delay, and yet not the same
  for (auto& r : other[1].results) r.checksum = r.expected = 8;
  EXPECT_FALSE(same_results(other));
  auto wrong = sweep();
  wrong[2].results[1].checksum = 6;
  EXPECT_FALSE(same_results(wrong));
}

TEST(Chart, TellsGnuplotEverything) {
  const chart_table table{"it's", "", "speed-up", {"histogram"}, {"blocking", "aggregated"}, {{1, 0}}};
  const auto script = chart_script("a'b.svg", chart_kind::bars, table);
  EXPECT_NE(script.find("set output 'a''b.svg'"), std::string::npos) << script;
  EXPECT_NE(script.find("set title 'it''s'"), std::string::npos);
  EXPECT_NE(script.find("\"histogram\" 1 NaN\n"), std::string::npos);
  EXPECT_THROW(require_chart("chart.jpeg"), error);
}

TEST(CompactCount, IsWhatWindrowStatsPrints) {
  EXPECT_EQ(compact_count("9999"), 9999);
  EXPECT_DOUBLE_EQ(compact_count("22.54k"), 22540);
  EXPECT_DOUBLE_EQ(compact_count("1.5M"), 1.5e6);
  EXPECT_DOUBLE_EQ(compact_count("10G"), 1e10);
  EXPECT_DOUBLE_EQ(compact_count("2.25T"), 2.25e12);
  EXPECT_DOUBLE_EQ(compact_count("1P"), 1e15);
}

} // namespace
} // namespace windrow::tools
