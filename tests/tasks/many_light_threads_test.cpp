// SPDX-License-Identifier: BSD-3-Clause
// Many light threads that wait at once, and what memory they keep.
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>

#include "tests/tasks/with_workers.hpp"
#include "windrow/detail/thread_sanitizer.hpp"
#include "windrow/windrow.hpp"

namespace windrow::test {
namespace {

int how_many() {
  if (const char* const said = std::getenv("MANY_LIGHT_THREADS")) return std::atoi(said);
#if defined(__SANITIZE_ADDRESS__)
  return 1000;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
  return 1000;
#endif
#endif
  return detail::thread_sanitizer ? 500 : 100'000;
}

std::uint64_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::uint64_t all = 0, resident = 0;
  file >> all >> resident;
  return resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

/// Uses so much of the stack, then returns.
[[gnu::noinline]] int run_deep() {
  volatile char kept[1024];
  for (auto& c : kept) c = 1;
  return kept[512];
}

// Each has run 1 KiB deep. The page that it keeps is all.
TEST(light_threads, wait_in_great_numbers_and_keep_little) {
  run_with_workers(1, 2, [](job&) {
    const int count = how_many();
    const auto before = resident_bytes();
    latch all_wait(count), end(1);
    std::uint64_t while_waiting = 0;
    std::atomic<int> sum = 0;
    finish([&] {
      for (int i = 0; i < count; ++i)
        spawn([&] {
          sum += run_deep();
          all_wait.count_down();
          end.wait();
        });
      all_wait.wait();
      while_waiting = resident_bytes();
      end.count_down();
    });
    EXPECT_EQ(sum, count);
    const auto each = static_cast<double>(while_waiting - before) / count;
    RecordProperty("resident_bytes_each", std::to_string(each));
    if (count >= 100'000) {
      EXPECT_LT(each, 4096 + 256) << "bytes per waiting light thread";
    }
  });
}

} // namespace
} // namespace windrow::test
