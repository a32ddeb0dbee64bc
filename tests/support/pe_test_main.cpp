// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/fatal.hpp"
#include "tests/support/pe_test.hpp"

namespace windrow::test {

namespace {

job* current_job = nullptr;

std::string text_of(const testing::TestPartResult& result) {
  return fmt::format("{}:{}: {}", result.file_name() != nullptr ? result.file_name() : "unknown file",
                     result.line_number(), result.message());
}

/// Keeps the PEs together and makes a failure on one a failure on all.
class lockstep : public testing::EmptyTestEventListener {
 public:
  void OnTestPartResult(const testing::TestPartResult& result) override {
    if (!result.failed()) return;
    if (result.fatally_failed()) base::fatal("test ended by a failure: " + text_of(result));
    if (the_job().pe() != 0) base::say(text_of(result));
  }

  void OnTestEnd(const testing::TestInfo& info) override {
    const int failures = the_job().world().sum(info.result()->Failed() ? 1 : 0);
    if (failures > 0 && !info.result()->Failed() && the_job().pe() == 0)
      ADD_FAILURE() << "failed on " << failures << " other PEs; see above";
  }
};

int run(job& job) {
  current_job = &job;
  auto& listeners = testing::UnitTest::GetInstance()->listeners();
  listeners.Append(new lockstep); // GoogleTest owns it
  if (job.pe() != 0) {
    delete listeners.Release(listeners.default_result_printer());
    delete listeners.Release(listeners.default_xml_generator());
  }
  return RUN_ALL_TESTS();
}

} // namespace

job& the_job() {
  return *current_job;
}

} // namespace windrow::test

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  windrow::job job(argc, argv);
  return windrow::test::run(job);
}
