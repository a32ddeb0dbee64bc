// SPDX-License-Identifier: BSD-3-Clause
#include "aggregation/biased_lock.hpp"

#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <mutex>
#include <thread>

#include "os/process_fence.hpp"

namespace windrow::aggregation {
namespace {

constexpr int changes = 200'000, takings = 300;

/// What each owner changes under its lock, without atomic operations; who takes it changes it too.
struct guarded {
  explicit guarded(bool owner_fences) : lock(owner_fences) {}
  void change() {
    ++first;
    ++second;
  }
  biased_lock lock;
  long first = 0, second = 0;
};

void exclude_each_other(bool owner_fences) {
  guarded a(owner_fences), b(owner_fences);
  const auto own = [](guarded& g) {
    for (int i = 0; i < changes; ++i) {
      const std::lock_guard mine(g.lock);
      ASSERT_EQ(g.first, g.second);
      g.change();
    }
  };
  std::thread owner_of_a(own, std::ref(a)), owner_of_b(own, std::ref(b));
  const std::array both{&a.lock, &b.lock};
  for (int i = 0; i < takings; ++i) {
    biased_lock::take(both);
    for (auto* g : {&a, &b}) {
      EXPECT_EQ(g->first, g->second);
      g->change();
    }
    biased_lock::give_back(both);
  }
  owner_of_a.join();
  owner_of_b.join();
  for (auto* g : {&a, &b}) EXPECT_EQ(g->first, changes + takings);
}

TEST(biased_lock_threads, owner_and_others_exclude_each_other) {
  exclude_each_other(!os::can_fence_all_threads());
}

// As where the kernel cannot fence other threads.
TEST(biased_lock_threads, also_where_the_owner_fences) {
  exclude_each_other(true);
}

} // namespace
} // namespace windrow::aggregation
