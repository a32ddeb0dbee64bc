// SPDX-License-Identifier: BSD-3-Clause
// The atomics gate between threads of one PE; between PEs, tests/models/gate_model.cpp and `atomicity` in
// tests/aggregation.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <optional>
#include <thread>

#include "os/cpu.hpp"
#include "pgas/atomics_gate.hpp"
#include "pgas/core.hpp"
#include "windrow/job.hpp"

namespace windrow {
namespace {

TEST(gate_threads_test, a_thread_waits_for_the_block_that_another_thread_of_its_pe_applies) {
  run_threads(1, [](job& job) {
    auto& core = job.core();
    core.allow_threads();
    std::optional<pgas::applying> block(std::in_place, core.host(), core.pe());
    ASSERT_TRUE(block->exclusive());
    std::atomic<bool> announced = false;
    std::thread other([&] {
      detail::announce_atomics(core.map());
      announced = true;
    });
    while (core.host().job().direct_atomics.load(std::memory_order_seq_cst) == 0) os::yield();
    os::sleep(std::chrono::milliseconds(20));
    EXPECT_FALSE(announced);
    block.reset();
    other.join();
    EXPECT_TRUE(announced);
  });
}

} // namespace
} // namespace windrow
