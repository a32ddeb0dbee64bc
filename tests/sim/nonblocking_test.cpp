// SPDX-License-Identifier: BSD-3-Clause
// Operations that go on in a simulated network while their PE does: what issuing and waiting for them costs
// to the nanosecond, when others see them, and in which order. Expected times are reckoned as LogGP says.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <random>
#include <tuple>
#include <vector>

#include "pgas/core.hpp"
#include "tests/sim/simple_network.hpp"

namespace windrow::test {
namespace {

using detail::until;

constexpr std::uint64_t word = 8;
constexpr std::uint64_t round_trip(std::uint64_t there, std::uint64_t back) {
  return length(there) + L + length(back) + L;
}

/// As OpenSHMEM and the contexts of C++ ask for operations.
void begin_put(job& j, global_ptr<std::byte> to, const void* from, std::size_t bytes,
               until when = until::begun) {
  j.map().put_slowly(to.owner(), to.offset(), from, bytes, when, {"put"});
}
void begin_get(job& j, global_ptr<std::byte> from, void* to, std::size_t bytes) {
  j.map().get_slowly(from.owner(), from.offset(), to, bytes, until::begun, {"get"});
}

/// PE 0 does `body(bytes, begin)` in the simple network while the others wait; each has so many bytes.
template <class Body>
void run_one(pe_t pes, std::size_t bytes, Body body) {
  run_sim(simple, pes, [&](job& j) {
    const auto place = j.allocate<std::byte>(bytes);
    const auto begin = meet(j);
    if (j.pe() == 0) body(j, place, begin);
    j.barrier();
  });
}

TEST(simulated_nonblocking, puts_are_waited_for_together) {
  run_one(2, 100 * word, [](job& j, auto place, std::uint64_t begin) {
    constexpr std::uint64_t count = 10;
    const auto before = j.stats();
    std::uint64_t value = 7;
    for (std::uint64_t i = 0; i < count; ++i) begin_put(j, place.on(1) + i * word, &value, word);
    EXPECT_EQ(clock_ns(j) - begin, count * o);
    j.map().complete();
    EXPECT_EQ(clock_ns(j) - begin, count * o + round_trip(word, 0) + o);
    EXPECT_EQ(j.stats().round_trips - before.round_trips, 1U);
    EXPECT_EQ(j.stats().messages - before.messages, 2 * count);
    const auto done = clock_ns(j);
    j.map().complete();
    EXPECT_EQ(clock_ns(j), done) << "nothing is under way";
  });
}

TEST(simulated_nonblocking, work_hides_the_network) {
  run_one(3, 100 * word, [](job& j, auto place, std::uint64_t begin) {
    constexpr std::uint64_t work = 50'000;
    std::uint64_t there = 7, here = 0;
    begin_put(j, place.on(1), &there, word);
    begin_get(j, place.on(2), &here, word);
    simulate_work(j, std::chrono::nanoseconds(work));
    j.map().complete();
    EXPECT_EQ(clock_ns(j) - begin, 2 * o + work + 2 * o);
  });
}

TEST(simulated_nonblocking, work_hides_a_part_of_it) {
  run_one(2, 100 * word, [](job& j, auto place, std::uint64_t begin) {
    std::uint64_t here = 0;
    begin_get(j, place.on(1), &here, word);
    simulate_work(j, std::chrono::nanoseconds(L));
    j.map().complete();
    EXPECT_EQ(clock_ns(j) - begin, o + round_trip(0, word) + o);
  });
}

TEST(simulated_nonblocking, long_puts_queue_at_the_port) {
  run_one(2, 10'000, [](job& j, auto place, std::uint64_t begin) {
    constexpr std::uint64_t count = 5, bytes = 1000;
    const std::vector<std::byte> source(bytes);
    for (std::uint64_t i = 0; i < count; ++i) begin_put(j, place.on(1), source.data(), bytes);
    EXPECT_EQ(clock_ns(j) - begin, count * o) << "the port works while the PE goes on";
    j.map().complete();
    const auto last_leaves = o + (count - 1) * (length(bytes) + g);
    EXPECT_EQ(clock_ns(j) - begin, last_leaves + round_trip(bytes, 0) + o);
  });
}

TEST(simulated_nonblocking, a_put_whose_source_is_free_has_left) {
  run_one(2, 10'000, [](job& j, auto place, std::uint64_t begin) {
    constexpr std::uint64_t count = 5, bytes = 1000;
    std::vector<std::byte> source(bytes);
    for (std::uint64_t i = 0; i < count; ++i) {
      std::ranges::fill(source, static_cast<std::byte>(i));
      begin_put(j, place.on(1) + i * bytes, source.data(), bytes, until::copied);
    }
    EXPECT_EQ(clock_ns(j) - begin, count * (o + length(bytes)));
    std::ranges::fill(source, std::byte{99});
    j.map().complete();
    for (std::uint64_t i = 0; i < count; ++i)
      EXPECT_EQ(get(j, *(place.on(1) + i * bytes)), static_cast<std::byte>(i));
  });
}

TEST(simulated_nonblocking, long_gets_queue_at_the_port_of_their_owner) {
  run_one(2, 10'000, [](job& j, auto place, std::uint64_t begin) {
    constexpr std::uint64_t count = 5, bytes = 1000;
    std::vector<std::byte> here(bytes);
    for (std::uint64_t i = 0; i < count; ++i) begin_get(j, place.on(1), here.data(), bytes);
    j.map().complete();
    const auto first_leaves = o + L + length(0);
    EXPECT_EQ(clock_ns(j) - begin, first_leaves + (count - 1) * (length(bytes) + g) + L + length(bytes) + o);
  });
}

TEST(simulated_nonblocking, updates_with_a_result_go_on_too) {
  run_sim(simple, 2, [](job& j) {
    const auto cells = j.allocate<std::uint64_t>(4);
    const auto begin = meet(j);
    if (j.pe() == 0) {
      context ctx(j, nonblocking);
      std::array<std::uint64_t, 4> before{9, 9, 9, 9};
      for (std::size_t i = 0; i < before.size(); ++i) ctx.fetch_add(cells.on(1)[0], 1, &before[i]);
      EXPECT_EQ(clock_ns(j) - begin, before.size() * o);
      ctx.complete_own();
      EXPECT_EQ(clock_ns(j) - begin, before.size() * o + round_trip(word, word) + o);
      EXPECT_EQ(before, (std::array<std::uint64_t, 4>{0, 1, 2, 3})) << "in their order";
    }
    j.barrier();
  });
}

TEST(simulated_nonblocking, inside_a_host_memory_is_near) {
  run_sim(fmt::format("{},pes_per_host=2", simple), 2, [](job& j) {
    const auto place = j.allocate<std::byte>(word);
    const auto begin = meet(j);
    if (j.pe() == 0) {
      std::uint64_t value = 1;
      begin_put(j, place.on(1), &value, word);
      EXPECT_EQ(clock_ns(j) - begin, direct);
      j.map().complete();
      EXPECT_EQ(clock_ns(j) - begin, direct) << "nothing was under way";
    }
    j.barrier();
  });
}

// ---- when others see it

// The sender works on, and calls nothing, when its put arrives.
TEST(simulated_nonblocking, a_value_is_seen_when_it_has_arrived) {
  run_sim(simple, 2, [](job& j) {
    const auto flag = j.allocate<std::uint64_t>(1);
    const auto begin = meet(j);
    if (j.pe() == 0) {
      context ctx(j, nonblocking);
      ctx.put(*flag.on(1), 1);
      simulate_work(j, std::chrono::milliseconds(1));
      ctx.complete_own();
    } else {
      j.core().wait({pgas::for_value}, [&] { return *j.local(flag) == 1; });
      EXPECT_EQ(clock_ns(j) - begin, o + length(word) + L);
    }
    j.barrier();
  });
}

// The sender waits for something else, and is woken by it.
TEST(simulated_nonblocking, a_value_arrives_while_its_sender_sleeps) {
  run_sim(simple, 2, [](job& j) {
    const auto flag = j.allocate<std::uint64_t>(1);
    const auto begin = meet(j);
    context ctx(j, nonblocking);
    const auto wait_for_flag = [&] {
      j.core().wait({pgas::for_value}, [&] { return *j.local(flag) == 1; });
      return clock_ns(j) - begin;
    };
    constexpr auto there = o + length(word) + L, slack = std::uint64_t{5}; // looks into the inbox
    if (j.pe() == 0) ctx.put(*flag.on(1), 1);
    const auto seen = wait_for_flag();
    if (j.pe() == 1) {
      EXPECT_EQ(seen, there);
      ctx.put(*flag.on(0), 1);
    } else {
      EXPECT_GE(seen, 2 * there);
      EXPECT_LE(seen, 2 * there + slack);
    }
    ctx.complete_own();
    j.barrier();
  });
}

// A long put and then a flag: who sees the flag sees all of the data.
TEST(simulated_nonblocking, nothing_is_overtaken_by_what_goes_to_the_same_pe) {
  run_sim(simple, 3, [](job& j) {
    constexpr std::uint64_t bytes = 5000;
    const auto data = j.allocate<std::byte>(bytes);
    const auto flag = j.allocate<std::uint64_t>(1);
    const auto begin = meet(j);
    const std::vector<std::byte> source(bytes, std::byte{1});
    const auto all_there = [&] {
      return std::all_of(j.local(data), j.local(data) + bytes, [](std::byte b) { return b == std::byte{1}; });
    };
    if (j.pe() == 0) {
      begin_put(j, data.on(1), source.data(), bytes);
      context ctx(j, nonblocking);
      ctx.inc(*flag.on(1));
      ctx.complete_own();
      begin_put(j, data.on(2), source.data(), bytes);
      EXPECT_EQ(get(j, data.on(2)[bytes - 1]), std::byte{1}) << "a blocking get sees the put before it";
    } else if (j.pe() == 1) {
      j.core().wait({pgas::for_value}, [&] { return *j.local(flag) == 1; });
      EXPECT_TRUE(all_there());
      EXPECT_EQ(clock_ns(j) - begin, o + length(bytes) + g + L + length(word));
    }
    j.map().complete();
    j.barrier();
  });
}

// Data for one PE, quiet, and a flag for another one, which looks at the data.
TEST(simulated_nonblocking, what_is_complete_is_there_for_all) {
  run_sim(simple, 3, [](job& j) {
    constexpr std::uint64_t bytes = 3000;
    const auto data = j.allocate<std::byte>(bytes);
    const auto flag = j.allocate<std::uint64_t>(1);
    meet(j);
    const std::vector<std::byte> source(bytes, std::byte{1});
    if (j.pe() == 0) {
      begin_put(j, data.on(1), source.data(), bytes);
      j.map().complete();
      put(j, *flag.on(2), 1);
    } else if (j.pe() == 2) {
      j.core().wait({pgas::for_value}, [&] { return *j.local(flag) == 1; });
      EXPECT_EQ(get(j, data.on(1)[bytes - 1]), std::byte{1});
    }
    j.barrier();
  });
}

// ---- a small model of one PE's clock

/// What PE 0 sends to idle PEs, one operation after the other.
class clock_model {
 public:
  explicit clock_model(std::size_t pes) : in_(pes), out_(pes) {}

  std::uint64_t now() const { return now_; }
  void work(std::uint64_t ns) { now_ += ns; }
  void begin(std::size_t owner, std::uint64_t there, std::uint64_t back, bool copied) {
    const auto leaves = send(owner, there, back);
    if (copied) now_ = leaves + length(there);
  }
  void operate(std::size_t owner, std::uint64_t there, std::uint64_t back) {
    send(owner, there, back);
    const auto mine = under_way_.back();
    under_way_.pop_back();
    land([&](const answer& a) { return a.arrival <= mine.arrival; });
    now_ = pass(in_[0], mine.arrival, mine.bytes) + o;
  }
  void complete() {
    land([](const answer&) { return true; });
    for (const auto landed : landed_) now_ = std::max(now_, landed) + o;
    landed_.clear();
  }

 private:
  struct answer {
    std::uint64_t arrival, effect, number, bytes;
    auto key() const { return std::tuple(arrival, effect, number); }
  };

  /// When its first byte leaves.
  std::uint64_t send(std::size_t owner, std::uint64_t there, std::uint64_t back) {
    now_ += o;
    const auto leaves = pass(out_[0], now_, there) - length(there);
    const auto effect = pass(in_[owner], leaves + L, there);
    const auto arrival = pass(out_[owner], effect, back) - length(back) + L;
    under_way_.push_back({arrival, effect, sent_++, back});
    return leaves;
  }
  static std::uint64_t pass(std::uint64_t& free, std::uint64_t from, std::uint64_t payload) {
    const auto through = std::max(free, from) + length(payload);
    free = through + g;
    return through;
  }
  template <class Which>
  void land(Which which) {
    std::ranges::sort(under_way_, {}, &answer::key);
    std::vector<answer> rest;
    for (const auto& a : under_way_)
      if (which(a))
        landed_.push_back(pass(in_[0], a.arrival, a.bytes));
      else
        rest.push_back(a);
    under_way_ = rest;
  }

  std::uint64_t now_ = 0, sent_ = 0;
  std::vector<std::uint64_t> in_, out_; ///< of each PE's ports: when they are free
  std::vector<answer> under_way_;
  std::vector<std::uint64_t> landed_;
};

TEST(simulated_nonblocking, random_streams_take_what_a_model_says) {
  constexpr pe_t pes = 5;
  constexpr std::size_t most = 3000;
  for (std::uint64_t seed = 1; seed <= 20; ++seed)
    run_one(pes, most, [&](job& j, auto place, std::uint64_t begin) {
      SCOPED_TRACE("seed " + std::to_string(seed));
      std::mt19937_64 random(seed);
      clock_model model(pes);
      std::vector<std::byte> source(most), sink(most);
      for (int step = 0; step < 300; ++step) {
        const auto owner = 1 + random() % (pes - 1);
        const auto at = place.on(static_cast<pe_t>(owner));
        const auto bytes = 1 + random() % (random() % 2 == 0 ? 16 : most);
        switch (random() % 8) {
          case 0:
          case 1:
            begin_put(j, at, source.data(), bytes);
            model.begin(owner, bytes, 0, false);
            break;
          case 2:
            begin_put(j, at, source.data(), bytes, until::copied);
            model.begin(owner, bytes, 0, true);
            break;
          case 3:
          case 4:
            begin_get(j, at, sink.data(), bytes);
            model.begin(owner, 0, bytes, false);
            break;
          case 5:
            get(j, at, std::span(sink).first(bytes));
            model.operate(owner, 0, bytes);
            break;
          case 6: {
            const auto work = random() % 5000;
            simulate_work(j, std::chrono::nanoseconds(work));
            model.work(work);
            break;
          }
          case 7:
            if (random() % 4 != 0) break;
            j.map().complete();
            model.complete();
        }
        ASSERT_EQ(clock_ns(j) - begin, model.now()) << "step " << step;
      }
      j.map().complete();
      model.complete();
      EXPECT_EQ(clock_ns(j) - begin, model.now());
    });
}

// ---- many PEs at once

/// All PEs update cells of each other, and read what they have put themselves. Returns their clocks.
std::vector<std::uint64_t> run_random(const std::string& network, pe_t pes, std::uint64_t seed) {
  constexpr std::size_t cells = 8, own = 16;
  std::vector<std::uint64_t> clocks(static_cast<std::size_t>(pes));
  run_sim(network, pes, [&](job& j) {
    std::mt19937_64 random(seed * 1000 + static_cast<std::uint64_t>(j.pe()));
    const auto counts = j.allocate<std::uint64_t>(cells);
    const auto slots = j.allocate<std::uint64_t>(own * static_cast<std::size_t>(pes)); // a part for each PE
    const auto mine = static_cast<std::size_t>(j.pe()) * own;
    std::vector<std::uint64_t> expected(own * static_cast<std::size_t>(pes)), added(cells);
    context ctx(j, nonblocking);
    std::array<std::uint64_t, 64> before{};
    std::uint64_t sum = 0;
    for (std::uint64_t step = 1; step <= 200; ++step) {
      const auto to = static_cast<pe_t>(random() % static_cast<std::uint64_t>(pes));
      const auto k = random() % own;
      auto& slot = expected[static_cast<std::size_t>(to) * own + k];
      switch (random() % 6) {
        case 0:
        case 1:
          slot = step;
          ctx.put(slots.on(to)[mine + k], slot);
          break;
        case 2:
          ctx.fetch_add(counts.on(to)[k % cells], 1, &before[step % before.size()]);
          ++sum;
          break;
        case 3:
          ctx.inc(counts.on(to)[k % cells]);
          ++sum;
          break;
        case 4:
          EXPECT_EQ(get(j, slots.on(to)[mine + k]), slot) << "step " << step;
          break;
        case 5:
          simulate_work(j, std::chrono::nanoseconds(random() % 3000));
          if (k == 0) ctx.complete_own();
      }
    }
    ctx.barrier();
    for (std::size_t i = 0; i < expected.size(); ++i)
      EXPECT_EQ(get(j, slots.on(static_cast<pe_t>(i / own))[mine + i % own]), expected[i]);
    std::uint64_t here = 0;
    for (std::size_t i = 0; i < cells; ++i) here += j.local(counts)[i];
    EXPECT_EQ(j.world().sum(here), j.world().sum(sum));
    clocks[static_cast<std::size_t>(j.pe())] = clock_ns(j);
  });
  return clocks;
}

TEST(simulated_nonblocking, random_programs_are_right_and_the_same_in_every_run) {
  for (const auto* network : {"hdr", "hdr,pes_per_host=3", "cloud"})
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      SCOPED_TRACE(std::string(network) + ", seed " + std::to_string(seed));
      EXPECT_EQ(run_random(network, 7, seed), run_random(network, 7, seed));
    }
}

// What nobody has waited for arrives all the same, before its PE has left.
TEST(simulated_nonblocking, the_end_of_a_job_completes) {
  run_sim(simple, 2, [](job& j) {
    const auto flag = j.allocate<std::uint64_t>(1);
    meet(j);
    static const std::uint64_t one = 1;
    if (j.pe() == 0)
      j.map().put_slowly(1, flag.offset(), &one, sizeof one, until::begun, {"put"});
    else
      j.core().wait({pgas::for_value}, [&] { return *j.local(flag) == 1; });
  });
}

} // namespace
} // namespace windrow::test
