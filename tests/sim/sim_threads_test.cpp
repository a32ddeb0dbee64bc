// SPDX-License-Identifier: BSD-3-Clause
// PEs in a simulated network: what things cost there to the nanosecond, what is counted, and that every run
// is the same. Expected times are reckoned by hand from the parameters, as LogGP says.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fstream>
#include <functional>
#include <mutex>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "aggregation/engine.hpp"
#include "pgas/core.hpp"
#include "tests/aggregation/random_operations.hpp"
#include "tests/sim/simple_network.hpp"
#include "windrow/mobile.hpp"
#include "windrow/windrow.hpp"

namespace windrow::test {
namespace {

transport::transport& link_of(job& j) {
  return j.core().link();
}

void send_block(job& j, pe_t to, std::uint32_t payload) {
  auto* const b = link_of(j).acquire();
  b->used = payload;
  b->brings_answers = 0;
  link_of(j).commit(b, to);
}

/// Waits for the next block, as the library does.
transport::block* next_block(job& j) {
  auto& link = link_of(j);
  for (;;) {
    link.sleep(link.prepare_sleep(), {});
    if (auto* b = link.receive()) return b;
  }
}

TEST(simulated_time, a_blocking_operation_is_a_round_trip) {
  run_sim(simple, 3, [](job& j) {
    const auto cells = j.allocate<std::uint64_t>(4);
    const auto begin = meet(j);
    if (j.pe() == 0) {
      put(j, *cells.on(1), 7);
      EXPECT_EQ(clock_ns(j) - begin, o + length(8) + L + length(0) + L + o);
      const auto second = clock_ns(j);
      EXPECT_EQ(get(j, *cells.on(1)), 7U);
      EXPECT_EQ(clock_ns(j) - second, o + length(0) + L + length(8) + L + o);
      const auto third = clock_ns(j);
      add(j, *cells, 1);
      EXPECT_EQ(clock_ns(j) - third, direct) << "on its own memory";
    }
    j.barrier();
  });
}

TEST(simulated_time, inside_a_host_memory_is_near) {
  run_sim(std::string(simple) + ",pes_per_host=2", 4, [](job& j) {
    const auto cells = j.allocate<std::uint64_t>(1);
    const auto begin = meet(j);
    if (j.pe() == 0) {
      add(j, *cells.on(1), 1);
      EXPECT_EQ(clock_ns(j) - begin, direct);
      add(j, *cells.on(2), 1);
      EXPECT_GT(clock_ns(j) - begin, direct + 2 * L);
    }
    j.barrier();
  });
}

TEST(simulated_time, a_block_travels_out_and_home) {
  run_sim(simple, 2, [](job& j) {
    const auto begin = meet(j);
    if (j.pe() == 0) {
      send_block(j, 1, 100);
      EXPECT_EQ(clock_ns(j) - begin, o) << "the network works while the sender goes on";
      auto* const home = next_block(j);
      EXPECT_EQ(clock_ns(j) - begin, o + length(100) + L + o + o + length(0) + L + o);
      link_of(j).discard(home);
    } else {
      auto* const b = next_block(j);
      EXPECT_EQ(clock_ns(j) - begin, o + length(100) + L + o);
      link_of(j).send_home(b);
    }
    j.barrier();
  });
}

TEST(simulated_time, computation_overlaps_with_a_block_in_flight) {
  run_sim(simple, 2, [](job& j) {
    constexpr std::uint64_t work = 100'000;
    const auto begin = meet(j);
    if (j.pe() == 0) {
      send_block(j, 1, 1000);
      simulate_work(j, std::chrono::nanoseconds(work));
      const auto idle = j.stats().idle_ns;
      link_of(j).discard(next_block(j));
      EXPECT_EQ(clock_ns(j) - begin, o + work + o) << "the block was home before the work was done";
      EXPECT_EQ(j.stats().idle_ns, idle);
    } else {
      link_of(j).send_home(next_block(j));
    }
    j.barrier();
  });
}

TEST(simulated_time, blocks_for_one_pe_queue_at_its_port) {
  run_sim(simple, 5, [](job& j) {
    const auto begin = meet(j);
    if (j.pe() != 0) {
      send_block(j, 0, 500);
      link_of(j).discard(next_block(j));
    } else {
      for (std::uint64_t k = 0; k < 4; ++k) {
        auto* const b = next_block(j);
        EXPECT_EQ(clock_ns(j) - begin, o + L + length(500) + k * (length(500) + g) + o);
        EXPECT_EQ(b->source, static_cast<pe_t>(k + 1)) << "at the same moment, the lowest number first";
        link_of(j).send_home(b);
      }
    }
    j.barrier();
  });
}

TEST(simulated_time, pes_of_a_host_share_its_port) {
  run_sim(std::string(simple) + ",pes_per_host=2", 4, [](job& j) {
    const auto begin = meet(j);
    if (j.pe() < 2) {
      send_block(j, j.pe() + 2, 300);
      link_of(j).discard(next_block(j));
    } else {
      auto* const b = next_block(j);
      const auto queued = j.pe() == 2 ? 0 : length(300) + g; // at the port of the other host
      EXPECT_EQ(clock_ns(j) - begin, o + L + length(300) + queued + o);
      link_of(j).send_home(b);
    }
    j.barrier();
  });
}

TEST(simulated_time, a_barrier_takes_a_round_of_messages_for_each_doubling) {
  run_sim(simple, 5, [](job& j) {
    const auto begin = meet(j);
    const auto before = j.stats();
    simulate_work(j, std::chrono::nanoseconds(100 * j.pe()));
    j.barrier();
    const std::uint64_t last_of_others = j.pe() == 4 ? 300 : 400;
    EXPECT_EQ(clock_ns(j) - begin, last_of_others + 3 * (L + 2 * o));
    EXPECT_EQ(j.stats().messages - before.messages, 3U);
  });
}

TEST(simulated_time, items_cost_what_the_model_says) {
  run_sim(std::string(simple) + ",item.sent=3ns,item.handled=0.5ns", 1, [](job& j) {
    const auto cells = j.allocate<std::uint64_t>(1);
    context ctx(j, style::aggregated);
    ctx.complete_own();
    const auto begin = clock_ns(j);
    const auto polls = j.stats().polls;
    for (int i = 0; i < 10; ++i) ctx.inc(*cells);
    ctx.complete_own();
    const auto looks = j.stats().polls - polls; // of a nanosecond each, and one more in the wait
    EXPECT_GE(clock_ns(j) - begin, 35 + looks);
    EXPECT_LE(clock_ns(j) - begin, 35 + looks + 2);
    EXPECT_EQ(*j.local(cells), 10U);
  });
}

TEST(simulated_time, a_value_is_seen_when_it_has_arrived) {
  run_sim(simple, 2, [](job& j) {
    const auto flag = j.allocate<std::uint64_t>(1);
    const auto begin = meet(j);
    if (j.pe() == 0) {
      simulate_work(j, std::chrono::nanoseconds(5000));
      put(j, *flag.on(1), 1);
    } else {
      j.core().wait({pgas::for_value}, [&] { return *j.local(flag) == 1; });
      EXPECT_EQ(clock_ns(j) - begin, 5000 + o + length(8) + L);
    }
    j.barrier();
  });
}

// ---- counters

// Who waits for a moment of the clock, and calls nothing else, comes to it.
TEST(simulated_time, goes_on_for_who_asks_again_and_again) {
  run_sim(simple, 2, [](job& j) {
    const auto begin = clock_ns(j);
    for (int i = 0; i < 1000; ++i) EXPECT_EQ(clock_ns(j), begin);
    int asked = 0;
    for (; asked < 1'000'000 && clock_ns(j) - begin < 5000; ++asked) continue;
    EXPECT_LT(asked, 10'000);
    const auto late = clock_ns(j);
    EXPECT_EQ(clock_ns(j), late + 1) << "a look takes 1 ns";
    j.barrier();
    const auto now = clock_ns(j);
    EXPECT_EQ(clock_ns(j), now);
  });
}

TEST(simulated_messages, are_counted_exactly) {
  constexpr pe_t pes = 4;
  run_sim("hdr", pes, [&](job& j) {
    const auto cells = j.allocate<std::uint64_t>(8);
    j.barrier();
    const auto before = j.stats();
    context ctx(j, style::aggregated);
    for (pe_t to = 0; to < pes; ++to)
      for (int i = 0; i < 5; ++i) ctx.inc(cells.on(to)[i]);
    ctx.barrier();
    const auto after = j.stats();
    const auto steps = after.barriers - before.barriers;
    EXPECT_EQ(after.blocks_sent - before.blocks_sent, pes);
    // A block to each other PE, three of theirs sent home, and two rounds for each step of a collective.
    EXPECT_EQ(after.messages - before.messages, 3 + 3 + 2 * steps);
    EXPECT_EQ(after.messages_between_hosts, after.messages);

    for (int i = 0; i < 7; ++i) add(j, cells.on((j.pe() + 1) % pes)[0], 1);
    add(j, cells[0], 1); // its own: no message
    EXPECT_EQ(j.stats().messages - after.messages, 2U * 7);
    EXPECT_EQ(j.stats().message_bytes - after.message_bytes, 7U * 2 * (header + 8));
    EXPECT_EQ(j.stats().round_trips - after.round_trips, 7U);
    j.barrier();
  });
}

TEST(simulated_messages, to_the_own_host_are_told_apart) {
  run_sim("hdr,pes_per_host=2", 4, [](job& j) {
    stream<std::uint64_t> s(j, [](std::span<const std::uint64_t>, pe_t) {});
    const auto before = j.stats();
    for (pe_t to = 0; to < 4; ++to) s.send(to, 1);
    s.barrier();
    const auto steps = j.stats().barriers - before.barriers;
    EXPECT_EQ(j.stats().messages - before.messages, 6 + 2 * steps);
    EXPECT_EQ(j.stats().messages_between_hosts - before.messages_between_hosts, 4 + steps);
  });
}

// ---- the same in every run, and right

struct run_record {
  std::vector<counters> counted;
  std::vector<std::uint64_t> clocks;
};

run_record record_random_run(const std::string& model, pe_t pes, std::uint64_t seed) {
  run_record record{std::vector<counters>(static_cast<std::size_t>(pes)),
                    std::vector<std::uint64_t>(static_cast<std::size_t>(pes))};
  run_sim(model, pes, [&](job& j) {
    run_random_operations(j, seed, 2, 300);
    const auto self = static_cast<std::size_t>(j.pe());
    record.counted[self] = j.stats();
    record.clocks[self] = clock_ns(j);
  });
  return record;
}

TEST(simulation, is_the_same_in_every_run) {
  std::set<std::vector<std::uint64_t>> different;
  for (const std::uint64_t seed : {11, 12}) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto first = record_random_run("slingshot11,pes_per_host=4", 12, seed);
    const auto second = record_random_run("slingshot11,pes_per_host=4", 12, seed);
    EXPECT_EQ(first.clocks, second.clocks);
    for (std::size_t pe = 0; pe < first.counted.size(); ++pe)
      EXPECT_EQ(std::memcmp(&first.counted[pe], &second.counted[pe], sizeof(counters)), 0) << "PE " << pe;
    different.insert(first.clocks);
  }
  EXPECT_EQ(different.size(), 2U);
}

// Two PEs begin to use atomic operations while a function that a third one runs waits for the network: they
// let it go on, and do not only let each other.
TEST(simulation, of_pes_that_announce_atomic_operations_together) {
  constexpr pe_t pes = 4;
  static job* second = nullptr;
  run_sim("hdr", pes, [](job& j) {
    if (j.pe() == 1) second = &j;
    const auto cells = j.array<std::uint64_t>(pes, cyclic);
    context ctx(j, aggregate);
    for (int delay = 0; delay < 6000; delay += 500) {
      ctx.barrier(); // takes all announcements back
      meet(j);
      if (j.pe() == 0) {
        const auto puts = [](const owner&, global_ptr<std::uint64_t> at) {
          for (std::uint64_t i = 0; i < 5; ++i) put(*second, *at, i);
          return true;
        };
        call(1, puts, cells.storage().on(3)).get();
      } else if (j.pe() >= 2) {
        simulate_work(j, std::chrono::nanoseconds(delay));
        (void)get(j, *cells.storage().on(j.pe())); // in its turn
        fetch_add(j, *cells.storage().on(j.pe()), 1);
      }
      j.barrier();
    }
    if (j.pe() == 2) {
      EXPECT_EQ(cells.local()[0], 12U);
    }
  });
}

// Of programs with many waits that are over at once, too: each 256th of a PE looks for messages.
TEST(simulation, takes_as_long_on_one_thread_as_on_several) {
  constexpr pe_t pes = 3;
  using run = void (*)(pe_t, const std::function<void(job&)>&);
  std::vector<std::uint64_t> clocks[2];
  ::setenv("WINDROW_SIM", "hdr", 1);
  for (const auto& [on_threads, those] : {std::pair<run, int>{run_simulated, 0}, {run_threads, 1}})
    on_threads(pes, [&](job& j) {
      team alone;
      for (pe_t pe = 0; pe < pes; ++pe)
        if (auto one = j.world().split_strided(pe, 1, 1)) alone = std::move(one);
      for (int i = 0; i < 1000; ++i) {
        alone.barrier();
        if (i % 100 == 0) j.barrier();
      }
      const auto all = j.world().allgather(clock_ns(j));
      if (j.pe() == 0) clocks[those] = all;
    });
  ::unsetenv("WINDROW_SIM");
  EXPECT_EQ(clocks[0], clocks[1]);
}

// Items have 32-bit places, also where each PE could have more memory.
TEST(simulation, has_items_of_one_size_on_all_machines) {
  run_sim("hdr", 1, [](job& j) { EXPECT_TRUE(j.engine().items().has_narrow_places(0)); });
  ::setenv("WINDROW_SYMMETRIC_SIZE", "5G", 1);
  run_sim("hdr", 1, [](job& j) { EXPECT_FALSE(j.engine().items().has_narrow_places(0)); });
  ::unsetenv("WINDROW_SYMMETRIC_SIZE");
}

TEST(simulation, random_operations_equal_the_oracle) {
  for (const auto& [model, pes] :
       {std::pair{"shared-memory", 1}, {"hdr", 2}, {"cloud", 3}, {"slingshot11,pes_per_host=3", 8}})
    run_sim(model, pes, [](job& j) {
      for (std::uint64_t seed = 1; seed <= 3; ++seed) run_random_operations(j, seed, 2, 300);
    });
}

TEST(simulation, of_64_pes_counts_every_increment) {
  constexpr std::uint64_t cells_each = 4, each = 2000;
  run_sim("hdr,pes_per_host=8", 64, [](job& j) {
    const auto table = j.array<std::uint64_t>(cells_each * 64);
    context ctx(j, style::aggregated);
    std::vector<std::uint64_t> expected(cells_each * 64);
    for (pe_t pe = 0; pe < 64; ++pe) {
      std::uint64_t state = static_cast<std::uint64_t>(pe) + 1;
      for (std::uint64_t i = 0; i < each; ++i) {
        state = state * 6364136223846793005U + 1442695040888963407U;
        const auto place = (state >> 33) % expected.size();
        ++expected[place];
        if (pe == j.pe()) ctx.inc(table[place]);
      }
    }
    ctx.barrier();
    for (std::uint64_t k = 0; k < cells_each; ++k)
      EXPECT_EQ(table.local()[k], expected[table.global_index(j.pe(), k)]);
    j.barrier();
  });
}

TEST(simulation, handlers_may_send) {
  run_sim("hdr", 4, [](job& j) {
    std::uint64_t handled = 0;
    stream<std::uint32_t> s(j, [&](std::span<const std::uint32_t> batch, pe_t) {
      handled += batch.size();
      for (const auto left : batch)
        if (left > 0) s.send((j.pe() + 1) % j.pes(), left - 1);
    });
    s.send(0, 200);
    s.barrier();
    EXPECT_EQ(j.world().sum(handled), 201U * 4);
  });
}

// ---- the end

TEST(simulation_death, of_a_deadlock_is_a_diagnosis) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      run_sim("hdr", 3,
              [](job& j) {
                if (j.pe() == 1)
                  j.core().wait({pgas::for_value}, [] { return false; });
                else
                  j.barrier();
              }),
      testing::ExitedWithCode(1),
      "deadlock: no PE can go on.*\n  PE 0 waits for the others in a barrier.*\n  PE 1 waits for a value");
}

// Models of any times that can be written.
TEST(simulation_death, of_a_clock_that_ends_is_told) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  static constexpr std::chrono::hours almost(106 * 24);
  const auto get_and_meet = [](job& j) {
    simulate_work(j, almost);
    const auto cells = j.allocate<std::uint64_t>(1000);
    context ctx(j, nonblocking), bulk(j, aggregate);
    for (std::uint64_t i = 0; i < 20'000; ++i) {
      if (j.pe() == 0) (void)get(j, *cells.on(1));
      if (j.pe() == 1) ctx.put(*cells.on(0), i);
      bulk.add(cells.on(1 - j.pe())[static_cast<std::int64_t>(i % 1000)], 1);
    }
    bulk.barrier();
    j.barrier();
  };
  const auto of = [](const std::string& model) { return "hdr," + model + "=1000s"; };
  for (const auto* slow :
       {"far.latency", "far.overhead", "far.gap", "far.per_byte", "item.sent", "item.handled"})
    EXPECT_EXIT(run_sim(of(slow), 2, get_and_meet), testing::ExitedWithCode(1),
                "the simulated clock ends after 106 days")
        << slow;
  for (const auto* slow : {"near.latency", "near.overhead", "near.per_byte"})
    EXPECT_EXIT(run_sim("shared-memory," + std::string(slow) + "=1000s", 2,
                        [&](job& j) {
                          simulate_work(j, almost);
                          for (int i = 0; i < 10'000; ++i) j.barrier();
                          context ctx(j, aggregate);
                          const auto cells = j.allocate<std::uint64_t>(100'000);
                          for (int i = 0; i < 2'000'000; ++i) ctx.add(cells.on(1 - j.pe())[i % 100'000], 1);
                          ctx.barrier();
                        }),
                testing::ExitedWithCode(1), "the simulated clock ends after 106 days")
        << slow;
}

TEST(simulation_death, of_a_pe_that_left_is_told) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(run_sim("hdr", 2,
                      [](job& j) {
                        if (j.pe() == 1) link_of(j).set_state(transport::pe_state::finalized);
                        j.barrier();
                      }),
              testing::ExitedWithCode(1), "but PE 1 has finalized the job already");
}

TEST(simulation_death, of_an_exception_ends_the_program) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto body = [](job& j) {
    j.barrier();
    if (j.pe() == 1) throw error("the input is not there");
    j.barrier();
  };
  EXPECT_EXIT(run_sim("hdr", 3, body), testing::ExitedWithCode(1), "PE 1: the input is not there");
  EXPECT_DEATH(run_sim("hdr", 3, [](job&) { throw std::runtime_error("of another type"); }),
               "of another type");
}

TEST(simulation_death, of_a_wrong_start_is_one_sentence) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto start = [](const char* model, pe_t pes) noexcept { // nobody catches what is thrown
    ::setenv("WINDROW_SIM", model, 1);
    run_simulated(pes, [](job&) {});
  };
  EXPECT_EXIT(start("hay", 2), testing::ExitedWithCode(1), "^windrow: WINDROW_SIM: there is no model 'hay'");
  EXPECT_EXIT(start("hdr", 4097), testing::ExitedWithCode(1), "^windrow: run_simulated: 4097 PEs are not");
}

// The leak checker knows the stack that the program ends on, not what the others hold.
TEST(simulation_death, of_a_pe_that_exits_ends_the_program) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  ::setenv("ASAN_OPTIONS", "detect_leaks=0", 1); // of the process in which it exits
  EXPECT_EXIT(run_sim("hdr", 3,
                      [](job& j) {
                        if (j.pe() == 2) std::exit(7);
                        j.barrier();
                      }),
              testing::ExitedWithCode(7), "");
  ::unsetenv("ASAN_OPTIONS");
}

// An exception may be under way in each of them while another one runs.
TEST(simulation, of_pes_that_handle_exceptions) {
  constexpr pe_t pes = 8;
  int right = 0;
  run_sim("hdr", pes, [&](job& j) {
    for (int round = 0; round < 5; ++round) try {
        throw j.pe() + round;
      } catch (const int thrown) {
        j.barrier(); // the others throw theirs
        try {
          std::rethrow_exception(std::current_exception());
        } catch (const int again) {
          if (thrown == again && again == j.pe() + round) ++right;
        }
      }
    EXPECT_EQ(std::uncaught_exceptions(), 0);
  });
  EXPECT_EQ(right, 5 * pes);
}

// The others go on without them.
TEST(simulation, of_pes_that_end_one_after_the_other) {
  constexpr pe_t pes = 20;
  std::vector<pe_t> ended;
  run_sim("hdr,pes_per_host=4", pes, [&](job& j) {
    for (team rest = j.world(); rest.pes() > 1;) {
      rest = rest.split_strided(1, 1, rest.pes() - 1);
      if (!rest) break;
      rest.barrier();
    }
    ended.push_back(j.pe());
  });
  std::vector<pe_t> in_turn(pes);
  std::iota(in_turn.begin(), in_turn.end(), 0);
  EXPECT_EQ(ended, in_turn);
}

// On stacks of their own, above that of their PE, from which the turn passes to other PEs.
TEST(simulation, of_light_threads_that_wait) {
  constexpr pe_t pes = 6;
  constexpr int threads = 10;
  run_sim("hdr,pes_per_host=2", pes, [](job& j) {
    context ctx(j, aggregate);
    auto counts = j.array<std::uint64_t>(pes);
    mutex m;
    latch all_there(threads);
    std::uint64_t sum = 0;
    finish([&] {
      for (int t = 0; t < threads; ++t)
        spawn([&, t] {
          all_there.arrive_and_wait();
          const auto before = ctx.fetch_add(counts[static_cast<std::uint64_t>((j.pe() + t) % pes)], 1).get();
          const std::lock_guard held(m);
          sum += before;
        });
      spawn_at(communication_worker, [&] { j.barrier(); });
    });
    ctx.barrier();
    EXPECT_EQ(counts.local()[0], static_cast<std::uint64_t>(threads));
    constexpr std::uint64_t each = threads * (threads - 1) / 2;
    EXPECT_EQ(j.world().sum(sum), each * pes);
  });
}

// They look when something may have happened, not by the clock of the machine.
TEST(simulation, of_light_threads_that_look) {
  constexpr pe_t pes = 3;
  std::vector<std::uint64_t> ends;
  for (int run = 0; run < 2; ++run)
    run_sim("hdr", pes, [&](job& j) {
      const auto cell = j.allocate<std::uint64_t>(1);
      auto& mine = *j.local(cell);
      for (std::uint64_t round = 1; round <= 50; ++round) {
        if (j.pe() == 0)
          for (pe_t pe = 1; pe < pes; ++pe) {
            simulate_work(j, std::chrono::microseconds(3));
            put(j, *cell.on(pe), round);
          }
        else
          finish([&] { spawn([&] { wait_until([&] { return std::atomic_ref(mine).load() == round; }); }); });
        j.barrier();
      }
      if (j.pe() == 0) ends.push_back(clock_ns(j));
    });
  EXPECT_EQ(ends[0], ends[1]);
}

struct patch {
  std::uint64_t microseconds = 0;
  void refine() { simulate_work(mobile::this_core().of(), std::chrono::microseconds(microseconds)); }
};

// Four objects of 100 us on one PE, four of 10 us on the other.
TEST(simulation, of_objects_balances_by_simulated_work) {
  for (const auto where : {handlers::on_own_thread, handlers::on_all_workers}) {
    std::uint64_t ended[2];
    for (auto& end : ended)
      run_sim(simple, 2, [&](job& j) {
        object_space space(j, where);
        collection<patch> all(space, 8, [](std::uint64_t i) { return patch{i < 4 ? 100U : 10U}; });
        space.run([&] {
          if (j.pe() == 0) all.broadcast<&patch::refine>();
        });
        const auto report = space.balance(balance::greedy{});
        EXPECT_NEAR(report.before, 400.0 / 220, 1e-9);
        EXPECT_NEAR(report.after, 1, 1e-9);
        if (j.pe() == 0) end = clock_ns(j);
        j.barrier();
      });
    EXPECT_EQ(ended[0], ended[1]);
  }
}

// None costs more than what it touches.
TEST(simulation, of_neighbours_among_hundreds_of_pes) {
  constexpr pe_t pes = 512;
  run_sim("hdr,pes_per_host=64", pes, [](job& j) {
    const auto cells = j.array<std::uint64_t>(pes);
    for (std::uint64_t round = 1; round <= 3; ++round) {
      put(j, cells[static_cast<std::uint64_t>((j.pe() + 1) % pes)], round);
      j.barrier();
      EXPECT_EQ(cells.local()[0], round);
      j.barrier();
    }
  });
}

// The slot of a team is used again by the next one, whose arrivals are counted from 0.
TEST(simulation, of_teams_that_follow_each_other) {
  constexpr pe_t pes = 6;
  int arrived = 0; // PEs take turns on one thread
  run_sim("hdr,pes_per_host=2", pes, [&](job& j) {
    for (int round = 1; round <= 150; ++round) {
      const team all = j.world().split_strided(round % 2 == 0 ? 0 : pes - 1, round % 2 == 0 ? 1 : -1, pes);
      for (int step = 0; step < 3; ++step) {
        simulate_work(j, std::chrono::nanoseconds((j.pe() * 7919 + round) % 5000));
        ++arrived;
        all.barrier();
        EXPECT_EQ(arrived % pes, 0) << "round " << round << ", step " << step;
        all.barrier();
      }
    }
  });
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define WINDROW_UNDER_SANITIZER
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define WINDROW_UNDER_SANITIZER
#endif
#endif

#ifndef WINDROW_UNDER_SANITIZER // they need memory of their own
std::int64_t resident_bytes() {
  std::ifstream status("/proc/self/status");
  std::int64_t kib = 0;
  for (std::string word; status >> word;)
    if (word == "VmRSS:" && status >> kib) break;
  return kib * 1024;
}

/// Of so many PEs, each of which has put to the next one.
std::int64_t bytes_per_pe(pe_t pes) {
  const auto before = resident_bytes();
  std::int64_t during = 0;
  run_sim("hdr,pes_per_host=64", pes, [&](job& j) {
    const auto cells = j.array<std::uint64_t>(static_cast<std::uint64_t>(pes));
    put(j, cells[static_cast<std::uint64_t>((j.pe() + 1) % pes)], std::uint64_t{7});
    j.barrier();
    EXPECT_EQ(cells.local()[0], 7U);
    if (j.pe() == 0) during = resident_bytes();
    j.barrier();
  });
  return (during - before) / pes;
}

// What a PE has for each other one is there when it is used.
TEST(simulation, of_thousands_of_neighbours_takes_memory_for_what_they_use) {
  for (const pe_t pes : {256, 2048}) {
    const auto bytes = bytes_per_pe(pes);
    EXPECT_LT(bytes, 128 * 1024) << pes << " PEs";
    RecordProperty("bytes_per_pe_of_" + std::to_string(pes), std::to_string(bytes));
  }
}
#endif

TEST(simulation, is_refused_where_it_cannot_be) {
  EXPECT_THROW(run_simulated(2, [](job&) {}), error) << "without a model";
  EXPECT_THROW(run_sim("hdr", 0, [](job&) {}), error);
  EXPECT_THROW(run_sim("hdr", 4097, [](job&) {}), error);
  run_sim("hdr", 2, [](job&) { EXPECT_THROW(run_simulated(2, [](job&) {}), error); });
}

TEST(simulation, of_a_wrong_model_is_refused) {
  EXPECT_THROW(run_sim("hdr,far.latency=fast", 2, [](job&) {}), error);
  EXPECT_THROW(run_sim("no such file", 2, [](job&) {}), error);
  ::unsetenv("WINDROW_SIM");
}

} // namespace
} // namespace windrow::test
