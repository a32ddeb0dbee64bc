// SPDX-License-Identifier: BSD-3-Clause
#include "tests/tasks/random_forks.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <optional>
#include <span>

#include "tests/tasks/mix.hpp"
#include "windrow/windrow.hpp"

namespace windrow::test {

namespace {

/// What a node throws.
struct failure {
  std::uint64_t key;
};

/// The order of parts matters.
constexpr std::uint64_t join(std::uint64_t a, std::uint64_t b) {
  return a * 3 + b;
}

/// x → factor · x + shift: composition is associative, but not commutative.
struct affine {
  std::uint64_t factor = 1, shift = 0;

  friend affine operator*(affine first, affine then) {
    return {first.factor * then.factor, first.shift * then.factor + then.shift};
  }
};

/// All that a node does follows from its key.
struct node {
  std::uint64_t key;
  int height;

  enum class kind { leaf, fork, loop, reduction, finish, future };

  kind what() const { return height == 0 ? kind::leaf : static_cast<kind>(mix(key) % 6); }
  node child(std::uint64_t i) const { return {mix(key ^ (i + 1)), height - 1}; }
  std::uint64_t width() const { return mix(key + 77) % 6; }
  bool throws() const { return mix(~key) % 64 == 0; }
};

/// How trees are computed: one after the other, and with all that a PE has.
struct sequential {
  template <class F, class G>
  static std::uint64_t fork(F f, G g) {
    std::optional<failure> thrown;
    std::uint64_t a = 0, b = 0;
    try {
      a = f();
    } catch (const failure& e) {
      thrown = e;
    }
    try {
      b = g();
    } catch (const failure& e) {
      if (!thrown) thrown = e;
    }
    if (thrown) throw *thrown;
    return join(a, b);
  }
  template <class F>
  static std::uint64_t sum(std::uint64_t count, F f) {
    std::uint64_t all = 0;
    for (std::uint64_t i = 0; i < count; ++i) all += f(i);
    return all;
  }
  template <class F>
  static affine product(std::uint64_t count, F f) {
    affine all;
    for (std::uint64_t i = 0; i < count; ++i) all = all * f(i);
    return all;
  }
  template <class F, class G>
  static std::uint64_t with_task(F f, G g) {
    const auto b = g();
    return join(f(), b);
  }
  template <class F>
  static std::uint64_t later(F f) {
    return f();
  }
};

struct parallel {
  template <class F, class G>
  static std::uint64_t fork(F f, G g) {
    const auto [a, b] = fork_join(f, g);
    return join(a, b);
  }
  template <class F>
  static std::uint64_t sum(std::uint64_t count, F f) {
    std::atomic<std::uint64_t> all = 0;
    parallel_for(std::uint64_t{0}, count, [&](std::uint64_t i) { all += f(i); });
    return all;
  }
  template <class F>
  static affine product(std::uint64_t count, F f) {
    return parallel_reduce(std::uint64_t{0}, count, affine(), f, [](affine a, affine b) { return a * b; });
  }
  template <class F, class G>
  static std::uint64_t with_task(F f, G g) {
    std::uint64_t a = 0, b = 0;
    finish([&] {
      async([&] { a = f(); });
      b = g();
    });
    return join(a, b);
  }
  template <class F>
  static std::uint64_t later(F f) {
    return async_future(f).get();
  }
};

template <class How>
class tree {
 public:
  /// `fails`: nodes may throw.
  explicit tree(bool fails) : fails_(fails) {}

  std::uint64_t value(node n) {
    ++alive_;
    ++ran_;
    const auto v = value_of_kind(n);
    --alive_;
    if (fails_ && n.throws()) throw failure{n.key};
    return v;
  }

  std::uint64_t ran() const { return ran_; }

 private:
  std::uint64_t value_of_kind(node n) {
    const auto child = [this, n](std::uint64_t i) { return [this, n, i] { return value(n.child(i)); }; };
    switch (n.what()) {
      case node::kind::fork:
        return How::fork(child(0), child(1));
      case node::kind::loop:
        return How::sum(n.width(), [&](std::uint64_t i) { return child(i)(); });
      case node::kind::reduction: {
        const auto all =
            How::product(n.width(), [&](std::uint64_t i) { return affine{2 * i + 1, child(i)()}; });
        return join(all.factor, all.shift);
      }
      case node::kind::finish:
        return How::with_task(child(0), child(1));
      case node::kind::future:
        return How::later(child(0));
      default:
        return n.key;
    }
  }

  bool fails_;
  std::atomic<std::uint64_t> ran_ = 0, alive_ = 0;
};

struct result {
  std::uint64_t value = 0;
  bool failed = false;
  std::uint64_t ran = 0;

  bool operator==(const result&) const = default;
};

template <class How>
result compute(node root, bool fails) {
  tree<How> t(fails);
  result r;
  try {
    r.value = t.value(root);
  } catch (const failure&) {
    r.failed = true;
  }
  r.ran = t.ran();
  return r;
}

// Where nodes throw, other nodes may or may not run, and which exception comes out of a finish is chance; but
// all that runs must have ended.
void check(node root, std::uint64_t seed) {
  constexpr int height_of_failing = 5;
  const auto where = [&] { return fmt::format("seed {} root {} workers {}", seed, root.key, workers()); };
  ASSERT_EQ(compute<sequential>(root, false), compute<parallel>(root, false)) << where();
  const node smaller{root.key, height_of_failing};
  ASSERT_EQ(compute<sequential>(smaller, true).failed, compute<parallel>(smaller, true).failed) << where();
}

} // namespace

void run_random_forks(job&, std::uint64_t seed, int trees) {
  constexpr int height = 12;
  for (int i = 0; i < trees && !::testing::Test::HasFatalFailure(); ++i)
    check({mix(seed ^ mix(static_cast<std::uint64_t>(i))), height}, seed);
}

void run_random_forks_in_handlers(job& j, std::uint64_t seed, int trees) {
  constexpr int height = 8;
  int handled = 0;
  stream<std::uint64_t> roots(j, [&](std::span<const std::uint64_t> batch, pe_t) {
    for (const auto key : batch) {
      // One task of the handler's own is enough to be waited for wherever it is.
      fork_join([&] { check({key, height}, seed); }, [] {});
      ++handled; // nobody else is here: the message is a blocking one
    }
  });
  for (int i = 0; i < trees; ++i) roots.send(i % j.pes(), mix(seed ^ mix(static_cast<std::uint64_t>(i))));
  roots.barrier();
  ASSERT_EQ(j.world().sum(handled), trees * j.pes());
}

} // namespace windrow::test
