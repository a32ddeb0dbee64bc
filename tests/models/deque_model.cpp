// SPDX-License-Identifier: BSD-3-Clause
// An owner adds and takes items while two thieves steal: each item is had once, and whoever has it sees what
// was written before it was added. The deque grows on the way.
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "tests/models/model.hpp"

namespace model {
#include "tasks/work_deque.hpp"
} // namespace model

namespace {

constexpr int items = 4;

struct deque_model : rl::test_suite<deque_model, 3> {
  using item = rl::var<int>;

  std::optional<model::windrow::tasks::work_deque<item>> deque;
  item all[items];
  rl::var<int> had[items]; ///< by threads that Relacy sees race if two have the same

  void before() {
    deque.emplace(true, 1);
    for (int i = 0; i < items; ++i) had[i]($) = 0;
  }
  void thread(unsigned index) {
    if (index == 0)
      own();
    else
      for (int i = 0; i < 2; ++i) have(deque->steal());
  }
  void own() {
    for (int i = 0; i < items; ++i) {
      all[i]($) = i;
      deque->push(&all[i]);
      if (i % 2 == 1) have(deque->take());
    }
    while (auto* last = deque->take()) have(last);
  }
  void have(item* one) {
    if (one == nullptr) return;
    const int i = (*one)($);
    RL_ASSERT(one == &all[i]);
    RL_ASSERT(had[i]($) == 0);
    had[i]($) = 1;
  }
  void after() {
    for (auto& one : had) RL_ASSERT(one($) == 1);
    deque.reset();
  }
};

} // namespace

int main(int argc, char** argv) {
  // A thief's look at the top: the exchange that follows decides. The owner's exchange: its store to the
  // bottom is in front of it. The owner's look at the top in `push`: it keeps the new item out of a slot that
  // a thief still reads, and Relacy has no loads that see later stores.
  return model::check<deque_model>(
      argc, argv, 100'000,
      {{"steal()", "top = top_.load"}, {"take()", "compare_exchange"}, {"push(", "top_.load"}});
}
