// SPDX-License-Identifier: BSD-3-Clause
// The program's own work in a simulated network: measured in one run, charged in others to the nanosecond.
#include "transport/sim/work.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <vector>

#include "tests/sim/simple_network.hpp"
#include "windrow/error.hpp"

namespace windrow::test {
namespace {

using transport::parse_work;
using transport::stretch;
using transport::work_text;

constexpr std::uint64_t round_trip = 2 * o + length(0) + length(8) + 2 * L; // of a get of a word
constexpr pe_t members = 3;

/// The same in children of this process.
const std::string& work_file() {
  static const auto name = fmt::format("{}windrow_work_{}", ::testing::TempDir(), ::getpid());
  return name;
}

class simulated_work : public ::testing::Test {
 protected:
  simulated_work() { work_file(); }
  ~simulated_work() override { ::unlink(work_file().c_str()); }
};

void run_with(const char* variable, pe_t pes, const std::function<void(job&)>& body) {
  ::setenv(variable, work_file().c_str(), 1);
  run_sim(simple, pes, body);
  ::unsetenv(variable);
}

/// Each PE gets from the next one, twice on the last PE, and works meanwhile. Returns each one's time for
/// that.
std::vector<std::uint64_t> run_gets(const char* variable, long work = 0) {
  std::vector<std::uint64_t> times(members);
  run_with(variable, members, [&](job& j) {
    const auto cells = j.array<std::uint64_t>(members);
    j.barrier();
    const auto begin = clock_ns(j);
    for (int i = 0; i < (j.pe() == members - 1 ? 2 : 1); ++i) {
      for (volatile long done = 0; done < work;) done = done + 1;
      (void)get(j, cells[static_cast<std::uint64_t>((j.pe() + 1) % members)]);
    }
    times[static_cast<std::size_t>(j.pe())] = clock_ns(j) - begin;
    j.barrier();
  });
  return times;
}

std::string text_of_file() {
  std::ifstream file(work_file());
  return {std::istreambuf_iterator<char>(file), {}};
}
std::vector<stretch> stretches_of(pe_t pe) {
  return parse_work(text_of_file(), "it", pe, members);
}
bool is_get(const stretch& one) {
  return one.call.starts_with("ask PE");
}

/// Makes all work 0, but for `ns` times the number of the PE, and 1, before each of its gets.
void write_known_work(std::uint64_t ns) {
  std::string text;
  for (pe_t pe = 0; pe < members; ++pe) {
    auto all = stretches_of(pe);
    for (auto& one : all) one.ns = is_get(one) ? ns * static_cast<std::uint64_t>(pe + 1) : 0;
    text += work_text(pe, members, all);
  }
  std::ofstream(work_file()) << text;
}

TEST_F(simulated_work, is_measured_between_calls) {
  run_gets("WINDROW_SIM_MEASURE", 3'000'000);
  for (pe_t pe = 0; pe < members; ++pe) {
    std::uint64_t gets = 0;
    for (const auto& one : stretches_of(pe)) {
      gets += is_get(one) ? 1 : 0;
      EXPECT_TRUE(!is_get(one) || one.ns > 300'000) << one.ns << " before " << one.call;
    }
    EXPECT_EQ(gets, pe == members - 1 ? 2U : 1U);
  }
}

TEST_F(simulated_work, is_added_to_communication) {
  const auto without = run_gets("WINDROW_SIM_MEASURE");
  write_known_work(70'000);
  const auto with = run_gets("WINDROW_SIM_WORK");
  for (std::uint64_t pe = 0; pe < members; ++pe) {
    const std::uint64_t gets = pe == members - 1 ? 2 : 1;
    EXPECT_EQ(with[pe], gets * (70'000 * (pe + 1) + round_trip))
        << "PE " << pe << ", without: " << without[pe];
  }
}

TEST_F(simulated_work, takes_the_same_time_in_every_run) {
  run_gets("WINDROW_SIM_MEASURE", 100'000);
  const auto first = run_gets("WINDROW_SIM_WORK", 0);
  EXPECT_EQ(run_gets("WINDROW_SIM_WORK", 1'000'000), first);
  EXPECT_GT(first[0], round_trip + 1000);
}

TEST_F(simulated_work, of_other_calls_is_refused) {
  run_gets("WINDROW_SIM_MEASURE");
  const auto other = [](job& j) {
    const auto cells = j.array<std::uint64_t>(members);
    j.barrier();
    j.barrier();
    if (j.pe() == 0) (void)get(j, cells[2]);
  };
  EXPECT_DEATH(run_with("WINDROW_SIM_WORK", members, other), "WINDROW_SIM_WORK: call [0-9]+ is .*, and in");
  EXPECT_DEATH(run_with("WINDROW_SIM_WORK", members, [](job&) {}), "WINDROW_SIM_WORK: call [0-9]+ is");
}

TEST_F(simulated_work, does_not_turn_the_clock_back) {
  const auto ten_gets = [](job& j) {
    const auto cells = j.array<std::uint64_t>(members);
    for (int i = 0; i < 10; ++i) (void)get(j, cells[0]);
  };
  run_with("WINDROW_SIM_MEASURE", members, ten_gets);
  write_known_work(1'000'000'000'000'000 / members); // the most that a file may have, on the last PE
  EXPECT_DEATH(run_with("WINDROW_SIM_WORK", members, ten_gets),
               "the simulated clock ends after [0-9]+ days, and [0-9]+ s of work would go beyond");
}

TEST(work_file, comes_back) {
  const std::vector<stretch> first{{5, "barrier"}, {0, "ask PE 1, 0 bytes there and 8 back"}}, second{};
  const auto text = work_text(1, 2, second) + work_text(0, 2, first);
  EXPECT_EQ(parse_work(text, "it", 0, 2), first);
  EXPECT_EQ(parse_work(text, "it", 1, 2), second);
}

TEST(work_file, is_refused_wherever_it_is_cut_off) {
  const auto first = work_text(0, 2, {{5, "barrier"}});
  const auto text = first + work_text(1, 2, {{12, "quiet"}, {7, "end of the job"}});
  for (std::size_t bytes = 0; bytes < text.size(); ++bytes)
    EXPECT_THROW(parse_work(text.substr(0, bytes), "it", 1, 2), error) << bytes;
}

TEST(work_file, is_refused_for_others) {
  const auto text = work_text(0, 2, {{5, "barrier"}});
  EXPECT_THROW(parse_work(text, "it", 0, 3), error);
  EXPECT_THROW(parse_work(text, "it", 1, 2), error);
  EXPECT_THROW(parse_work(text + text, "it", 0, 2), error);
  EXPECT_THROW(parse_work("{}\n", "it", 0, 2), error);
  EXPECT_THROW(parse_work("windrow work 1: PE 0 of 2, 99999999999 stretches\n", "it", 0, 2), error);
}

} // namespace
} // namespace windrow::test
