// SPDX-License-Identifier: BSD-3-Clause
#include <gtest/gtest.h>

#include <cstdio>
#include <optional>

#include "tests/support/pe_test.hpp"

namespace windrow::test {

namespace {

std::optional<job> job_of_process;

// Lines the PEs up after each test, so that one test's failure cannot be taken for the next one's.
class barrier_after_each_test : public ::testing::EmptyTestEventListener {
  void OnTestEnd(const ::testing::TestInfo&) override { the_job().barrier(); }
};

class failure_printer : public ::testing::EmptyTestEventListener {
  void OnTestPartResult(const ::testing::TestPartResult& part) override {
    if (!part.failed()) return;
    std::fprintf(stderr, "PE %d: %s:%d: %s\n", the_job().pe(), part.file_name(), part.line_number(),
                 part.message());
  }
};

} // namespace

job& the_job() {
  return *job_of_process;
}

} // namespace windrow::test

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  windrow::test::job_of_process.emplace(argc, argv);
  auto& listeners = ::testing::UnitTest::GetInstance()->listeners();
  // Failures are reported by every PE, through its test assertions; the running commentary by one.
  if (windrow::test::the_job().pe() != 0) {
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new windrow::test::failure_printer);
  }
  listeners.Append(new windrow::test::barrier_after_each_test);
  const int result = RUN_ALL_TESTS();
  windrow::test::job_of_process.reset();
  return result;
}
