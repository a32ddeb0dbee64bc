// SPDX-License-Identifier: BSD-3-Clause
// Loads that are remembered over several periods, in simulated time, where each handler takes what it says.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <functional>

#include "windrow/mobile.hpp"
#include "windrow/simulation.hpp"
#include "windrow/windrow.hpp"

namespace windrow::test {
namespace {

struct worker {
  std::uint64_t done = 0;

  void work(std::int64_t ns) {
    ++done;
    simulate_work(mobile::this_core().of(), std::chrono::nanoseconds(ns)); // of the PE that has the turn
  }
};

constexpr pe_t pes = 4;
constexpr std::uint64_t count = 64;
constexpr std::int64_t usual_ns = 1'000'000;

/// One object for each place, which works as long as `ns(i)` says, once or several times.
class workers {
 public:
  explicit workers(job& j)
      : job_(j), space_(j), all_(space_, count, [](std::uint64_t) { return worker{}; }) {}

  object_space& space() { return space_; }
  collection<worker>& all() { return all_; }

  void period(const std::function<std::int64_t(std::uint64_t)>& ns, int times = 1) {
    space_.run([&] {
      if (job_.pe() == 0)
        for (int t = 0; t < times; ++t)
          for (std::uint64_t i = 0; i < count; ++i) all_[i].send<&worker::work>(ns(i));
    });
  }
  balance_report balance() { return space_.balance(balance::refine{.tolerance = 1.05}); }

 private:
  job& job_;
  object_space space_;
  collection<worker> all_;
};

void run(const std::function<void(job&)>& body) {
  ::setenv("WINDROW_SIM", "hdr", 1);
  run_simulated(pes, body);
  ::unsetenv("WINDROW_SIM");
}

std::int64_t usual(std::uint64_t) {
  return usual_ns;
}

/// Objects that moved in 100 periods, in each of which another one takes 30 times as long as ever.
std::uint64_t moved_by_noise(int periods) {
  std::uint64_t moved = 0;
  run([&](job& j) {
    workers w(j);
    w.space().remember_loads(periods);
    for (int i = 0; i < periods; ++i) {
      w.period(usual);
      EXPECT_EQ(w.balance().moved, 0U);
    }
    std::uint64_t here = 0;
    for (int round = 0; round < 100; ++round) {
      const auto disturbed = static_cast<std::uint64_t>(round) * 27 % count;
      w.period([&](std::uint64_t i) { return i == disturbed ? 30 * usual_ns : usual_ns; });
      here += w.balance().moved;
    }
    if (j.pe() == 0) moved = here;
  });
  return moved;
}

TEST(load_history, what_happens_once_moves_nothing) {
  EXPECT_GT(moved_by_noise(1), 500U) << "the noise is none";
  EXPECT_EQ(moved_by_noise(5), 0U);
}

TEST(load_history, what_has_changed_for_good_is_seen_after_half_of_the_periods) {
  run([](job& j) {
    workers w(j);
    w.space().remember_loads(5);
    for (int i = 0; i < 5; ++i) w.period(usual), w.balance();
    const auto heavier = [](std::uint64_t i) { return i < count / pes ? 3 * usual_ns : usual_ns; };
    for (const bool is_seen : {false, false, true}) {
      w.period(heavier);
      const auto report = w.balance();
      EXPECT_EQ(report.moved > 0, is_seen);
      EXPECT_TRUE(!is_seen || (report.before > 1.9 && report.after < 1.06));
    }
    for (int i = 0; i < 5; ++i) { // what is remembered has gone along
      w.period(heavier);
      EXPECT_EQ(w.balance().moved, 0U);
    }
  });
}

TEST(load_history, periods_may_have_any_length) {
  run([](job& j) {
    workers w(j);
    w.space().remember_loads(4);
    const auto uneven = [](std::uint64_t i) { return i % 16 == 0 ? 5 * usual_ns : usual_ns; };
    for (int times = 1; times <= 6; ++times) {
      w.period(uneven, times);
      EXPECT_EQ(w.balance().moved, 0U);
    }
  });
}

// Before there are several, and again when none are remembered.
TEST(load_history, the_present_period_is_one) {
  run([](job& j) {
    workers w(j);
    const auto heavier = [](std::uint64_t i) { return i < count / pes ? 3 * usual_ns : usual_ns; };
    for (const int periods : {3, 1}) {
      w.space().remember_loads(periods);
      w.period(periods == 3 ? heavier : usual);
      EXPECT_GT(w.balance().moved, 0U);
    }
  });
}

TEST(load_history, an_object_that_ends_is_forgotten) {
  run([](job& j) {
    object_space space(j);
    space.remember_loads(3);
    for (int round = 0; round < 5; ++round) {
      const collection<worker> some(space, count, [](std::uint64_t) { return worker{}; });
      space.run([&] {
        if (j.pe() == 0)
          for (std::uint64_t i = 0; i < count; ++i) some[i].send<&worker::work>(usual_ns);
      });
      EXPECT_EQ(space.balance(balance::rotate{}).moved, count);
    }
  });
}

TEST(load_history, takes_a_number_of_periods) {
  EXPECT_EXIT(run([](job& j) { object_space(j).remember_loads(0); }), testing::ExitedWithCode(1),
              "remember_loads\\(0\\): the loads of 1 to 100 periods can be remembered");
}

} // namespace
} // namespace windrow::test
