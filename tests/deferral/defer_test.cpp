// SPDX-License-Identifier: BSD-3-Clause
// The promises of windrow/deferred.hpp, one by one.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <stdexcept>
#include <vector>

#include "tests/support/pe_test.hpp"
#include "windrow/windrow.hpp"

namespace windrow::test {
namespace {

std::uint64_t mix(std::uint64_t x) {
  return (x ^ x >> 31) * 0x9e3779b97f4a7c15 >> 17;
}

std::uint64_t pes(const job& j) {
  return static_cast<std::uint64_t>(j.pes());
}

struct alignas(64) wide {
  double of[8];
};

TEST(defer, what_when_all_captures_is_aligned) {
  auto& j = the_job();
  auto table = j.array<std::uint64_t>(pes(j));
  for (const auto how : {aggregate, blocking}) {
    context ctx(j, how);
    const wide kept{{1, 2, 3, 4, 5, 6, 7, 8}};
    std::uint64_t misaligned = 0;
    double sum = 0;
    for (std::uint64_t i = 0; i < 300; ++i)
      when_all(ctx.get(table[i % pes(j)]), ctx.get(table[0])).then([&, kept](std::uint64_t, std::uint64_t) {
        misaligned += reinterpret_cast<std::uintptr_t>(&kept) % alignof(wide);
        sum += kept.of[7];
      });
    ctx.barrier();
    EXPECT_EQ(misaligned, 0U);
    EXPECT_EQ(sum, 300 * 8);
  }
  j.free(table);
}

TEST(defer, values_of_when_all_are_aligned) {
  auto& j = the_job();
  auto table = j.array<wide>(pes(j));
  const auto mine = static_cast<std::uint64_t>(j.pe());
  put(j, table[mine], wide{{0, 0, 0, 0, 0, 0, 0, static_cast<double>(mine)}});
  j.barrier();
  context ctx(j, aggregate);
  std::uint64_t misaligned = 0;
  double sum = 0;
  for (std::uint64_t i = 0; i < pes(j); ++i)
    when_all(ctx.get(table[i]), ctx.get(table[0])).then([&](const wide& one, const wide& other) {
      for (const auto* w : {&one, &other})
        misaligned += reinterpret_cast<std::uintptr_t>(w) % alignof(wide), sum += w->of[7];
    });
  ctx.barrier();
  EXPECT_EQ(misaligned, 0U);
  EXPECT_EQ(sum, static_cast<double>(pes(j) * (pes(j) - 1) / 2));
  j.free(table);
}

TEST(defer, a_value_that_comes_at_once_is_used_at_once) {
  auto& j = the_job();
  auto table = j.array<std::uint32_t>(pes(j));
  context ctx(j, blocking);
  const auto mine = table[static_cast<std::uint64_t>(j.pe())];
  bool ran = false;
  ctx.fetch_add(mine, 5).then([&](std::uint32_t before) {
    EXPECT_EQ(before, 0U);
    ctx.swap(mine, 7).then([&](std::uint32_t between) {
      EXPECT_EQ(between, 5U);
      ran = true;
    });
    EXPECT_FALSE(ran) << "a continuation ran inside another";
  });
  EXPECT_TRUE(ran);
  j.barrier();
  j.free(table);
}

TEST(defer, continuations_of_one_pe_run_in_the_order_of_their_operations) {
  auto& j = the_job();
  auto table = j.array<std::uint32_t>(100 * pes(j));
  context ctx(j, aggregate);
  std::mt19937_64 random(static_cast<std::uint64_t>(j.pe()));
  std::vector<int> next(pes(j)), issued(pes(j));
  for (int i = 0; i < 100'000; ++i) {
    const auto at = table[random() % table.size()];
    const auto pe = static_cast<std::size_t>(at.owner());
    const auto check = [&next, pe, number = issued[pe]++](std::uint32_t) { ASSERT_EQ(next[pe]++, number); };
    // Different kinds of runs, and constants as well as varying operands.
    if (i % 3 == 0)
      ctx.fetch_add(at, static_cast<std::uint32_t>(i)).then(check);
    else if (i % 3 == 1)
      ctx.fetch_add(at, 1).then(check);
    else
      ctx.compare_swap(at, 1, 2).then([check, i](std::uint32_t value) {
        (void)i;
        check(value);
      });
  }
  ctx.complete_own();
  EXPECT_EQ(next, issued);
  j.barrier();
  j.free(table);
}

// Whatever their operands, and what their closures capture: equal ones travel in another form than others.
TEST(defer, fetching_operations_on_one_place_keep_their_order) {
  auto& j = the_job();
  constexpr std::uint64_t rounds = 3000;
  const auto here = static_cast<std::uint64_t>(j.pe());
  const auto cells = j.allocate<std::uint64_t>(2 * pes(j));
  const auto there = cells.on(static_cast<pe_t>((here + 1) % pes(j)));
  const auto operand = [](std::uint64_t i) { return i % 3 == 0 ? 5 : i % 7; };
  context ctx(j, aggregate);
  std::uint64_t sum = 0, last = 0;
  for (std::uint64_t i = 0; i < rounds; ++i) {
    ctx.fetch_add(there[here], operand(i)).then([expected = sum](std::uint64_t before) {
      ASSERT_EQ(before, expected);
    });
    ctx.swap(there[pes(j) + here], operand(i)).then([last](std::uint64_t before) {
      ASSERT_EQ(before, last);
    });
    sum += operand(i);
    last = operand(i);
  }
  ctx.complete_own();
  for (std::uint64_t i = 0; i < rounds; ++i)
    ctx.fetch_inc(there[pes(j) + here])
        .then_at_owner([captured = operand(i)](std::uint64_t at, std::uint64_t& place, const owner&) {
          place = at * 3 + captured; // which the next one sees
        });
  ctx.barrier();
  for (std::uint64_t i = 0; i < rounds; ++i) last = last * 3 + operand(i);
  EXPECT_EQ(ctx.get(there[pes(j) + here]).get(), last);
  j.barrier();
  j.free(cells);
}

TEST(defer, loads_that_do_not_travel_have_an_order_of_their_own) {
  auto& j = the_job();
  auto table = j.array<std::uint64_t>(100 * pes(j));
  for (auto& value : table.local()) value = 9;
  j.barrier();
  context ctx(j, aggregate);
  int next = 0;
  for (int i = 0; i < 1000; ++i)
    ctx.get(table[static_cast<std::uint64_t>(j.pe()) * 100]).then([&next, i](std::uint64_t value) {
      EXPECT_EQ(value, 9U);
      EXPECT_EQ(next++, i);
    });
  ctx.barrier();
  EXPECT_EQ(next, 1000);
  j.free(table);
}

// Where loads do not travel, the program does not run ahead of their continuations by more than a window.
TEST(defer, loads_that_do_not_travel_wait_in_a_window) {
  auto& j = the_job();
  auto table = j.array<std::uint64_t>(100 * pes(j));
  for (const std::uint64_t in_a_row : {1, 7, 1000}) {
    context ctx(j, aggregate);
    const auto before = j.stats();
    std::uint64_t ran = 0, most_waiting = 0;
    for (std::uint64_t i = 0; i < 3000; ++i) {
      const auto at = table[i % table.size()];
      if (i / in_a_row % 2 == 0)
        ctx.get(at).then([&](std::uint64_t) { ++ran; });
      else
        ctx.get(at).then([&, i](std::uint64_t) { ran += i == 0 ? 0 : 1; });
      most_waiting = std::max(most_waiting, i + 1 - ran);
    }
    ctx.barrier();
    EXPECT_EQ(ran, 3000U);
    const auto loads = j.stats().direct_operations - before.direct_operations;
    if (loads == 0) continue; // they have travelled
    EXPECT_EQ(loads, 3000U);
    EXPECT_EQ(j.stats().direct_bytes - before.direct_bytes, 3000 * sizeof(std::uint64_t));
    EXPECT_LE(most_waiting, 64U);
  }
  j.free(table);
}

TEST(defer, a_continuation_that_cannot_be_copied_issues_nothing) {
  struct refusing {
    std::uint64_t* ran;
    bool refuses = true;
    explicit refusing(std::uint64_t& r) : ran(&r) {}
    refusing(const refusing& other) : ran(other.ran), refuses(other.refuses) {
      if (refuses) throw std::runtime_error("no copy");
    }
    void operator()(std::uint64_t) { ++*ran; }
  };
  auto& j = the_job();
  auto table = j.array<std::uint64_t>(pes(j));
  std::uint64_t ran = 0;
  for (const auto how : {aggregate, blocking}) {
    context ctx(j, how);
    refusing f(ran);
    EXPECT_THROW(ctx.fetch_inc(table[0]).then(f), std::runtime_error);
    f.refuses = false;
    ctx.fetch_inc(table[0]).then(f);
    ctx.barrier();
  }
  EXPECT_EQ(ran, 2U);
  EXPECT_EQ(windrow::get(j, table[0]), 2 * pes(j));
  j.barrier();
  j.free(table);
}

TEST(defer, a_continuation_with_a_name_is_copied) {
  auto& j = the_job();
  auto table = j.array<std::uint64_t>(pes(j));
  std::uint64_t sum = 0;
  for (const auto how : {aggregate, blocking}) {
    context ctx(j, how);
    auto count = [&sum, calls = 0](std::uint64_t) mutable { sum += static_cast<std::uint64_t>(++calls); };
    for (std::uint64_t i = 0; i < 100; ++i) ctx.fetch_inc(table[i % pes(j)]).then(count);
    ctx.barrier();
  }
  EXPECT_EQ(sum, 200U);
  j.free(table);
}

// Every reply leads to another request, until a chain of a million links has gone round.
TEST(defer, chains_do_not_recurse) {
  auto& j = the_job();
  auto table = j.array<std::uint64_t>(pes(j));
  for (const auto how : {aggregate, blocking}) {
    context ctx(j, how);
    const int links = how == blocking ? 300'000 : 2000;
    struct chain {
      context& ctx;
      array<std::uint64_t>& table;
      int left;
      void operator()(std::uint64_t) {
        if (--left > 0)
          ctx.fetch_inc(table[static_cast<std::uint64_t>(left) % table.size()]).then(chain(*this));
      }
    };
    ctx.fetch_inc(table[0]).then(chain{ctx, table, links});
    ctx.barrier();
    std::uint64_t sum = 0;
    for (auto& value : table.local()) sum += std::exchange(value, 0);
    EXPECT_EQ(j.world().sum(sum), static_cast<std::uint64_t>(links) * pes(j));
  }
  j.free(table);
}

TEST(defer, values_of_any_size) {
  struct large {
    std::uint64_t words[5];
  };
  struct alignas(4) pair {
    std::uint16_t a, b;
  };
  auto& j = the_job();
  auto larges = j.array<large>(pes(j));
  auto pairs = j.array<pair>(pes(j));
  larges.local()[0] = {{1, 2, 3, 4, static_cast<std::uint64_t>(j.pe())}};
  pairs.local()[0] = {7, static_cast<std::uint16_t>(j.pe())};
  j.barrier();
  context ctx(j, aggregate);
  std::uint64_t seen = 0;
  for (std::uint64_t pe = 0; pe < pes(j); ++pe) {
    ctx.get(larges[pe]).then([&, pe](const large& value) {
      seen += value.words[4] == pe && value.words[3] == 4;
    });
    ctx.get(pairs[pe]).then([&, pe](pair value) { seen += value.a == 7 && value.b == pe; });
    when_all(ctx.get(larges[pe]), ctx.get(pairs[pe])).then([&, pe](const large& l, pair p) {
      seen += l.words[4] == pe && p.b == pe;
    });
  }
  ctx.barrier();
  EXPECT_EQ(seen, 3 * pes(j));
  j.free(larges);
  j.free(pairs);
}

// A handler may defer; barrier waits for what that leads to, whoever's message it was.
TEST(defer, quiet_waits_for_what_handlers_have_deferred) {
  auto& j = the_job();
  auto table = j.array<std::uint64_t>(pes(j));
  context ctx(j, aggregate);
  std::uint64_t ran = 0;
  {
    stream<std::uint64_t> s(j, [&](std::span<const std::uint64_t> batch, pe_t) {
      for (const auto place : batch)
        ctx.get(table[place]).then([&, place](std::uint64_t) {
          ctx.fetch_inc(table[place]).then([&](std::uint64_t) { ++ran; });
        });
    });
    for (std::uint64_t i = 0; i < 3000; ++i) s.send(static_cast<pe_t>(i % pes(j)), i % table.size());
    s.barrier();
    EXPECT_EQ(j.world().sum(ran), 3000 * pes(j));
  }
  j.free(table);
}

// Continuations may send more than there is room for: they wait for blocks, not for each other.
TEST(defer, continuations_that_send_much) {
  auto& j = the_job();
  auto table = j.array<std::uint64_t>(1000 * pes(j));
  context ctx(j, aggregate);
  for (std::uint64_t i = 0; i < 50; ++i)
    ctx.fetch_inc(table[i]).then([&, i](std::uint64_t) {
      for (std::uint64_t k = 0; k < 4000; ++k) ctx.add(table[(i * 4001 + k * 7) % table.size()], 1 + k % 2);
    });
  ctx.barrier();
  std::uint64_t sum = 0;
  for (const auto value : table.local()) sum += value;
  EXPECT_EQ(j.world().sum(sum), (50 + 50 * 6000) * pes(j));
  j.free(table);
}

/// Transposes a random matrix: every entry of every PE ends up once in the column it belongs to.
template <class Place>
void transpose(job& j, style how, std::uint64_t entries, Place place) {
  constexpr std::uint64_t columns = 50;
  const auto room = entries * pes(j);
  const auto next = j.allocate<std::uint32_t>(columns);
  const auto rows = j.allocate<std::uint64_t>(columns * room);
  {
    context ctx(j, how);
    std::mt19937_64 random(static_cast<std::uint64_t>(j.pe()));
    for (std::uint64_t i = 0; i < entries; ++i) {
      const auto pe = static_cast<pe_t>(random() % pes(j));
      const auto column = random() % columns;
      place(ctx, next.on(pe)[static_cast<std::int64_t>(column)], rows, column * room, i * 100 + column);
    }
    ctx.barrier();
  }
  std::uint64_t found = 0, sum = 0;
  for (std::uint64_t c = 0; c < columns; ++c)
    for (std::uint64_t k = 0; k < j.local(next)[c]; ++k) {
      const auto value = j.local(rows)[c * room + k];
      EXPECT_EQ(value % 100, c);
      ++found;
      sum += value / 100;
    }
  EXPECT_EQ(j.world().sum(found), room);
  EXPECT_EQ(j.world().sum(sum), entries * (entries - 1) / 2 * pes(j));
  j.free(rows);
  j.free(next);
}

TEST(defer, what_is_sent_to_the_owner_runs_there) {
  auto& j = the_job();
  for (const auto how : {aggregate, blocking}) {
    const std::uint64_t entries = how == blocking ? 300 : 3000;
    transpose(
        j, how, entries,
        [](context& ctx, global_ref<std::uint32_t> next, auto rows, std::uint64_t first,
           std::uint64_t value) {
          ctx.fetch_inc(next).then_at_owner([rows, first, value](std::uint32_t place, const owner& here) {
            here.local(rows)[first + place] = value;
          });
        });
    transpose(
        j, how, entries,
        [](context& ctx, global_ref<std::uint32_t> next, auto rows, std::uint64_t first,
           std::uint64_t value) {
          const symmetric all(rows);
          ctx.fetch_add(next, 1).then_at_owner([all, first, value](std::uint32_t place, const owner& here) {
            here.local(all)[first + place] = value;
          });
        });
  }
}

// Each sees the value that it should, also where others use atomic instructions on the same places.
TEST(defer, operations_at_the_owner_are_atomic) {
  auto& j = the_job();
  const auto cells = j.allocate<std::uint64_t>(4);
  const auto sum = j.allocate<std::uint64_t>(1);
  constexpr std::uint64_t rounds = 2000;
  context ctx(j, aggregate);
  const symmetric total(sum);
  for (std::uint64_t i = 0; i < rounds; ++i) {
    const auto at = cells.on(static_cast<pe_t>(i % pes(j)));
    ctx.swap(at[1], i + 1).then_at_owner([total](std::uint64_t before, const owner& here) {
      *here.local(total) += before;
    });
    ctx.fetch_add(at[0], 2).then_at_owner([](std::uint64_t before) { EXPECT_EQ(before % 2, 0U); });
    ctx.compare_swap(at[2], 0, 1).then_at_owner([](std::uint64_t before) { EXPECT_LE(before, 1U); });
    ctx.get(at[2]).then_at_owner([](std::uint64_t value) { EXPECT_EQ(value, 1U); });
    windrow::add(j, at[3], 1);
  }
  ctx.barrier();
  const auto* own = j.local(cells);
  const auto left = j.world().sum(own[1] + *j.local(sum));
  EXPECT_EQ(left, rounds * (rounds + 1) / 2 * pes(j));
  EXPECT_EQ(j.world().sum(own[0]), 2 * rounds * pes(j));
  EXPECT_EQ(j.world().sum(own[3]), rounds * pes(j));
  j.free(sum);
  j.free(cells);
}

TEST(defer, what_runs_at_the_owner_sees_the_place) {
  auto& j = the_job();
  auto table = j.array<std::int32_t>(10 * pes(j));
  for (const auto how : {aggregate, blocking}) {
    context ctx(j, how);
    for (std::uint64_t i = 0; i < 500; ++i)
      ctx.fetch_add(table[i % table.size()], -3)
          .then_at_owner([](std::int32_t before, std::int32_t& place, const owner&) {
            EXPECT_EQ(place, before - 3);
            place += 10;
          });
    ctx.barrier();
  }
  std::int64_t sum = 0;
  for (const auto value : table.local()) sum += value;
  EXPECT_EQ(j.world().sum(sum), 1000 * 7 * static_cast<std::int64_t>(pes(j)));
  j.free(table);
}

// Closures that capture the same are in the header of their run; others of their type travel meanwhile.
TEST(defer, small_captures_of_closures_at_the_owner) {
  auto& j = the_job();
  struct three {
    std::uint16_t a, b, c;
  };
  const auto cells = j.allocate<std::uint64_t>(8);
  context ctx(j, aggregate);
  const symmetric all(cells);
  const auto bytes_for = [&](auto capture) {
    const auto before = j.stats().bytes_sent;
    for (std::uint64_t i = 0; i < 3000; ++i) {
      const auto at = cells.on(static_cast<pe_t>(i % pes(j)));
      const auto captured = static_cast<std::uint64_t>(capture(i));
      ctx.fetch_add(at[0], captured)
          .then_at_owner(
              [captured](std::uint64_t, std::uint64_t& place, const owner&) { (&place)[1] += captured; });
    }
    ctx.barrier();
    return j.stats().bytes_sent - before;
  };
  const auto same = bytes_for([](auto) { return 5; });
  const auto mostly = bytes_for([](auto i) { return i % 10 == 0 ? i : 7; });
  const auto different = bytes_for([](auto i) { return i; });
  EXPECT_LE(same, mostly);
  EXPECT_LE(mostly, different);
  EXPECT_TRUE(same == 0 || same + 3000 * 7 < different) << same << " and " << different << " bytes";
  for (std::uint64_t i = 0; i < 3000; ++i)
    ctx.fetch_inc(cells.on(static_cast<pe_t>(i % pes(j)))[2])
        .then_at_owner(
            [t = three{1, static_cast<std::uint16_t>(i / 100), 3}](
                std::uint64_t, std::uint64_t& place, const owner&) { (&place)[1] += t.a + t.b + t.c; });
  ctx.barrier();
  const auto* own = j.local(cells);
  const auto numbers = 2999 * 3000 / 2, tens = 10 * (299 * 300 / 2) + 2700 * 7;
  EXPECT_EQ(own[0], own[1]);
  EXPECT_EQ(j.world().sum(own[0]), (5 * 3000U + numbers + tens) * pes(j));
  EXPECT_EQ(own[2] == 0, false);
  EXPECT_EQ(j.world().sum(own[3]), (3000 * 4 + 100 * (29 * 30 / 2)) * pes(j));
  j.barrier();
  j.free(cells);
}

/// What goes from PE to PE until it has none left, by closures at owners, fetches of single values and
/// ranges.
struct traveller {
  context& ctx;
  global_ptr<local_ptr<traveller>> here;
  global_ptr<std::uint64_t> cells;
  std::uint64_t arrived = 0;

  void send(pe_t to, std::uint64_t left);
  void arrive(std::uint64_t left);
};

void traveller::send(pe_t to, std::uint64_t left) {
  ctx.fetch_inc(*cells.on(to)).then_at_owner([all = symmetric(here), left](std::uint64_t, const owner& at) {
    (*at.local(all))->arrive(left);
  });
}

void traveller::arrive(std::uint64_t left) {
  ++arrived;
  if (left == 0) return;
  const auto next = static_cast<pe_t>(mix(left) % static_cast<std::uint64_t>(the_job().pes()));
  if (left % 3 == 0) return send(next, left - 1);
  ctx.get(cells.on(next)[1]).then([this, next, left](std::uint64_t one) {
    if (left % 3 == 1) return send(next, left - one);
    ctx.get(cells.on(next) + 1, 3).then([this, next, left](std::span<const std::uint64_t> ones) {
      send(next, left - ones[2]);
    });
  });
}

TEST(defer, what_runs_at_the_owner_may_go_on) {
  auto& j = the_job();
  const auto here = j.allocate<local_ptr<traveller>>(1);
  const auto cells = j.allocate<std::uint64_t>(4);
  context ctx(j, aggregate);
  traveller self{ctx, here, cells};
  *j.local(here) = &self;
  std::ranges::fill(std::span(j.local(cells), 4), 1U);
  j.barrier();
  constexpr std::uint64_t travellers = 50, hops = 100;
  for (std::uint64_t i = 0; i < travellers; ++i) self.send(static_cast<pe_t>(i % pes(j)), hops - 1);
  ctx.barrier();
  EXPECT_EQ(j.world().sum(self.arrived), travellers * hops * pes(j));
  EXPECT_EQ(j.world().sum(*j.local(cells) - 1), travellers * hops * pes(j));
  j.barrier();
  j.free(cells);
  j.free(here);
}

/// What goes on at the owner without end, almost.
struct hop {
  local_ptr<context> of_sender;
  global_ptr<std::uint64_t> cell;
  std::uint64_t left;

  void operator()(std::uint64_t) const {
    if (left > 0) of_sender->fetch_inc(*cell).then_at_owner(hop{of_sender, cell, left - 1});
  }
};

// A PE alone, too, which carries out its operations at once.
TEST(defer, what_goes_on_at_the_owner_does_not_recurse) {
  auto& j = the_job();
  const auto cell = j.allocate<std::uint64_t>(1);
  context ctx(j, aggregate);
  constexpr std::uint64_t hops = 200'000;
  ctx.fetch_inc(*cell).then_at_owner(hop{&ctx, cell, hops - 1});
  ctx.barrier();
  EXPECT_EQ(*j.local(cell), hops);
  j.barrier();
  j.free(cell);
}

TEST(defer, a_large_value_waits_with_its_continuation) {
  struct triple {
    std::uint64_t a, b, c;
  };
  auto& j = the_job();
  auto table = j.array<triple>(pes(j));
  auto counters = j.array<std::uint64_t>(pes(j));
  const auto mine = static_cast<std::uint64_t>(j.pe());
  windrow::put(j, table[mine], triple{mine, 2, 3});
  context ctx(j, aggregate);
  std::uint64_t sum = 0;
  ctx.fetch_inc(counters[mine]).then([&](std::uint64_t) {
    ctx.get(table[mine]).then([&, captured = mine + 10](const triple& t) {
      EXPECT_EQ(captured, mine + 10);
      sum = t.a + t.b + t.c;
    });
  });
  ctx.barrier();
  EXPECT_EQ(sum, mine + 5);
  j.free(counters);
  j.free(table);
}

} // namespace

/// Plain bytes, with a constructor and no default. These two have linkage: GCC 12 warns of a coroutine's
/// frame that holds a type without, if a file includes this one.
template <class Number>
class amount {
 public:
  explicit amount(Number n) : parts_{n, n, n} {}
  bool is(std::uint64_t n) const { return parts_[2] == static_cast<Number>(n); }

 private:
  Number parts_[3];
};
class single {
 public:
  explicit single(std::uint64_t n) : n_(n) {}
  bool is(std::uint64_t n) const { return n_ == n; }

 private:
  std::uint64_t n_;
};
/// Plain bytes that nothing is assigned to.
struct unchanging {
  const std::uint64_t n;

  bool is(std::uint64_t other) const { return n == other; }
};

namespace {

template <class T>
deferred count_right(context& ctx, array<T>& table, std::uint64_t pe, std::uint64_t& right) {
  const auto one = co_await ctx.get(table[pe]);
  const auto [again, third] = co_await when_all(ctx.get(table[pe]), ctx.get(table[pe]));
  right += one.is(pe) && again.is(pe) && third.is(pe);
}

template <class T>
void check_values_without_default() {
  auto& j = the_job();
  auto table = j.array<T>(pes(j));
  windrow::put(j, table[static_cast<std::uint64_t>(j.pe())], T(static_cast<std::uint64_t>(j.pe())));
  j.barrier();
  for (const auto how : {aggregate, blocking}) {
    context ctx(j, how);
    std::uint64_t right = 0;
    for (std::uint64_t pe = 0; pe < pes(j); ++pe) {
      ctx.get(table[pe]).then([&, pe](const T& value) { right += value.is(pe); });
      when_all(ctx.get(table[pe]), ctx.get(table[pe])).then([&, pe](const T& one, const T& other) {
        right += one.is(pe) && other.is(pe);
      });
      count_right(ctx, table, pe, right);
      right += ctx.get(table[pe]).get().is(pe);
    }
    ctx.barrier();
    EXPECT_EQ(right, 4 * pes(j));
  }
  j.free(table);
}

} // namespace
} // namespace windrow::test

template <class Number>
inline constexpr bool windrow::is_transferable<windrow::test::amount<Number>> = true;
template <>
inline constexpr bool windrow::is_transferable<windrow::test::single> = true;

namespace windrow::test {
namespace {

TEST(defer, values_need_no_default) {
  check_values_without_default<single>();
  check_values_without_default<amount<std::uint64_t>>();
  check_values_without_default<amount<std::uint16_t>>();
}

TEST(defer, values_need_no_assignment) {
  check_values_without_default<unchanging>();
}

template <std::size_t Bytes>
struct bytes_of {
  unsigned char of[Bytes];
};

// Larger than a piece of the memory for what waits, and than a counter of what is pending reaches.
TEST(defer, values_of_any_size_wait) {
  auto& j = the_job();
  const auto all = pes(j);
  using large = bytes_of<20'000>;
  using larger = bytes_of<70'000>;
  auto larges = j.array<large>(all);
  auto largers = j.array<larger>(all);
  auto wides = j.array<wide>(all);
  auto counters = j.array<std::uint64_t>(all);
  larges.local()[0].of[19'999] = largers.local()[0].of[69'999] = static_cast<unsigned char>(j.pe() + 1);
  wides.local()[0].of[7] = j.pe() + 1;
  counters.local()[0] = 1;
  j.barrier();
  context ctx(j, aggregate);
  std::uint64_t seen = 0, misaligned = 0;
  for (std::uint64_t i = 0; i < 5 * all; ++i) {
    const auto pe = i % all;
    const auto value = static_cast<unsigned char>(pe + 1);
    ctx.fetch_inc(counters[pe])
        .then([&, pe, value](std::uint64_t) { // which keeps the next from running at once
          ctx.get(larges[pe]).then([&, value](const large& l) { seen += l.of[19'999] == value; });
          ctx.get(wides[pe]).then([&, value](const wide& w) {
            seen += w.of[7] == value;
            misaligned += reinterpret_cast<std::uintptr_t>(&w) % alignof(wide);
          });
        });
    when_all(ctx.fetch_inc(counters[pe]), ctx.get(largers[pe]))
        .then([&, value](std::uint64_t before, const larger& l) {
          seen += before > 0 && l.of[69'999] == value;
        });
    when_all(ctx.get(largers[pe]), ctx.fetch_inc(counters[pe]))
        .then([&, value](const larger& l, std::uint64_t before) {
          seen += before > 0 && l.of[69'999] == value;
        });
  }
  ctx.barrier();
  EXPECT_EQ(seen, 20 * all);
  EXPECT_EQ(misaligned, 0U);
  EXPECT_EQ(counters.local()[0], 15 * all + 1);
  j.barrier();
  j.free(counters);
  j.free(wides);
  j.free(largers);
  j.free(larges);
}

/// Counts how many of it there are.
struct large_capture {
  explicit large_capture(long& all, long& most) : live(&all) { most = std::max(most, ++all); }
  large_capture(large_capture&& other) noexcept : live(std::exchange(other.live, nullptr)) {}
  large_capture(const large_capture&) = delete;
  ~large_capture() {
    if (live != nullptr) --*live;
  }
  long* live;
  std::byte content[4096 - sizeof(long*)];
};

// WINDROW_DEFER_LIMIT is at most 16 MiB by default; each piece of work that is deferred is small beside it.
TEST(defer, large_closures_count_towards_the_limit) {
  auto& j = the_job();
  auto table = j.array<std::uint64_t>(pes(j));
  const auto cells = j.allocate<std::uint64_t>(1);
  context ctx(j, aggregate);
  long live = 0, most = 0;
  std::uint64_t sum = 0;
  for (std::uint64_t i = 0; i < 20'000; ++i) {
    ctx.fetch_inc(table[i % pes(j)]).then([&sum, c = large_capture(live, most)](std::uint64_t) { ++sum; });
    if (i % 100 == 0)
      ctx.get(cells.on(static_cast<pe_t>(i % pes(j))), 1)
          .then([&sum, c = large_capture(live, most)](std::span<const std::uint64_t>) { ++sum; });
  }
  EXPECT_LE(most * static_cast<long>(sizeof(large_capture)), 20 << 20);
  ctx.barrier();
  EXPECT_EQ(sum, 20'200U);
  EXPECT_EQ(live, 0);
  j.barrier();
  j.free(cells);
  j.free(table);
}

TEST(defer, what_waits_is_counted) {
  auto& j = the_job();
  auto table = j.array<std::uint64_t>(pes(j));
  context ctx(j, aggregate);
  const auto before = j.stats();
  std::uint64_t ran = 0;
  for (std::uint64_t i = 0; i < 10'000; ++i)
    when_all(ctx.fetch_inc(table[i % pes(j)])).then([&](std::uint64_t) { ++ran; });
  ctx.barrier();
  EXPECT_EQ(ran, 10'000U);
  EXPECT_EQ(j.stats().deferred - before.deferred, 10'000U);
  EXPECT_GT(j.stats().deferred_bytes_max, 0U);
  j.free(table);
}

} // namespace
} // namespace windrow::test
