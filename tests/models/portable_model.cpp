// SPDX-License-Identifier: BSD-3-Clause
// A PE adds tasks, wakes who hungers and takes one itself; two others steal one each and sleep while there is
// none. Each task is had once, by one who sees what is in it, and nobody sleeps for ever.
#include <algorithm>
#include <bitset>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "tests/models/model.hpp"

namespace model {
#include "tasks/portable_queue.hpp"
} // namespace model

namespace model::windrow::os {

void yield() {
  rl::yield(1, $);
}

} // namespace model::windrow::os

namespace {

constexpr int tasks = 3;

/// What is copied in and out.
struct item {
  rl::var<int> number;

  item() { number($) = 0; }
  explicit item(int n) { number($) = n; }
  item(const item& other) { number($) = other.get(); }
  item& operator=(const item& other) {
    number($) = other.get();
    return *this;
  }
  int get() const { return const_cast<rl::var<int>&>(number)($); }
};

struct portable_model : rl::test_suite<portable_model, 3> {
  using word = model::std::atomic<std::uint32_t>;

  ::std::optional<model::windrow::tasks::portable_queue<item, 4>> queue;
  model::windrow::tasks::hunger hunger[2];
  word hungry{0}, bells[2];
  rl::var<int> had[tasks]; ///< by threads that Relacy sees race if two have the same

  void before() {
    queue.emplace();
    for (auto& one : had) one($) = 0;
  }
  void thread(unsigned index) {
    if (index == 0)
      own();
    else
      need_one(static_cast<int>(index) - 1);
  }
  void own() {
    for (int i = 0; i < tasks; ++i) {
      RL_ASSERT(queue->push(item(i)));
      if (model::windrow::tasks::hunger::anybody(hungry)) wake_one();
    }
    if (item one; queue->take(one)) have(one);
  }
  void wake_one() {
    for (int pe = 0; pe < 2; ++pe)
      if (hunger[pe].still(hungry)) {
        bells[pe].fetch_add(1, ::std::memory_order_relaxed);
        bells[pe].wake_all();
        return;
      }
  }
  void need_one(int pe) {
    item one;
    for (;;) {
      if (queue->size() != 0 && queue->steal(&one, 1) == 1) break;
      const auto ticket = bells[pe].load(::std::memory_order_relaxed);
      hunger[pe].say(hungry);
      if (!queue->any()) bells[pe].sleep_while(ticket);
    }
    have(one);
    hunger[pe].still(hungry);
  }
  void have(const item& one) {
    const int i = one.get();
    RL_ASSERT(had[i]($) == 0);
    had[i]($) = 1;
  }
  void after() { queue.reset(); }
};

} // namespace

int main(int argc, char** argv) {
  // What is counted out too late costs a look in vain.
  return model::check<portable_model>(argc, argv, 100'000, {{"still(", "fetch_sub"}});
}
