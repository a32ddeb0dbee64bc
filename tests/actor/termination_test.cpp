// SPDX-License-Identifier: BSD-3-Clause
// A run ends when everything is handled, and not before, whatever handlers do.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "tests/support/pe_test.hpp"
#include "windrow/windrow.hpp"

namespace windrow::test {
namespace {

pe_t next_pe(const job& j) {
  return (j.pe() + 1) % j.pes();
}
std::uint64_t pes_of(const job& j) {
  return static_cast<std::uint64_t>(j.pes());
}

// One message is alive, and most of the time no PE knows of it. Chains are long where a step is quick; where
// PEs outnumber processors each step costs a turn of the scheduler.
std::uint32_t ping_pong_depth(const job& j) {
  return j.pes() <= 2 ? 200'000 : 20'000;
}

TEST(termination, ping_pong) {
  auto& j = the_job();
  const auto depth = ping_pong_depth(j);
  std::uint64_t handled = 0;
  mailbox<std::uint32_t> m(j, [&](auto& out, std::uint32_t left) {
    ++handled;
    if (left > 0) out.reply(left - 1);
  });
  m.run([&] {
    if (j.pe() == 0) m.send(j.pes() - 1, depth);
  });
  EXPECT_EQ(j.world().sum(handled), depth + std::uint64_t{1});
}

// Many chains share blocks, so that each of a million steps is cheap with any number of PEs.
TEST(termination, chains_that_cross_all_pes) {
  auto& j = the_job();
  constexpr std::uint32_t chains = 200, depth = 5000;
  std::uint64_t handled = 0;
  mailbox<std::uint32_t> m(j, [&](auto& out, std::uint32_t left) {
    ++handled;
    if (left > 0) out.send(next_pe(j), left - 1);
  });
  m.run([&] {
    if (j.pe() == 0)
      for (std::uint32_t i = 0; i < chains; ++i) m.send(next_pe(j), depth);
  });
  EXPECT_EQ(j.world().sum(handled), chains * (depth + std::uint64_t{1}));
}

struct bomb {
  std::uint32_t depth, salt;
  std::uint64_t ballast[6];
};

// Far more than the pool of blocks holds: handlers spill, and bodies that go on sending wait for that.
TEST(termination, fan_out_bombs) {
  auto& j = the_job();
  constexpr std::uint32_t depth = 7;
  std::uint64_t handled = 0;
  mailbox<bomb> m(j, [&](auto& out, const bomb& b) {
    ++handled;
    for (std::uint32_t child = 0; b.depth > 0 && child < 4; ++child)
      out.send(static_cast<pe_t>((b.salt + child) % static_cast<std::uint32_t>(j.pes())),
               {b.depth - 1, b.salt * 31 + child, {}});
  });
  m.run([&] { m.send(next_pe(j), {depth, static_cast<std::uint32_t>(j.pe()), {}}); });
  std::uint64_t tree = 0, level = 1;
  for (std::uint32_t d = 0; d <= depth; ++d, level *= 4) tree += level;
  EXPECT_EQ(j.world().sum(handled), tree * pes_of(j));
}

// Everybody floods everybody with questions whose answers are four times as large. What handlers have kept
// aside makes bodies wait before it comes to be too much: one run of this test has a spill limit that is half
// of what each PE answers, and twice what all blocks can ask for. PE 1 does not look at its inbox before PE 0
// has filled it with questions for more answers than PE 1 has blocks.
TEST(termination, bodies_wait_for_what_their_handlers_have_spilled) {
  auto& j = the_job();
  constexpr std::uint64_t each = 1'000'000;
  struct answer {
    std::uint64_t words[2];
  };
  std::uint64_t questions = 0, answers = 0;
  selector<std::uint32_t, answer> s(
      j,
      [&](auto& out, std::uint32_t) {
        ++questions;
        out.reply(answer{});
      },
      [&](std::span<const answer> batch, pe_t) { answers += batch.size(); });
  constexpr std::uint64_t first = 30 * 16 * 1024 / sizeof(std::uint32_t); // fill 30 blocks
  const auto asked = j.allocate<std::uint64_t>(1);
  s.run([&] {
    if (j.pe() == 0 && j.pes() > 1) {
      for (std::uint64_t i = 0; i < first; ++i) s.send(1, static_cast<std::uint32_t>(i));
      atomic_set(j, *asked.on(1), 1);
    } else if (j.pe() == 1) {
      while (std::atomic_ref(*j.local(asked)).load() == 0) std::this_thread::yield();
    }
    for (std::uint64_t i = j.pe() == 0 && j.pes() > 1 ? first : 0; i < each; ++i)
      s.send(static_cast<pe_t>(i % pes_of(j)), static_cast<std::uint32_t>(i));
  });
  EXPECT_EQ(answers, each);
  EXPECT_EQ(j.world().sum(questions), each * pes_of(j));
  const auto spilled = j.world().sum(j.stats().spilled_blocks);
  EXPECT_TRUE(j.pes() == 1 || spilled > 0);
  j.free(asked);
}

TEST(termination, only_handlers_send) {
  auto& j = the_job();
  std::uint64_t handled = 0;
  selector<std::uint32_t, std::uint32_t> s(
      j,
      [&](auto& out, std::uint32_t left) {
        ++handled;
        for (pe_t pe = 0; pe < j.pes(); ++pe) out.template send<1>(pe, left);
      },
      [&](auto& out, std::uint32_t left, pe_t from) {
        ++handled;
        if (left > 0 && from == j.pe()) out.template send<0>(next_pe(j), left - 1);
      });
  constexpr std::uint32_t depth = 300;
  s.run([&] {
    if (j.pe() == 0) s.send<0>(0, depth);
    s.done<0>();
    s.done<1>();
  });
  EXPECT_EQ(j.world().sum(handled), (depth + 1) * (pes_of(j) + 1));
}

// The others' bodies have ended. They must not keep a single answer back until all bodies have: this one goes
// on until it has come.
TEST(termination, who_waits_for_the_end_answers) {
  auto& j = the_job();
  bool answered = false;
  selector<std::uint64_t, bool> s(
      j,
      [](auto& out, std::uint64_t number) {
        if (number == 0) out.reply(true);
      },
      [&](bool answer) { answered = answer; });
  s.run([&] {
    if (j.pe() != 0) return;
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    for (std::uint64_t number = 0; !answered; ++number) {
      ASSERT_LT(std::chrono::steady_clock::now(), deadline);
      s.send(j.pes() - 1, number);
    }
  });
  EXPECT_EQ(answered, j.pe() == 0);
}

TEST(termination, nobody_sends) {
  auto& j = the_job();
  mailbox<int> m(j, [&](int) { ADD_FAILURE() << "nothing was sent"; });
  for (int i = 0; i < 100; ++i) m.run([] {});
}

TEST(termination, one_pe_sends_and_the_others_only_handle) {
  auto& j = the_job();
  std::uint64_t handled = 0;
  mailbox<std::uint64_t> m(j, [&](std::span<const std::uint64_t> batch, pe_t) { handled += batch.size(); });
  for (pe_t sender = 0; sender < j.pes(); ++sender) {
    handled = 0;
    m.run([&] {
      for (std::uint64_t i = 0; j.pe() == sender && i < 50'000 * pes_of(j); ++i)
        m.send(static_cast<pe_t>(i % pes_of(j)), i);
    });
    ASSERT_EQ(handled, 50'000U);
  }
}

// Some PEs come to the run, and to the end of their bodies, only after others have done there what they can.
TEST(termination, pes_that_arrive_late) {
  auto& j = the_job();
  auto steps = j.allocate<std::uint32_t>(1);
  std::uint64_t handled = 0;
  mailbox<std::uint32_t> m(j, [&](auto& out, std::uint32_t left) {
    ++handled;
    if (left > 0) out.send(next_pe(j), left - 1);
  });
  const auto everyone_else = static_cast<std::uint32_t>(j.pes() - 1);
  const auto wait_for = [&](std::uint32_t count) {
    // Direct operations make no progress: this PE handles nothing meanwhile.
    while (windrow::atomic_fetch(j, *steps.on(0)) < count) std::this_thread::yield();
  };
  if (j.pe() == 0) wait_for(everyone_else); // to the run
  if (j.pe() != 0) windrow::inc(j, *steps.on(0));
  m.run([&] {
    m.send(next_pe(j), 1000);
    if (j.pe() == 0)
      wait_for(2 * everyone_else); // to the end of the body
    else
      windrow::inc(j, *steps.on(0));
  });
  EXPECT_EQ(j.world().sum(handled), 1001 * pes_of(j));
  j.free(steps);
}

} // namespace
} // namespace windrow::test
