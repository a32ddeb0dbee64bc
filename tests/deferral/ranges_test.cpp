// SPDX-License-Identifier: BSD-3-Clause
// Ranges that are fetched: context::get(place, count).
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <numeric>
#include <random>
#include <vector>

#include "tests/support/pe_test.hpp"
#include "windrow/windrow.hpp"

namespace windrow::test {
namespace {

constexpr std::array every_style{blocking, nonblocking, aggregate};

struct triple {
  std::uint32_t a, b, c;
};
struct alignas(16) large {
  std::uint64_t words[6];
};
struct alignas(64) lines {
  std::uint64_t words[16];
};

template <class T>
T value_of(pe_t pe, std::size_t place) {
  const auto number = static_cast<std::uint64_t>(pe) * 1'000'003 + place * 7919;
  if constexpr (std::is_same_v<T, triple>)
    return {static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(pe), 3};
  else if constexpr (std::is_same_v<T, large>)
    return {{number, 1, 2, 3, 4, number + 5}};
  else if constexpr (std::is_same_v<T, lines>)
    return {{number, 1, 2, 3, number + 4}};
  else
    return static_cast<T>(number);
}
bool operator==(const triple& x, const triple& y) {
  return x.a == y.a && x.b == y.b && x.c == y.c;
}
bool operator==(const large& x, const large& y) {
  return std::ranges::equal(x.words, y.words);
}
bool operator==(const lines& x, const lines& y) {
  return std::ranges::equal(x.words, y.words);
}

template <class T>
bool is_range(std::span<const T> values, pe_t pe, std::size_t first) {
  if (reinterpret_cast<std::uintptr_t>(values.data()) % alignof(T) != 0) return false;
  for (std::size_t k = 0; k < values.size(); ++k)
    if (!(values[k] == value_of<T>(pe, first + k))) return false;
  return true;
}

/// Memory of `size` elements on each PE, with known values.
template <class T>
class known {
 public:
  known(job& j, std::size_t size) : job_(j), at_(j.allocate<T>(size)) {
    for (std::size_t k = 0; k < size; ++k) j.local(at_)[k] = value_of<T>(j.pe(), k);
    j.barrier();
  }
  ~known() { job_.free(at_); }
  known(const known&) = delete;
  known& operator=(const known&) = delete;
  global_ptr<T> on(pe_t pe, std::size_t place = 0) const {
    return at_.on(pe) + static_cast<std::int64_t>(place);
  }

 private:
  job& job_;
  global_ptr<T> at_;
};

template <class T>
deferred fetch_in_coroutine(context& ctx, global_ptr<T> at, std::size_t first, std::size_t count,
                            int& right) {
  const std::vector<T> values = co_await ctx.get(at, count);
  // Of two ranges, and after another suspension.
  const auto [again, one] = co_await when_all(ctx.get(at, count), ctx.get(*(at - 1)));
  right += values.size() == count && is_range<T>(values, at.owner(), first) && again.size() == count &&
           is_range<T>(again, at.owner(), first) && one == value_of<T>(at.owner(), first - 1);
}

template <class T>
void fetch_ranges_of(job& j) {
  constexpr std::array<std::size_t, 14> sizes{0,  1,   2,   3,   5,    8,    17,
                                              64, 255, 256, 257, 1000, 4099, 160'000 / sizeof(T)};
  const known<T> memory(j, 4 + std::max<std::size_t>(4099, 160'000 / sizeof(T)));
  for (const auto how : every_style) {
    context ctx(j, how);
    const auto trips = j.stats().round_trips;
    int right = 0, wanted = 0;
    for (const auto count : sizes)
      for (pe_t pe = 0; pe < j.pes(); ++pe)
        for (const std::size_t first : {1, 2, 4}) {
          const auto at = memory.on(pe, first);
          ctx.get(at, count).then([&right, pe, first, count](std::span<const T> values) {
            right += values.size() == count && is_range(values, pe, first);
          });
          when_all(ctx.get(at, count), ctx.get(*at), ctx.get(at + 1, 2))
              .then([&right, pe, first, count](std::span<const T> a, const T& b, std::span<const T> c) {
                right += a.size() == count && is_range(a, pe, first) && b == value_of<T>(pe, first) &&
                         c.size() == 2 && is_range(c, pe, first + 1);
              });
          ctx.get(*at).then([&right, pe, first](const T& one) { right += one == value_of<T>(pe, first); });
          fetch_in_coroutine(ctx, at, first, count, right);
          wanted += 4;
        }
    ctx.complete_own();
    EXPECT_EQ(right, wanted) << sizeof(T) << " bytes, style " << static_cast<int>(how);
    if (how == aggregate) {
      EXPECT_EQ(j.stats().round_trips, trips) << sizeof(T) << " bytes";
    }
  }
  j.barrier();
}

TEST(ranges, of_any_size_and_type) {
  auto& j = the_job();
  fetch_ranges_of<std::uint8_t>(j);
  fetch_ranges_of<std::int16_t>(j);
  fetch_ranges_of<float>(j);
  fetch_ranges_of<std::uint64_t>(j);
  fetch_ranges_of<triple>(j);
  fetch_ranges_of<large>(j);
  fetch_ranges_of<lines>(j);
}

TEST(ranges, are_waited_for_where_they_stand) {
  auto& j = the_job();
  const known<std::uint64_t> memory(j, 5000);
  const known<lines> aligned(j, 10);
  const auto next = (j.pe() + 1) % j.pes();
  for (const auto how : every_style) {
    context ctx(j, how);
    for (const std::size_t count : {0, 1, 3, 4000}) {
      const auto values = ctx.get(memory.on(next, 7), count).get();
      EXPECT_TRUE(values.size() == count && is_range<std::uint64_t>(values, next, 7));
    }
    EXPECT_TRUE(is_range<lines>(ctx.get(aligned.on(next, 2), 3).get(), next, 2));
    EXPECT_EQ(ctx.get(*aligned.on(next, 2)).get(), value_of<lines>(next, 2));
    const future<lines> one = ctx.get(*aligned.on(next, 3));
    EXPECT_EQ(one.get(), value_of<lines>(next, 3));
  }
  j.barrier();
}

// Whoever fetches one does not keep its worker from others: no operation waits for an answer by itself.
TEST(ranges, are_waited_for_in_tasks) {
  auto& j = the_job();
  const known<std::uint16_t> memory(j, 9000);
  const known<triple> structures(j, 200);
  const auto next = (j.pe() + 1) % j.pes();
  context ctx(j, aggregate);
  std::atomic<int> right = 0;
  const auto trips = j.stats().round_trips;
  const auto fetch = [&](std::size_t i) {
    const auto count = i % 10 == 0 ? i * 40 : i;
    const auto values = ctx.get(memory.on(next, i), count).get();
    right += values.size() == count && is_range<std::uint16_t>(values, next, i);
    right += ctx.get(*structures.on(next, i)).get() == value_of<triple>(next, i);
  };
  finish([&] {
    for (std::size_t i = 0; i < 200; ++i) {
      spawn([&, i] { fetch(i); });
      if (i % 4 == 0) async([&, i] { fetch(i); });
      if (i % 4 == 1) spawn_at(communication_worker, [&, i] { fetch(i); });
    }
  });
  EXPECT_EQ(right, 2 * (200 + 50 + 50));
  EXPECT_EQ(j.stats().round_trips, trips);
  ctx.barrier();
}

TEST(ranges, closures_of_any_size) {
  auto& j = the_job();
  const known<std::uint32_t> memory(j, 100);
  for (const auto how : every_style) {
    context ctx(j, how);
    std::uint64_t right = 0;
    for (pe_t pe = 0; pe < j.pes(); ++pe) {
      const auto check = [&right, pe, much = std::array<std::uint64_t, 100>{7}](auto values) {
        right += values.size() == 90 && is_range<std::uint32_t>(values, pe, 5) && much[0] == 7;
      };
      ctx.get(memory.on(pe, 5), 90).then(check);
      auto only_moved = [&right, one = std::make_unique<std::uint64_t>(1)](std::span<const std::uint32_t>) {
        right += *one;
      };
      ctx.get(memory.on(pe, 5), 90).then(std::move(only_moved));
    }
    ctx.barrier();
    EXPECT_EQ(right, 2 * static_cast<std::uint64_t>(j.pes()));
  }
}

// Where they travel, ranges are in one order with everything else that goes there; else with other loads.
TEST(ranges, continuations_run_in_the_order_of_their_operations) {
  auto& j = the_job();
  const known<std::uint64_t> memory(j, 2000);
  const auto cells = j.allocate<std::uint64_t>(1);
  const auto before = j.stats();
  {
    context ctx(j, aggregate);
    std::vector<int> next(static_cast<std::size_t>(j.pes())), issued(next), loads(next);
    int next_load = 0, issued_loads = 0;
    std::mt19937_64 random(static_cast<std::uint64_t>(j.pe()));
    ctx.get(*memory.on(0)).then([](std::uint64_t) {});
    ctx.complete_own();
    const bool loads_directly = j.stats().direct_operations > before.direct_operations;
    for (int i = 0; i < 20'000; ++i) {
      const auto pe = static_cast<pe_t>(random() % static_cast<std::uint64_t>(j.pes()));
      const auto number = issued[static_cast<std::size_t>(pe)]++, load = issued_loads++;
      const auto loaded = [&, pe, number, load, loads_directly] {
        ASSERT_EQ(loads_directly ? next_load++ : next[static_cast<std::size_t>(pe)]++,
                  loads_directly ? load : number);
      };
      if (i % 3 == 0)
        ctx.get(memory.on(pe, random() % 100), 1 + random() % (i % 30 == 0 ? 1500 : 10)).then([loaded](auto) {
          loaded();
        });
      else if (i % 3 == 1)
        ctx.get(*memory.on(pe)).then([loaded](std::uint64_t) { loaded(); });
      else if (loads_directly)
        --issued[static_cast<std::size_t>(pe)], --issued_loads;
      else
        ctx.fetch_add(*cells.on(pe), 1).then([loaded](std::uint64_t) { loaded(); });
    }
    ctx.complete_own();
    EXPECT_EQ(loads_directly ? next_load : std::accumulate(next.begin(), next.end(), 0),
              std::accumulate(issued.begin(), issued.end(), 0));
  }
  j.barrier();
  j.free(cells);
}

// Each element is one load, whoever changes it meanwhile.
TEST(ranges, elements_are_read_whole) {
  auto& j = the_job();
  constexpr std::size_t size = 256;
  const auto cells = j.allocate<std::uint64_t>(size);
  context ctx(j, aggregate);
  std::uint64_t torn = 0, seen = 0;
  for (std::uint64_t round = 0; round < 200; ++round)
    for (pe_t pe = 0; pe < j.pes(); ++pe) {
      const auto value = round % 2 == 0 ? ~std::uint64_t{0} : 0;
      for (std::size_t k = 0; k < size; k += 16) ctx.put(cells.on(pe)[static_cast<std::int64_t>(k)], value);
      ctx.get(cells.on(pe), size).then([&](std::span<const std::uint64_t> values) {
        seen += values.size();
        for (const auto v : values) torn += v != 0 && v != ~std::uint64_t{0};
      });
    }
  ctx.barrier();
  EXPECT_EQ(torn, 0U);
  EXPECT_EQ(seen, 200 * size * static_cast<std::uint64_t>(j.pes()));
  j.free(cells);
}

// Handlers and continuations may fetch ranges, and barrier waits for those.
TEST(ranges, of_handlers_and_continuations) {
  auto& j = the_job();
  const known<std::uint16_t> memory(j, 3000);
  for (const auto how : every_style) {
    context ctx(j, how);
    std::uint64_t right = 0;
    {
      stream<std::uint32_t> s(j, [&](std::span<const std::uint32_t> batch, pe_t from) {
        for (const auto count : batch)
          ctx.get(memory.on(from, 3), count).then([&, from, count](std::span<const std::uint16_t> values) {
            const bool first_right = is_range(values, from, 3);
            ctx.get(memory.on(from), count)
                .then([&, from, first_right](std::span<const std::uint16_t> again) {
                  right += first_right && is_range(again, from, 0);
                });
          });
      });
      // Only what is aggregated may be issued by handlers of PEs at a distance without waiting for long.
      const std::uint32_t messages = how == aggregate ? 2000 : 20;
      for (std::uint32_t i = 0; i < messages; ++i)
        s.send(static_cast<pe_t>(i % static_cast<std::uint32_t>(j.pes())), i % 2900);
      s.barrier();
      ctx.barrier();
      EXPECT_EQ(j.world().sum(right), messages * static_cast<std::uint64_t>(j.pes()));
    }
  }
}

TEST(ranges, count_as_deferred_memory) {
  auto& j = the_job();
  constexpr std::size_t size = 8192;
  const known<std::uint64_t> memory(j, size);
  context ctx(j, aggregate);
  const auto before = j.stats();
  std::uint64_t ran = 0;
  for (int i = 0; i < 2000; ++i)
    ctx.get(memory.on(i % j.pes()), size).then([&](std::span<const std::uint64_t> values) {
      ran += values.size() == size;
    });
  ctx.barrier();
  EXPECT_EQ(ran, 2000U);
  EXPECT_EQ(j.stats().deferred - before.deferred, 2000U);
  if (j.stats().direct_operations > before.direct_operations) // loaded directly: copied one by one
    EXPECT_EQ(j.stats().direct_bytes - before.direct_bytes, 2000 * size * sizeof(std::uint64_t));
  else // 125 MiB in all
    EXPECT_LE(j.stats().deferred_bytes_max, std::uint64_t{17} << 20);
}

// Larger than the stack.
TEST(ranges, elements_may_be_large) {
  struct large {
    unsigned char of[9 << 20];
  };
  auto& j = the_job();
  const auto memory = j.allocate<large>(1);
  constexpr std::size_t last = sizeof(large) - 1;
  j.local(memory)->of[last] = static_cast<unsigned char>(j.pe() + 1);
  j.barrier();
  context ctx(j, aggregate);
  const auto next = (j.pe() + 1) % j.pes();
  int found = 0;
  ctx.get(memory.on(next), 1).then([&](std::span<const large> one) { found = one[0].of[last]; });
  ctx.barrier();
  EXPECT_EQ(found, next + 1);
  j.barrier();
  j.free(memory);
}

// More than eight times WINDROW_DEFER_LIMIT in one of the runs: that bounds what continuations ask for, and
// they may give back, and ask for, what they need beside it.
TEST(ranges, may_be_larger_than_what_may_wait) {
  auto& j = the_job();
  constexpr std::size_t size = std::size_t{5} << 18; // 10 MiB
  const known<std::uint64_t> memory(j, size);
  const auto cells = j.allocate<std::uint64_t>(1);
  context ctx(j, aggregate);
  const auto next = (j.pe() + 1) % j.pes();
  const auto count = [&](std::uint64_t& ran) {
    for (int i = 0; i < 1000; ++i) ctx.fetch_add(*cells.on(next), 1).then([&ran](std::uint64_t) { ++ran; });
  };
  int right = 0;
  std::uint64_t before = 0, inside = 0, behind = 0;
  for (int i = 0; i < 2; ++i) {
    count(before);
    ctx.get(memory.on(next), size).then([&](std::span<const std::uint64_t> values) {
      right += values.size() == size && is_range(values, next, 0);
      count(inside);
    });
    count(behind);
  }
  ctx.barrier();
  EXPECT_EQ(right, 2);
  EXPECT_EQ(before + inside + behind, 6000U);
  j.free(cells);
}

} // namespace
} // namespace windrow::test
