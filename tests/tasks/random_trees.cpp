// SPDX-License-Identifier: BSD-3-Clause
#include "tests/tasks/random_trees.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <memory>

#include "tests/tasks/mix.hpp"
#include "windrow/windrow.hpp"

namespace windrow::test {

namespace {

/// All that a node does follows from its key, so the tree is the same wherever and whenever it grows.
struct node {
  std::uint64_t key;
  int height;

  int children() const { return height == 0 ? 0 : static_cast<int>(mix(key) % 4); }
  node child(int i) const { return {mix(key ^ (static_cast<std::uint64_t>(i) + 1)), height - 1}; }
  /// What kind of thing the i-th child is, 0 … 6.
  int kind(int i) const { return static_cast<int>(mix(~key + static_cast<std::uint64_t>(i)) % 7); }
};

std::uint64_t nodes_of(const node& n) {
  std::uint64_t count = 1;
  for (int i = 0; i < n.children(); ++i) count += nodes_of(n.child(i));
  return count;
}

struct message {
  node root;
  bool blocking;
};

/// The circumstances of a running node.
struct branch {
  bool may_send; ///< it runs on the communication worker, as main code or a task given to it
  std::atomic<std::int64_t>* group; ///< live tasks of the blocking message that it is part of, or null
};

class forest {
 public:
  explicit forest(job& j)
      : job_(j), messages_(j, [this](std::span<const message> batch, pe_t) { handle(batch); }) {}

  /// Returns how many nodes have run on this PE since the last call.
  std::uint64_t grow_one(const node& root) {
    finish([&] {
      grow(root, {true, nullptr});
      messages_.barrier();
    });
    EXPECT_EQ(alive_.load(), 0) << "alive after finish";
    return ran_.exchange(0);
  }

 private:
  void handle(std::span<const message> batch) {
    for (const auto& m : batch) {
      if (!m.blocking) {
        start(m.root, {false, nullptr});
        continue;
      }
      std::atomic<std::int64_t> group = 0;
      finish([&] { start(m.root, {false, &group}); });
      EXPECT_EQ(group.load(), 0) << "a task of a blocking message has outlived its handler";
    }
  }

  void grow(const node& n, branch b) {
    ++ran_;
    for (int i = 0; i < n.children(); ++i) grow_child(n.child(i), n.kind(i), b);
  }

  void grow_child(const node& n, int kind, branch b) {
    switch (kind) {
      case 0:
        return start(n, b);
      case 1:
        return start_at(static_cast<int>(n.key % static_cast<std::uint64_t>(workers())), n, b);
      case 2:
        return wait_for_result(n, b);
      case 3:
        return finish([&] { start(n, b); });
      case 4:
        return finish([&] { start_at(communication_worker, n, b); });
      default:
        return send({n, kind == 5}, b);
    }
  }

  void start(const node& n, branch b) {
    async([this, n, counted = count(b)] { grow(n, {false, counted.group}); });
  }

  void start_at(int worker, const node& n, branch b) {
    async_at(worker, [this, n, worker, counted = count(b)] {
      EXPECT_EQ(this_worker(), worker);
      grow(n, {worker == communication_worker, counted.group});
    });
  }

  void wait_for_result(const node& n, branch b) {
    const auto key = async_future([this, n, counted = count(b)] {
      grow(n, {false, counted.group});
      return n.key;
    });
    EXPECT_EQ(key.get(), n.key);
  }

  void send(const message& m, branch b) {
    const auto to = static_cast<pe_t>(m.root.key % static_cast<std::uint64_t>(job_.pes()));
    if (b.may_send) return messages_.send(to, m);
    async_at(communication_worker, [this, to, m, counted = count(b)] { messages_.send(to, m); });
  }

  /// Counts a live task as long as its closure exists.
  struct live {
    std::atomic<std::int64_t>* all;
    std::atomic<std::int64_t>* group;

    live(std::atomic<std::int64_t>* a, std::atomic<std::int64_t>* g) : all(a), group(g) { add(1); }
    live(const live& l) noexcept : live(l.all, l.group) {}
    live& operator=(const live&) = delete;
    ~live() { add(-1); }
    void add(int change) const {
      *all += change;
      if (group != nullptr) *group += change;
    }
  };
  live count(branch b) { return {&alive_, b.group}; }

  job& job_;
  std::atomic<std::int64_t> alive_ = 0;
  std::atomic<std::uint64_t> ran_ = 0;
  stream<message> messages_;
};

} // namespace

void run_random_trees(job& j, std::uint64_t seed, int epochs) {
  constexpr int height = 5;
  forest f(j);
  for (int epoch = 0; epoch < epochs; ++epoch) {
    const auto key = mix(seed ^ mix(static_cast<std::uint64_t>(epoch)));
    const auto root_of = [&](pe_t pe) { return node{mix(key + static_cast<std::uint64_t>(pe)), height}; };
    std::uint64_t expected = 0;
    for (pe_t pe = 0; pe < j.pes(); ++pe) expected += nodes_of(root_of(pe));
    // Counted at once: what runs later is missing here.
    const auto ran = f.grow_one(root_of(j.pe()));
    ASSERT_EQ(j.world().sum(ran), expected)
        << fmt::format("seed {} epoch {} PEs {} workers {}", seed, epoch, j.pes(), workers());
  }
}

} // namespace windrow::test
