// SPDX-License-Identifier: BSD-3-Clause
// How long recordings written by hand take in a network of round numbers, reckoned by hand too.
#include "tools/overlap/replay.hpp"

#include <gtest/gtest.h>

#include "tests/overlap/written.hpp"
#include "windrow/error.hpp"

namespace windrow::overlap {
namespace {

constexpr std::uint64_t ps_per_us = 1'000'000;

// Each PE on a host of its own.
transport::model network() {
  transport::model made = transport::model_named("cloud");
  made.pes_per_host = 1;
  made.near = made.far = {10 * ps_per_us, 1 * ps_per_us, 0, 0};
  return made;
}

bool never(const event&) {
  return false;
}
bool always(const event& one) {
  return one.blocking || one.what == action::quiet;
}

std::uint64_t us(const written& run, const put_off_function& put_off,
                 const transport::model& in = network()) {
  return replay(model(run.run()), in, put_off).time_ps / ps_per_us;
}

// A barrier of two takes 12 us: a latency and two overheads.
TEST(Replay, AGetWaitsForItsAnswer) {
  written run(2);
  run.get(own(0), shared(0), 1).work(30'000).load(own(0)).barrier();
  run.pe(1).barrier();
  EXPECT_EQ(us(run, never), 22U + 31 + 1 + 12); // o, L, L, o; work
  EXPECT_EQ(us(run, always), 1U + 31 + 1 + 12);
  EXPECT_EQ(us(run, never, without_costs(network())), 32U);
}

TEST(Replay, WhatIsPutOffIsCompleteWhereItIsNeeded) {
  written run(2);
  run.get(own(0), shared(0), 1).work(4'000).load(own(0)).work(9'000).barrier();
  run.pe(1).barrier();
  EXPECT_EQ(us(run, never), 22U + 5 + 10 + 12);
  EXPECT_EQ(us(run, always), 22U + 10 + 12); // the answer comes behind the first work
}

TEST(Replay, AQuietWaitsForPuts) {
  written run(2);
  run.put(shared(0), own(0), 1).quiet().work(30'000).barrier();
  run.pe(1).barrier();
  EXPECT_EQ(us(run, never), 21U + 31 + 12);
  EXPECT_EQ(us(run, always), 1U + 1 + 31 + 12);
}

TEST(Replay, ASignalArrives) {
  written run(2);
  run.work(50'000).p(shared(8), 1).barrier();
  run.pe(1).work(60'000).wait(shared(8)).barrier(); // recorded when the signal was there
  const auto result = replay(model(run.run()), network(), never);
  EXPECT_EQ(result.time_ps / ps_per_us, 21U + 12); // o, L, and the answer at the barrier
  EXPECT_EQ(result.waited_ps / ps_per_us, 32U);
}

TEST(Replay, PortsAreShared) {
  auto slow = network();
  slow.far.per_byte_ps = ps_per_us;
  written run(2);
  run.put_nbi(shared(0, 11), own(0, 11), 1).put_nbi(shared(16, 11), own(16, 11), 1).barrier();
  run.pe(1).barrier();
  EXPECT_EQ(us(run, never, slow), 11U + 10 + 20 + 12);
}

TEST(Replay, ARecordingThatIsCutOff) {
  written run(2);
  run.put(shared(0), own(0), 1).barrier();
  EXPECT_THROW(us(run, never), error);
}

} // namespace
} // namespace windrow::overlap
