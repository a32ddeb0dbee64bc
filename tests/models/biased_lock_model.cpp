// SPDX-License-Identifier: BSD-3-Clause
// Two threads use what their locks guard, and a third one takes both locks: nobody uses what is guarded at
// the same time, and each sees what the one before has written.
//
// The fence of all threads (membarrier) is a sequentially consistent fence in each thread, wherever it is at
// some moment of the call, and in the caller when the call begins and ends. That is what the kernel promises
// of processors: it interrupts those that run, and a thread that does not run passes a fence when it comes to
// run. Relacy does not know that a compiler may move a store behind loads. Where a fence for the compiler is
// left out, the store before it is therefore made after some of the loads that follow.
#include <bitset>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "tests/models/model.hpp"

namespace model {
#include "aggregation/biased_lock.cpp"
#include "aggregation/biased_lock.hpp"
} // namespace model

namespace {

constexpr int threads = 3;
bool can_fence = false;
model::fenced_threads<threads> all_threads;

} // namespace

namespace model::windrow::os {

void yield() {
  rl::yield(1, $);
}
bool can_fence_all_threads() {
  return can_fence;
}
void fence_all_threads() {
  if (!model::is_left_out("fence_all_threads")) all_threads.fence();
}

} // namespace model::windrow::os

namespace {

using model::windrow::aggregation::biased_lock;

/// Whether the kernel can fence other threads, or owners do it themselves.
template <bool kernel_fences>
struct biased_lock_model : rl::test_suite<biased_lock_model<kernel_fences>, threads> {
  static constexpr int owners = threads - 1;

  ::std::optional<biased_lock> locks[owners];
  rl::var<int> guarded[owners];
  int stored[owners] = {}, had = 0; ///< by each owner; by who takes

  void before() {
    can_fence = kernel_fences;
    all_threads = {};
    for (auto& one : locks) one.emplace(!kernel_fences);
    for (auto& one : guarded) one($) = 0;
  }
  void thread(unsigned index) {
    all_threads.begin();
    if (index < owners)
      own(static_cast<int>(index));
    else
      for (int i = 0; i < 2; ++i) take_all();
  }
  void own(int which) {
    for (int i = 0; i < 2; ++i) {
      locks[which]->lock();
      guarded[which]($) = guarded[which]($) + 1;
      ++stored[which];
      locks[which]->unlock();
    }
  }
  void take_all() {
    biased_lock* all[owners];
    for (int i = 0; i < owners; ++i) all[i] = &*locks[i];
    biased_lock::take(all);
    for (auto& one : guarded) {
      had += one($);
      one($) = 0;
    }
    biased_lock::give_back(all);
  }
  void after() {
    int left = 0, all = 0;
    for (auto& one : guarded) left += one($);
    for (const int one : stored) all += one;
    RL_ASSERT(had + left == all);
    for (auto& one : locks) one.reset();
  }
};

} // namespace

int main(int argc, char** argv) {
  // The announcement of who takes: the fence that follows. The owner's store before it waits: `unlock` has
  // released, and Relacy has the release sequences of C++11, which later stores of the same thread continue.
  // Its look while it waits: it looks once more behind that.
  return model::check<biased_lock_model<true>, biased_lock_model<false>>(
      argc, argv, 20'000,
      {{"take(", "fetch_or"}, {"lock_slowly()", "held_.store(false"}, {"lock_slowly()", "while ("}});
}
