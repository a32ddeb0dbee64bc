// SPDX-License-Identifier: BSD-3-Clause
#include "tests/tasks/random_portable.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <exception>
#include <stdexcept>
#include <string_view>

#include "tests/tasks/mix.hpp"
#include "windrow/windrow.hpp"

namespace windrow::test {

namespace {

/// All that a node does follows from its key.
struct node {
  std::uint64_t key;
  std::int32_t height;
  std::int32_t root; ///< the PE at which the tree begins

  int children() const { return height == 0 ? 0 : static_cast<int>(mix(key) % 5); }
  node child(int i) const { return {mix(key ^ (static_cast<std::uint64_t>(i) + 1)), height - 1, root}; }
  /// What kind of thing the i-th child is.
  int kind(int i) const { return static_cast<int>(mix(~key + static_cast<std::uint64_t>(i)) % 9); }
  bool throws() const { return mix(key + 77) % 256 == 0; }
};

struct contents {
  std::uint64_t nodes = 1;
  bool throws = false;
};

contents contents_of(const node& n) {
  contents all{1, n.throws()};
  for (int i = 0; i < n.children(); ++i) {
    const auto below = contents_of(n.child(i));
    all.nodes += below.nodes;
    all.throws |= below.throws;
  }
  return all;
}

/// How many nodes of the tree of each PE have run on this PE.
using counts = symmetric<std::uint64_t>;

struct grow {
  void operator()(const owner& here, const node& n, counts ran) const {
    std::atomic_ref(here.local(ran)[n.root]).fetch_add(1);
    std::exception_ptr failure;
    for (int i = 0; i < n.children(); ++i) try {
        start(here, n.child(i), n.kind(i), ran);
      } catch (...) { // the other children grow, too
        failure = std::current_exception();
      }
    if (failure) std::rethrow_exception(failure);
    if (n.throws()) throw std::runtime_error("a node");
  }

 private:
  static void start(const owner& here, const node& n, int kind, counts ran) {
    switch (kind) {
      case 0:
        return async([=] { grow()(here, n, ran); });
      case 1:
        return spawn([=] {
          yield();
          grow()(here, n, ran);
        });
      case 2:
        return finish([=] { async_portable(grow(), n, ran); });
      case 3:
        return async_future([=] { grow()(here, n, ran); }).get();
      case 4:
        return finish([=] { spawn([=] { finish([=] { async_portable(grow(), n, ran); }); }); });
      case 5:
        fork_join([=] { async_portable(grow(), n, ran); }, [] {});
        return;
      default:
        return async_portable(grow(), n, ran);
    }
  }
};

std::uint64_t ran_of(job& j, global_ptr<std::uint64_t> ran) {
  std::uint64_t sum = 0;
  for (pe_t pe = 0; pe < j.pes(); ++pe) sum += get(j, *(ran.on(pe) + j.pe()));
  return sum;
}

} // namespace

void run_random_portable_trees(job& j, std::uint64_t seed, int trees) {
  const auto ran = j.allocate<std::uint64_t>(static_cast<std::size_t>(j.pes()));
  context ctx(j, aggregate);
  std::uint64_t expected = 0;
  for (int tree = 0; tree < trees; ++tree) {
    SCOPED_TRACE(fmt::format("seed {} tree {} PEs {} workers {}", seed, tree, j.pes(), workers()));
    const auto key = mix(seed ^ mix(static_cast<std::uint64_t>(tree))) + static_cast<std::uint64_t>(j.pe());
    const node root{mix(key), tree % 7, j.pe()};
    const auto all = contents_of(root);
    bool thrown = false;
    try {
      finish([&] { async_portable(grow(), root, counts(ran)); });
    } catch (const std::exception& e) {
      thrown = std::string_view(e.what()).starts_with("a node");
    }
    expected += all.nodes;
    EXPECT_EQ(ran_of(j, ran), expected);
    EXPECT_EQ(thrown, all.throws);
    if (tree % 2 == 0)
      ctx.barrier();
    else
      j.barrier();
  }
  j.free(ran);
}

} // namespace windrow::test
