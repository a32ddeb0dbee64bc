// SPDX-License-Identifier: BSD-3-Clause
// Items whose answers go to closures one behind the other share one note: whatever comes between them, each
// continuation gets the value of its own operation, in order.
#include <gtest/gtest.h>

#include <array>
#include <random>
#include <span>
#include <vector>

#include "tests/support/filled_array.hpp"
#include "tests/support/pe_test.hpp"
#include "windrow/windrow.hpp"

namespace windrow::test {
namespace {

template <class T>
T value_of(std::uint64_t index) {
  return static_cast<T>(index * 0x9e3779b97f4a7c15U >> 40);
}

/// Values that every operation below leaves as they are, so that all answers are known.
template <class T>
struct known_values : filled_array<T> {
  explicit known_values(job& j)
      : filled_array<T>(j, 1000 * static_cast<std::uint64_t>(j.pes()), value_of<T>) {}

  auto at(std::uint64_t index) { return (*this)[index]; }

  /// Several kinds of runs, with constant and with varying operands.
  template <class F>
  void fetch(context& ctx, unsigned kind, std::uint64_t index, F f) {
    const auto same = value_of<T>(index);
    switch (kind % 5) {
      case 0:
        return ctx.fetch_add(at(index), 0).then(f);
      case 1:
        return ctx.fetch_or(at(index), same).then(f);
      case 2:
        return ctx.compare_swap(at(index), same, same).then(f);
      case 3:
        return ctx.swap(at(index), same).then(f);
      default:
        return ctx.fetch_xor(at(index), 0).then(f);
    }
  }
};

/// What has been issued and what has run, by PE.
struct progress {
  explicit progress(const job& j) : issued(static_cast<std::size_t>(j.pes())), ran(issued) {}
  std::vector<std::uint64_t> issued, ran;

  template <class T>
  void see(pe_t pe, std::uint64_t number, std::uint64_t index, T value) {
    ASSERT_EQ(value, value_of<T>(index));
    ASSERT_EQ(ran[static_cast<std::size_t>(pe)]++, number);
  }
};

/// A continuation of one of three sizes.
template <class T>
void issue(known_values<T>& values, progress& p, context& ctx, unsigned kind, unsigned size,
           std::uint64_t index) {
  const auto pe = values.at(index).owner();
  const auto number = p.issued[static_cast<std::size_t>(pe)]++;
  const auto check = [&p, pe, number, index](T value) { p.see(pe, number, index, value); };
  if (size == 0) return values.fetch(ctx, kind, index, check);
  const auto with = [&](auto rest) {
    rest.fill(number);
    values.fetch(ctx, kind, index, [check, rest, number](T value) {
      ASSERT_EQ(rest.back(), number);
      check(value);
    });
  };
  if (size == 1)
    with(std::array<std::uint64_t, 3>{});
  else
    with(std::array<std::uint64_t, 40>{});
}

template <class T>
void mix(std::uint64_t seed) {
  auto& j = the_job();
  known_values<T> values(j);
  progress p(j);
  std::vector<T> results(20'000);
  std::vector<std::uint64_t> asked;
  std::uint64_t pairs = 0, pairs_seen = 0, sent = 0, handled = 0;
  std::mt19937_64 random(seed + static_cast<std::uint64_t>(j.pe()));
  stream<char> messages(j, [&](std::span<const char> batch, pe_t) { handled += batch.size(); });
  context ctx(j, aggregate);
  while (asked.size() < results.size() / 2) {
    const auto kind = static_cast<unsigned>(random()), size = static_cast<unsigned>(random() % 3);
    const bool to_one = random() % 2 == 0;
    const auto first = random() % values.size();
    // Short, or beyond the ends of chunks, pieces of runs and blocks.
    for (auto left = random() % 8 == 0 ? random() % 5000 : random() % 6; left > 0; --left) {
      const auto index = to_one ? first : random() % values.size();
      issue(values, p, ctx, kind, size, index);
      // Messages in the middle of a stretch, few or more than a piece of a run.
      for (auto more = left % 256 == 0 ? random() % 300 : left % 7 == 0; more > 0; --more, ++sent)
        messages.send(values.at(index).owner(), 'm');
    }
    // Items of the same kinds whose answers go elsewhere.
    for (auto left = random() % 3; left > 0; --left) {
      const auto index = to_one ? first : random() % values.size();
      ctx.fetch_add(values.at(index), 0, &results[asked.size()]);
      asked.push_back(index);
    }
    if (random() % 3 == 0) {
      const auto a = random() % values.size(), b = to_one ? first : random() % values.size();
      ++pairs;
      when_all(ctx.fetch_add(values.at(a), 0), ctx.fetch_xor(values.at(b), 0)).then([&, a, b](T x, T y) {
        ASSERT_EQ(x, value_of<T>(a));
        ASSERT_EQ(y, value_of<T>(b));
        ++pairs_seen;
      });
    }
    if (random() % 500 == 0) ctx.complete_own();
  }
  ctx.barrier();
  EXPECT_EQ(j.world().sum(handled), j.world().sum(sent));
  EXPECT_EQ(p.ran, p.issued);
  EXPECT_EQ(pairs_seen, pairs);
  for (std::size_t i = 0; i < asked.size(); ++i) ASSERT_EQ(results[i], value_of<T>(asked[i])) << i;
}

TEST(stretches, of_8_byte_values) {
  mix<std::uint64_t>(1);
}
TEST(stretches, of_4_byte_values) {
  mix<std::uint32_t>(2);
}
TEST(stretches, of_single_bytes) {
  mix<std::uint8_t>(3);
}

// What handlers send while no block is free leaves in copies of blocks, which may come home in another order.
TEST(stretches, in_blocks_that_handlers_fill) {
  auto& j = the_job();
  known_values<std::uint32_t> values(j);
  progress p(j);
  context ctx(j, aggregate);
  const auto before = j.stats().spilled_blocks;
  {
    stream<std::uint64_t> seeds(j, [&](std::span<const std::uint64_t> batch, pe_t) {
      for (const auto seed : batch) {
        std::mt19937_64 random(seed);
        for (int i = 0; i < 120'000; ++i)
          issue(values, p, ctx, static_cast<unsigned>(i / 5000), 0, random() % values.size());
      }
    });
    seeds.send((j.pe() + 1) % j.pes(), static_cast<std::uint64_t>(j.pe()));
    seeds.barrier();
  }
  EXPECT_EQ(p.ran, p.issued);
  if (j.pes() > 1) {
    EXPECT_GT(j.stats().spilled_blocks, before);
  }
}

// One item is no stretch: there is no room for the note of one.
TEST(stretches, of_few_items) {
  auto& j = the_job();
  known_values<std::uint64_t> values(j);
  progress p(j);
  context ctx(j, aggregate);
  for (std::uint64_t i = 0; i < 300; ++i) {
    issue(values, p, ctx, 0, 0, i * 7 % values.size());
    if (i % 3 == 0) ctx.complete_own();
  }
  ctx.barrier();
  EXPECT_EQ(p.ran, p.issued);
}

// Records of several values count those that are missing: their notes stand in one run with stretches, and
// with those of values that nobody counts.
TEST(stretches, answers_that_are_counted_and_others_in_one_run) {
  auto& j = the_job();
  known_values<std::uint64_t> values(j);
  context ctx(j, aggregate);
  std::mt19937 random(static_cast<unsigned>(j.pe()) + 3);
  std::vector<std::uint64_t> plain(20'000), asked(plain.size());
  std::uint64_t ran = 0, expected = 0;
  for (std::size_t i = 0; i < plain.size(); ++i) {
    const std::uint64_t at = random() % values.size();
    switch (random() % 4) {
      case 0:
        asked[i] = value_of<std::uint64_t>(at);
        ctx.fetch_add(values.at(at), 0, &plain[i]);
        break;
      case 1:
        ++expected;
        ctx.fetch_add(values.at(at), 0).then([&ran, at](std::uint64_t v) {
          ran += v == value_of<std::uint64_t>(at) ? 1 : 0;
        });
        break;
      case 2: {
        expected += 2;
        const std::uint64_t other = random() % values.size();
        when_all(ctx.fetch_add(values.at(at), 0), ctx.fetch_add(values.at(other), 0))
            .then([&ran, at, other](std::uint64_t a, std::uint64_t b) {
              ran += a == value_of<std::uint64_t>(at) && b == value_of<std::uint64_t>(other) ? 2 : 0;
            });
        break;
      }
      default: { // of one PE, so that they follow one another in a run
        expected += 9;
        when_all(
            ctx.fetch_add(values.at(at), 0), ctx.fetch_add(values.at(at), 0), ctx.fetch_add(values.at(at), 0),
            ctx.fetch_add(values.at(at), 0), ctx.fetch_add(values.at(at), 0), ctx.fetch_add(values.at(at), 0),
            ctx.fetch_add(values.at(at), 0), ctx.fetch_add(values.at(at), 0), ctx.fetch_add(values.at(at), 0))
            .then([&ran, at](auto... all) {
              ran += ((all == value_of<std::uint64_t>(at)) && ...) ? sizeof...(all) : 0;
            });
      }
    }
  }
  ctx.barrier();
  EXPECT_EQ(plain, asked);
  EXPECT_EQ(ran, expected);
}

} // namespace
} // namespace windrow::test
