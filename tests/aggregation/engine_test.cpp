// SPDX-License-Identifier: BSD-3-Clause
// The promises of src/aggregation/README.md, one by one.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <random>
#include <span>
#include <vector>

#include "tests/support/pe_test.hpp"
#include "transport/remote_memory.hpp"
#include "windrow/simulation.hpp"
#include "windrow/windrow.hpp"

namespace windrow::test {
namespace {

pe_t next_pe(const job& j) {
  return (j.pe() + 1) % j.pes();
}

TEST(context, histogram_counts_every_add) {
  auto& j = the_job();
  constexpr std::uint64_t per_pe = 100'000, bins = 1000;
  auto table = j.array<std::uint64_t>(bins);
  context ctx(j, aggregate);
  std::mt19937_64 random(static_cast<std::uint64_t>(j.pe()));
  for (std::uint64_t i = 0; i < per_pe; ++i) ctx.add(table[random() % bins], 1);
  ctx.barrier();
  std::uint64_t sum = 0;
  for (const auto count : table.local()) sum += count;
  EXPECT_EQ(j.world().sum(sum), per_pe * static_cast<std::uint64_t>(j.pes()));
  j.free(table);
}

TEST(context, quiet_is_for_everybody) {
  auto& j = the_job();
  auto table = j.array<std::uint32_t>(static_cast<std::uint64_t>(j.pes()));
  context ctx(j, aggregate);
  for (int round = 1; round <= 50; ++round) {
    for (pe_t pe = 0; pe < j.pes(); ++pe) ctx.add(table[static_cast<std::uint64_t>(pe)], 1);
    ctx.barrier();
    ASSERT_EQ(table.local()[0], static_cast<std::uint32_t>(round * j.pes()));
    j.barrier();
  }
  j.free(table);
}

TEST(context, complete_own_completes_this_pe_without_the_others_calling_it) {
  auto& j = the_job();
  auto table = j.array<std::uint64_t>(static_cast<std::uint64_t>(j.pes()));
  context ctx(j, aggregate);
  std::uint64_t before = 99;
  if (j.pe() == 0) {
    const auto last = static_cast<std::uint64_t>(j.pes() - 1);
    ctx.put(table[last], 41);
    ctx.fence();
    ctx.fetch_add(table[last], 1, &before);
    ctx.complete_own();
    EXPECT_EQ(before, 41U);
    EXPECT_EQ(windrow::get(j, table[last]), 42U);
  }
  j.barrier();
  j.free(table);
}

TEST(context, wide_heap_places_reach_the_last_byte) {
  auto& j = the_job();
  auto bytes = j.allocate<std::uint8_t>(1000);
  context ctx(j, aggregate);
  ctx.put(bytes.on(next_pe(j))[999], 7);
  ctx.barrier();
  EXPECT_EQ(j.local(bytes)[999], 7);
  j.free(bytes);
}

TEST(context, spans_of_a_team_complete_among_its_members) {
  auto& j = the_job();
  const pe_t members = (j.pes() + 1) / 2;
  const auto even = j.world().split_strided(0, 2, members);
  auto table = j.array<std::uint64_t>(static_cast<std::uint64_t>(j.pes()));
  if (even) {
    context ctx(j, even, aggregate);
    for (pe_t k = 0; k < members; ++k) ctx.inc(table[static_cast<std::uint64_t>(2 * k)]);
    ctx.barrier();
    EXPECT_EQ(table.local()[0], static_cast<std::uint64_t>(members));
  }
  j.barrier();
  j.free(table);
}

TEST(context, nonblocking_operations_are_waited_for_together) {
  auto& j = the_job();
  constexpr std::size_t count = 500; // more than can be under way at a time
  const pe_t there = next_pe(j);
  const auto put_to = j.allocate<std::uint32_t>(count), added_to = j.allocate<std::uint32_t>(count),
             range = j.allocate<std::uint32_t>(count);
  std::vector<std::uint32_t> before(count, 99), smallest(count, 99), sent(count), got(count, 99);
  for (std::uint32_t i = 0; i < count; ++i) j.local(added_to)[i] = sent[i] = 3 * i;
  j.barrier();
  context ctx(j, nonblocking);
  const auto begin = j.stats();
  for (std::uint32_t i = 0; i < count; ++i) {
    ctx.put(put_to.on(there)[i], i);
    ctx.fetch_add(added_to.on(there)[i], 1, &before[i]);
    ctx.fetch_min(added_to.on(there)[i], i, &smallest[i]);
    ctx.inc(added_to.on(there)[i]);
  }
  ctx.put(range.on(there), std::span<const std::uint32_t>(sent));
  ctx.get(range.on(there), std::span(got));
  ctx.complete_own();
  const auto end = j.stats();
  constexpr auto operations = 4 * count + 2;
  EXPECT_EQ(end.direct_operations - begin.direct_operations, operations);
  const auto& map = j.map();
  // At an imitated distance only those are waited for together that nobody else may be waiting for.
  constexpr auto one_by_one = 2 * count + 1;
  const auto trips = map.is_addressable(there)           ? 0
                     : map.remote->begins_puts(there)    ? 1
                     : is_simulated(j) /* on its host */ ? operations
                                                         : one_by_one + 1;
  EXPECT_EQ(end.round_trips - begin.round_trips, trips);
  EXPECT_EQ(before, sent);
  EXPECT_EQ(got, sent);
  for (std::uint32_t i = 0; i < count; ++i) ASSERT_EQ(smallest[i], 3 * i + 1);
  j.barrier();
  for (std::uint32_t i = 0; i < count; ++i) {
    ASSERT_EQ(j.local(put_to)[i], i);
    ASSERT_EQ(j.local(added_to)[i], i + 1);
  }
  j.barrier();
  for (const auto& room : {put_to, added_to, range}) j.free(room);
}

// PE 0 has nothing to complete, and completes it until the others have been answered.
TEST(progress, a_pe_that_only_completes_serves_the_others) {
  auto& j = the_job();
  static int asked = 0; // on PE 0
  context ctx(j, aggregate);
  for (const auto each : {&context::complete_own, &context::fence}) {
    asked = 0;
    j.barrier();
    if (j.pe() == 0)
      while (asked < j.pes() - 1) (ctx.*each)();
    else
      call(0, [](const owner&) { return ++asked; }).get();
    j.barrier();
  }
}

// One PE sends to itself nearly always and never fails to push; another waits for answers from it. The inbox
// must be served all the same: within one piece of a run (2 KiB of items) per kind and lane, counted, not
// timed.
TEST(progress, a_pe_that_sends_to_itself_serves_the_others) {
  auto& j = the_job();
  if (j.pes() < 2) GTEST_SKIP() << "needs two PEs";
  constexpr std::uint64_t pushes_per_piece = 2048 / sizeof(std::uint32_t);
  const std::uint64_t most_between_polls = 2 * pushes_per_piece * static_cast<std::uint64_t>(j.pes());
  auto table = j.array<std::uint64_t>(1000 * static_cast<std::uint64_t>(j.pes()));
  auto done = j.allocate<std::uint32_t>(1);
  context ctx(j, aggregate);
  if (j.pe() == 0) {
    std::mt19937_64 random(7);
    std::uint64_t polls = j.stats().polls, since = 0, worst = 0;
    const auto waiting = static_cast<std::uint32_t>(j.pes() - 1);
    while (windrow::atomic_fetch(j, *done) < waiting) {
      const auto own = random() % 1000, any = random() % table.size();
      ctx.inc(table[random() % 100 < 95 ? own : any]);
      since = j.stats().polls == polls ? since + 1 : 0;
      polls = j.stats().polls;
      worst = std::max(worst, since);
    }
    EXPECT_LE(worst, most_between_polls);
  } else {
    // Each round needs PE 0 to handle a block while it is in its loop.
    std::uint64_t before = 0;
    for (int round = 0; round < 20; ++round) {
      ctx.fetch_add(table[0], 0, &before);
      ctx.complete_own();
    }
    windrow::inc(j, *done.on(0));
  }
  ctx.barrier();
  j.free(done);
  j.free(table);
}

TEST(stream, hands_every_item_to_its_owner_once) {
  auto& j = the_job();
  struct message {
    std::uint32_t value;
    std::uint16_t tag;
  };
  std::vector<std::uint64_t> sum(static_cast<std::size_t>(j.pes()));
  stream<message> s(j, [&](std::span<const message> batch, pe_t from) {
    for (const auto& m : batch) sum[static_cast<std::size_t>(from)] += m.value + m.tag;
  });
  for (std::uint32_t i = 0; i < 50'000; ++i) s.send(static_cast<pe_t>(i) % j.pes(), {i, 1});
  s.barrier();
  for (pe_t from = 0; from < j.pes(); ++from) {
    std::uint64_t wanted = 0;
    for (std::uint32_t i = 0; i < 50'000; ++i)
      if (static_cast<pe_t>(i) % j.pes() == j.pe()) wanted += i + 1;
    ASSERT_EQ(sum[static_cast<std::size_t>(from)], wanted);
  }
}

// A chain of messages, each sent by the handler of the one before: barrier must not return in the middle of
// it, although again and again no PE has anything of its own to do.
TEST(stream, quiet_waits_for_what_handlers_send) {
  auto& j = the_job();
  std::uint64_t handled = 0;
  stream<std::uint32_t> s(j, [&](std::span<const std::uint32_t> batch, pe_t) {
    for (const auto left : batch) {
      ++handled;
      if (left > 0) s.send(next_pe(j), left - 1);
    }
  });
  constexpr std::uint32_t length = 3000;
  if (j.pe() == 0) s.send(next_pe(j), length);
  s.barrier();
  EXPECT_EQ(j.world().sum(handled), length + 1U);
}

// Every message begets several until a depth is reached: far more than the pool of blocks holds, so handlers
// must spill.
TEST(stream, handlers_that_multiply_messages_spill_and_finish) {
  auto& j = the_job();
  struct seed {
    std::uint32_t depth;
    std::uint32_t salt;
    std::uint64_t ballast[6];
  };
  std::uint64_t handled = 0;
  stream<seed> s(j, [&](std::span<const seed> batch, pe_t) {
    for (const auto& m : batch) {
      ++handled;
      for (std::uint32_t child = 0; m.depth > 0 && child < 4; ++child)
        s.send(static_cast<pe_t>((m.salt + child) % static_cast<std::uint32_t>(j.pes())),
               {m.depth - 1, m.salt * 31 + child, {}});
    }
  });
  constexpr std::uint32_t depth = 8;
  s.send(next_pe(j), {depth, static_cast<std::uint32_t>(j.pe()), {}});
  s.barrier();
  std::uint64_t tree = 0, level = 1;
  for (std::uint32_t d = 0; d <= depth; ++d, level *= 4) tree += level;
  EXPECT_EQ(j.world().sum(handled), tree * static_cast<std::uint64_t>(j.pes()));
  EXPECT_GT(j.world().sum(j.stats().spilled_blocks), 0U);
}

// The program sends while its handlers do, and they spill: nothing overtakes what waits in the spill.
TEST(stream, items_of_one_sender_arrive_in_order_also_when_handlers_spill) {
  auto& j = the_job();
  struct numbered {
    std::uint32_t number; ///< of those that its sender's program, or its handlers, have sent to its PE
    std::uint16_t by_handler;
    std::uint16_t depth;
    std::uint64_t ballast[7];
  };
  using numbers = std::array<std::vector<std::uint32_t>, 2>;
  const std::vector<std::uint32_t> none(static_cast<std::size_t>(j.pes()));
  numbers sent{none, none}, handled{none, none};
  std::uint64_t overtaken = 0;
  stream<numbered>* all = nullptr;
  const auto send = [&](pe_t to, std::uint16_t by_handler, unsigned depth) {
    const auto number = sent[by_handler][static_cast<std::size_t>(to)]++;
    all->send(to, {number, by_handler, static_cast<std::uint16_t>(depth), {}});
  };
  stream<numbered> s(j, [&](std::span<const numbered> batch, pe_t from) {
    for (const auto& m : batch) {
      if (m.number != handled[m.by_handler][static_cast<std::size_t>(from)]++) ++overtaken;
      for (pe_t child = 0; m.depth > 0 && child < 4; ++child) send((from + child) % j.pes(), 1, m.depth - 1U);
    }
  });
  all = &s;
  j.barrier();
  for (int round = 0; round < 4; ++round) {
    send(next_pe(j), 0, 7);
    for (int i = 0; i < 5000; ++i) send(i % j.pes(), 0, 0);
  }
  s.barrier();
  EXPECT_EQ(overtaken, 0U);
  EXPECT_GT(j.world().sum(j.stats().spilled_blocks), 0U);
}

// Another stream never comes to rest meanwhile.
TEST(stream, drain_waits_for_all_items_of_its_stream_and_for_nothing_else) {
  auto& j = the_job();
  bool over = false;
  stream<char>* others = nullptr;
  stream<char> endless(j, [&](std::span<const char> batch, pe_t) {
    for (const auto c : batch)
      if (!over) others->send(next_pe(j), c);
  });
  others = &endless;
  stream<std::uint32_t>* own = nullptr;
  std::uint64_t handled = 0;
  stream<std::uint32_t> s(j, [&](std::span<const std::uint32_t> batch, pe_t) {
    handled += batch.size();
    for (const auto left : batch)
      if (left > 0) own->send(next_pe(j), left - 1);
  });
  own = &s;
  j.barrier();
  endless.send(next_pe(j), 'x');
  for (std::uint64_t round = 1; round <= 5; ++round) {
    s.send(next_pe(j), 300);
    for (int i = 0; i < 3000; ++i) s.send(i % j.pes(), 0);
    s.drain();
    EXPECT_EQ(j.world().sum(handled), round * 3301 * static_cast<std::uint64_t>(j.pes()));
  }
  over = true;
  endless.barrier();
}

// The others send to all, members too, all the time.
TEST(stream, drain_of_a_team_waits_for_its_members_only) {
  auto& j = the_job();
  const pe_t members = (j.pes() + 1) / 2;
  const auto half = j.world().split_strided(0, 1, members);
  bool over = false;
  std::uint64_t handled = 0;
  struct message {
    std::uint32_t left;
    bool of_member;
  };
  stream<message>* own = nullptr;
  stream<message> s(j, [&](std::span<const message> batch, pe_t) {
    for (const auto& m : batch) {
      if (m.of_member) ++handled;
      if (m.of_member && m.left > 0) own->send((j.pe() + 1) % members, {m.left - 1, true});
      if (!m.of_member && !over) own->send(next_pe(j), {0, false});
    }
  });
  own = &s;
  j.barrier();
  if (j.pe() >= members) s.send(next_pe(j), {0, false});
  if (j.pe() < members)
    for (std::uint64_t round = 1; round <= 5; ++round) {
      s.send((j.pe() + 1) % members, {300, true});
      for (int i = 0; i < 3000; ++i) s.send(i % members, {0, true});
      s.drain(half);
      EXPECT_EQ(half.sum(handled), round * 3301 * static_cast<std::uint64_t>(members));
    }
  j.barrier();
  over = true;
  s.barrier();
}

// PE 0 passes on two for one to PE 1, of what the PEs from 2 on send to it; both work so much for each item.
void forward_two_for_one(job& j, std::uint64_t each, int work_of_first, int work_of_last) {
  std::uint64_t arrived = 0, result = 1;
  const auto work = [&](int rounds, std::uint64_t item) {
    for (int i = 0; i < rounds; ++i) result = result * 6364136223846793005 + item;
  };
  stream<std::uint64_t> last(j, [&](std::span<const std::uint64_t> batch, pe_t) {
    for (const auto item : batch) work(work_of_last, item);
    arrived += batch.size();
  });
  stream<std::uint64_t> first(j, [&](std::span<const std::uint64_t> batch, pe_t) {
    for (const auto item : batch) {
      work(work_of_first, item);
      for (int i = 0; i < 2; ++i) last.send(1, item);
    }
  });
  if (j.pe() > 1)
    for (std::uint64_t i = 0; i < each; ++i) first.send(0, i);
  first.barrier();
  EXPECT_NE(result, 0U);
  EXPECT_EQ(arrived, j.pe() == 1 ? 2 * each * static_cast<std::uint64_t>(j.pes() - 2) : 0);
  if (j.pe() == 0) {
    EXPECT_GT(j.stats().spilled_blocks, 0U);
  }
}

// With a limit of 1 MiB: PE 1 handles more slowly than what is for it arrives.
TEST(stream, who_forwards_faster_than_others_handle_holds_back) {
  if (the_job().pes() >= 3) forward_two_for_one(the_job(), 200'000, 0, 100);
}

// Whenever PE 0 has handled a block, PE 1 has nothing left to do: what PE 0 keeps aside must leave before it
// handles the next one.
TEST(stream, who_forwards_more_slowly_than_others_handle_holds_back) {
  if (the_job().pes() >= 3) forward_two_for_one(the_job(), 200'000, 100, 0);
}

// More than 64 MiB of messages are under way in the end.
TEST(stream, handlers_may_send_more_than_they_receive) {
  auto& j = the_job();
  struct message {
    std::uint32_t left;
    std::uint32_t words[127];
  };
  constexpr std::uint32_t depth = 17;
  std::uint64_t handled = 0;
  stream<message>* own = nullptr;
  stream<message> s(j, [&](std::span<const message> batch, pe_t) {
    handled += batch.size();
    for (const auto& m : batch)
      for (int i = 0; m.left > 0 && i < 2; ++i) own->send((j.pe() + i) % j.pes(), {m.left - 1, {}});
  });
  own = &s;
  j.barrier();
  if (j.pe() == 0) s.send(0, {depth, {}});
  s.barrier();
  EXPECT_EQ(j.world().sum(handled), (2U << depth) - 1);
}

// Handlers use contexts, and their fetched results arrive too.
TEST(stream, handlers_may_use_contexts) {
  auto& j = the_job();
  auto table = j.array<std::uint64_t>(1000);
  context updates(j, aggregate), reads(j, aggregate);
  std::vector<std::uint64_t> before(20'000, ~std::uint64_t{0});
  std::size_t used = 0;
  stream<std::uint32_t> s(j, [&](std::span<const std::uint32_t> batch, pe_t) {
    for (const auto i : batch) {
      updates.add(table[i % 1000], 1);
      if (used < before.size())
        reads.fetch_add(table[(i + 1) % 1000], 1, &before[used++]);
      else
        updates.add(table[(i + 1) % 1000], 1);
    }
  });
  constexpr std::uint32_t items = 20'000;
  for (std::uint32_t i = 0; i < items; ++i) s.send(static_cast<pe_t>(i) % j.pes(), i);
  s.barrier();
  updates.barrier();
  std::uint64_t sum = 0;
  for (const auto count : table.local()) sum += count;
  EXPECT_EQ(j.world().sum(sum), std::uint64_t{2} * items * static_cast<std::uint64_t>(j.pes()));
  for (std::size_t i = 0; i < used; ++i) ASSERT_NE(before[i], ~std::uint64_t{0});
  j.free(table);
}

TEST(stream, several_types_at_once) {
  auto& j = the_job();
  std::uint64_t small = 0, large = 0;
  struct big {
    std::uint64_t words[64];
  };
  stream<std::uint8_t> a(j, [&](std::span<const std::uint8_t> batch, pe_t) { small += batch.size(); });
  stream<big> b(j, [&](std::span<const big> batch, pe_t) {
    for (const auto& m : batch) large += m.words[63];
  });
  for (int i = 0; i < 5000; ++i) {
    a.send(i % j.pes(), 1);
    big m{};
    m.words[63] = 1;
    b.send(i % j.pes(), m);
  }
  b.barrier();
  a.barrier();
  EXPECT_EQ(j.world().sum(small), 5000U * static_cast<unsigned>(j.pes()));
  EXPECT_EQ(j.world().sum(large), 5000U * static_cast<unsigned>(j.pes()));
}

// Direct atomic operations of some PEs on what owners update in bulk at the same time: no update is lost.
TEST(atomicity, direct_and_aggregated_updates_of_one_word) {
  auto& j = the_job();
  auto word = j.array<std::uint64_t>(static_cast<std::uint64_t>(j.pes()));
  context direct(j, blocking), bulk(j, aggregate);
  constexpr std::uint64_t rounds = 5, updates = 40'000;
  for (std::uint64_t round = 0; round < rounds; ++round) {
    for (std::uint64_t i = 0; i < updates; ++i) {
      // Changes sides in the middle, so that announcements meet owners at work.
      const bool now_direct = (i / 5000 + static_cast<std::uint64_t>(j.pe()) + round) % 2 == 0;
      (now_direct ? direct : bulk).add(word[i % word.size()], 1);
      if (i % 10'000 == 0) bulk.barrier();
    }
    bulk.barrier();
  }
  std::uint64_t sum = 0;
  for (const auto value : word.local()) sum += value;
  EXPECT_EQ(j.world().sum(sum), rounds * updates * static_cast<std::uint64_t>(j.pes()));
  j.free(word);
}

// Owners use atomic instructions while somebody announces direct ones. Who goes on with aggregated operations
// takes that back before they are completed; if direct ones come again, it takes twice as long.
TEST(atomicity, a_pe_that_goes_on_with_aggregated_operations_no_longer_announces_direct_ones) {
  auto& j = the_job();
  if (j.map().remote_hosts != nullptr) GTEST_SKIP() << "a job on several hosts has announced them for good";
  auto table = j.array<std::uint64_t>(1000 * static_cast<std::uint64_t>(j.pes()));
  context bulk(j, aggregate);
  std::uint64_t updates = 0;
  const auto send_full_blocks = [&](std::uint64_t blocks) {
    for (const auto before = j.stats().blocks_full; j.stats().blocks_full < before + blocks; ++updates)
      bulk.inc(table[updates % table.size()]);
  };
  for (const std::uint64_t blocks : {1, 2, 4}) {
    fetch_inc(j, table[0]);
    ++updates;
    ASSERT_TRUE(j.map().atomics_announced);
    if (blocks > 1) {
      send_full_blocks(blocks - 1);
      EXPECT_TRUE(j.map().atomics_announced) << blocks;
    }
    send_full_blocks(1);
    EXPECT_FALSE(j.map().atomics_announced) << blocks;
  }
  bulk.barrier();
  std::uint64_t sum = 0;
  for (const auto value : table.local()) sum += value;
  EXPECT_EQ(j.world().sum(sum), j.world().sum(updates));
  j.free(table);
}

TEST(counters, tell_what_was_sent) {
  auto& j = the_job();
  // Not after the barrier in `array`, in which a PE may handle already what others send behind it.
  const auto before = j.stats();
  auto table = j.array<std::uint64_t>(1000);
  context ctx(j, aggregate);
  constexpr std::uint64_t items = 100'000;
  for (std::uint64_t i = 0; i < items; ++i) ctx.inc(table[i % 1000]);
  ctx.barrier();
  const auto after = j.stats();
  EXPECT_EQ(after.items_sent - before.items_sent, items);
  EXPECT_EQ(j.world().sum(after.items_handled - before.items_handled),
            items * static_cast<std::uint64_t>(j.pes()));
  // An increment costs its place and hardly more: 4 bytes, and headers of a few per cent.
  EXPECT_LT(after.bytes_sent - before.bytes_sent, items * 5);
  EXPECT_GT(after.blocks_full - before.blocks_full, 0U);
  EXPECT_LE(after.blocks_full - before.blocks_full, after.blocks_sent - before.blocks_sent);
  j.free(table);
}

} // namespace
} // namespace windrow::test
