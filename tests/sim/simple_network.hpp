// SPDX-License-Identifier: BSD-3-Clause
// A simulated network of round numbers, in which tests reckon times by hand.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <string>

#include "windrow/windrow.hpp"

namespace windrow::test {

// Of the network in which times are reckoned by hand.
inline constexpr std::uint64_t L = 1000, o = 100, g = 50, G = 1, direct = 10, header = 32;
inline constexpr auto simple =
    "cloud,near.latency=200ns,near.overhead=20ns,near.gap=5ns,near.per_byte=1ns,"
    "far.latency=1us,far.overhead=100ns,far.gap=50ns,far.per_byte=1ns,direct=10ns,poll=1ns,item.sent=0,item."
    "handled=0";

/// From the first byte of a message with that payload to the last.
constexpr std::uint64_t length(std::uint64_t payload) {
  return (payload + header - 1) * G;
}

inline void run_sim(const std::string& model, pe_t pes, const std::function<void(job&)>& body) {
  ::setenv("WINDROW_SIM", model.c_str(), 1);
  run_simulated(pes, body);
  ::unsetenv("WINDROW_SIM");
}

/// A moment that is the same on all PEs, when nothing is under way.
inline std::uint64_t meet(job& j) {
  const auto moment = j.world().max(clock_ns(j)) + 1'000'000;
  simulate_work(j, std::chrono::nanoseconds(moment - clock_ns(j)));
  return moment;
}

} // namespace windrow::test
