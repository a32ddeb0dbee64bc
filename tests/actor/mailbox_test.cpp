// SPDX-License-Identifier: BSD-3-Clause
// What selector.hpp promises, one by one.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/pe_test.hpp"
#include "windrow/windrow.hpp"

namespace windrow::test {
namespace {

pe_t next_pe(const job& j) {
  return (j.pe() + 1) % j.pes();
}
std::uint64_t pes_of(const job& j) {
  return static_cast<std::uint64_t>(j.pes());
}

struct pair {
  std::uint32_t value;
  std::uint16_t tag;
};

// The same messages to each form of a handler.
class forms {
 public:
  forms() : from_each_(static_cast<std::size_t>(the_job().pes())) {}

  void take(pair p) { sum_ += p.value + p.tag; }
  void take(pair p, pe_t from) {
    take(p);
    ++from_each_[static_cast<std::size_t>(from)];
  }

  void send_and_check(mailbox<pair>& m, bool knows_senders) {
    auto& j = the_job();
    constexpr std::uint32_t each = 5000;
    m.run([&] {
      for (std::uint32_t i = 0; i < each * static_cast<std::uint32_t>(j.pes()); ++i)
        m.send(static_cast<pe_t>(i) % j.pes(), {i, 1});
    });
    const std::uint64_t all = each * pes_of(j);
    EXPECT_EQ(j.world().sum(sum_), pes_of(j) * (all * (all - 1) / 2 + all));
    for (const auto count : from_each_) EXPECT_EQ(count, knows_senders ? each : 0);
  }

 private:
  std::uint64_t sum_ = 0;
  std::vector<std::uint32_t> from_each_;
};

TEST(mailbox, handler_of_items) {
  forms f;
  mailbox<pair> m(the_job(), [&](pair p) { f.take(p); });
  f.send_and_check(m, false);
}
TEST(mailbox, handler_of_items_and_senders) {
  forms f;
  mailbox<pair> m(the_job(), [&](const pair& p, pe_t from) { f.take(p, from); });
  f.send_and_check(m, true);
}
TEST(mailbox, handler_of_batches) {
  forms f;
  mailbox<pair> m(the_job(), [&](std::span<const pair> batch, pe_t from) {
    for (const auto& p : batch) f.take(p, from);
  });
  f.send_and_check(m, true);
}
// Handlers run while an item is sent, and may change what it was.
TEST(mailbox, sends_what_the_item_was_when_send_was_called) {
  auto& j = the_job();
  std::vector<std::uint64_t> frontier(5000, 1);
  std::uint64_t wrong = 0, sent = 0, received = 0;
  pair current{};
  selector<std::uint64_t, pair> s(
      j,
      [&](std::uint64_t value) {
        wrong += value == 0 || value > 9 ? 1 : 0;
        if (frontier.size() == 8000) return;
        for (auto& old : frontier) old = 99;
        frontier = std::vector<std::uint64_t>(frontier.size() + 1, 1 + value % 9);
      },
      [&](pair p) {
        received += p.value;
        current.value = 1'000'000;
      });
  s.run([&] {
    for (std::size_t i = 0; i < frontier.size(); ++i) s.send(static_cast<pe_t>(i) % j.pes(), frontier[i]);
    for (std::uint32_t i = 0; i < 20'000; ++i) {
      current = {i % 10, 0};
      sent += current.value;
      s.send(next_pe(j), current);
    }
  });
  EXPECT_EQ(wrong, 0U);
  EXPECT_EQ(j.world().sum(received), j.world().sum(sent));
  j.barrier();
}

TEST(mailbox, handlers_with_a_courier) {
  forms a, b, c;
  mailbox<pair> items(the_job(), [&](auto& /*out*/, pair p) { a.take(p); });
  mailbox<pair> senders(the_job(), [&](courier<pair>& /*out*/, pair p, pe_t from) { b.take(p, from); });
  mailbox<pair> batches(the_job(), [&](auto& /*out*/, std::span<const pair> batch, pe_t from) {
    for (const auto& p : batch) c.take(p, from);
  });
  a.send_and_check(items, false);
  b.send_and_check(senders, true);
  c.send_and_check(batches, true);
}

// Integers are where a handler's forms could be mistaken for each other.
TEST(mailbox, items_that_look_like_pes) {
  auto& j = the_job();
  int items = 0, senders = 0, answers = 0;
  mailbox<pe_t> a(j, [&](pe_t item) { items += item; });
  mailbox<pe_t> b(j, [&](pe_t item, pe_t from) { senders += item * 100 + from; });
  mailbox<pe_t> c(j, [&](auto& out, pe_t left) {
    ++answers;
    if (left > 0) out.reply(left - 1);
  });
  a.run([&] { a.send(next_pe(j), 7); });
  b.run([&] { b.send(next_pe(j), 7); });
  c.run([&] { c.send(next_pe(j), 3); });
  EXPECT_EQ(items, 7);
  EXPECT_EQ(senders, 700 + (j.pe() + j.pes() - 1) % j.pes());
  EXPECT_EQ(j.world().sum(answers), 4 * j.pes());
}

TEST(mailbox, a_run_ends_with_everything_handled_and_can_be_repeated) {
  auto& j = the_job();
  std::uint64_t here = 0;
  mailbox<std::uint64_t> m(j, [&](std::uint64_t v) { here += v; });
  for (std::uint64_t round = 1; round <= 200; ++round) {
    m.run([&] {
      for (pe_t pe = 0; pe < j.pes(); ++pe) m.send(pe, round);
    });
    // No barrier: nobody's next run begins before this PE has come to it.
    ASSERT_EQ(std::exchange(here, 0), round * pes_of(j));
  }
}

TEST(mailbox, done_is_for_the_body_and_handlers_go_on) {
  auto& j = the_job();
  std::uint64_t handled = 0;
  mailbox<std::uint32_t> by_courier(j, [&](auto& out, std::uint32_t left) {
    ++handled;
    if (left > 0) out.send(next_pe(j), left - 1);
  });
  mailbox<std::uint32_t> by_capture(j, [&](std::uint32_t left) {
    ++handled;
    if (left > 0) by_capture.send(next_pe(j), left - 1);
  });
  for (auto* m : {&by_courier, &by_capture})
    m->run([&] {
      m->send(next_pe(j), 200);
      m->done();
    });
  EXPECT_EQ(j.world().sum(handled), 2 * 201 * pes_of(j));
}

struct question {
  std::uint32_t number;
};
struct answer {
  std::uint32_t number, square;
};

TEST(selector, questions_and_answers) {
  auto& j = the_job();
  constexpr std::uint32_t questions = 20'000;
  std::vector<std::uint32_t> squares(questions);
  selector<question, answer> s(
      j, [](auto& out, question q) { out.reply(answer{q.number, q.number * q.number}); },
      [&](std::span<const answer> batch, pe_t) {
        for (const auto& a : batch) squares[a.number] = a.square;
      });
  s.run([&] {
    for (std::uint32_t i = 0; i < questions; ++i) s.send(static_cast<pe_t>(i) % j.pes(), question{i});
    s.done<question>();
    s.done<answer>();
  });
  for (std::uint32_t i = 0; i < questions; ++i) ASSERT_EQ(squares[i], i * i);
}

TEST(selector, mailboxes_of_one_type_are_told_by_number) {
  auto& j = the_job();
  int first = 0, second = 0, third = 0;
  selector<int, int, char> s(
      j,
      [&](auto& out, int v) {
        first += v;
        out.template send<1>(next_pe(j), v);
      },
      [&](auto& out, int v) {
        second += v;
        out.reply('c');
      },
      [&](char) { ++third; });
  s.run([&] {
    s.send<0>(next_pe(j), 5);
    s.send<1>(next_pe(j), 6);
    s.send(next_pe(j), 'x');
    s.done<0>();
    s.done<char>();
  });
  EXPECT_EQ(first, 5);
  EXPECT_EQ(second, 11);
  EXPECT_EQ(third, 3);
}

// A stage is over when everything that was sent, to whatever mailbox, has been handled everywhere.
TEST(selector, stages_end_in_order) {
  auto& j = the_job();
  std::uint64_t walked = 0, told = 0;
  selector<std::uint32_t, std::uint64_t> s(
      j,
      [&](auto& out, std::uint32_t left) {
        ++walked;
        if (left > 0) out.send(next_pe(j), left - 1);
      },
      [&](std::uint64_t sum) { told += sum; });
  for (int round = 0; round < 20; ++round) {
    walked = told = 0;
    s.run([&] {
      if (j.pe() == 0) s.send(next_pe(j), std::uint32_t{100});
      s.complete<std::uint32_t>();
      for (pe_t pe = 0; pe < j.pes(); ++pe) s.send(pe, walked);
      s.complete<1>();
      ASSERT_EQ(told, 101U);
    });
    ASSERT_EQ(told, 101U);
  }
}

TEST(selector, several_alive_and_nested_with_contexts) {
  auto& j = the_job();
  constexpr std::uint32_t items = 3000;
  auto table = j.array<std::uint64_t>(64 * pes_of(j));
  context updates(j, aggregate), reads(j, aggregate);
  std::vector<std::uint64_t> before(2 * items, ~std::uint64_t{0});
  std::size_t fetched = 0;
  std::uint64_t inner_handled = 0, outer_handled = 0;
  mailbox<std::uint32_t> inner(j, [&](std::uint32_t v) {
    ++inner_handled;
    updates.add(table[v % table.size()], 1);
  });
  mailbox<std::uint32_t> outer(j, [&](std::uint32_t v) {
    ++outer_handled;
    if (fetched < before.size()) reads.fetch_add(table[v % table.size()], 0, &before[fetched++]);
  });
  mailbox<std::uint32_t> chain(j, [&](std::uint32_t v) { inner.send(next_pe(j), v); });
  outer.run([&] {
    for (std::uint32_t i = 0; i < items; ++i) outer.send(static_cast<pe_t>(i) % j.pes(), i);
    inner.run([&] {
      chain.run([&] {
        for (std::uint32_t i = 0; i < items; ++i) chain.send(static_cast<pe_t>(i) % j.pes(), i);
      });
      EXPECT_EQ(j.world().sum(inner_handled), items * pes_of(j));
    });
    EXPECT_EQ(j.world().sum(outer_handled), items * pes_of(j));
    updates.add(table[0], 1);
  });
  std::uint64_t sum = 0;
  for (const auto count : table.local()) sum += count;
  EXPECT_EQ(j.world().sum(sum), (items + 1) * pes_of(j));
  for (std::size_t i = 0; i < fetched; ++i) ASSERT_NE(before[i], ~std::uint64_t{0});
  j.free(table);
}

// Of the second mailbox; the first never comes to rest meanwhile.
TEST(mailbox, drain_waits_for_the_messages_of_one_mailbox) {
  auto& j = the_job();
  bool over = false;
  std::uint64_t handled = 0;
  selector<char, std::uint32_t> s(
      j,
      [&](auto& out, char c) {
        if (!over) out.send(next_pe(j), c);
      },
      [&](auto& out, std::uint32_t left) {
        ++handled;
        if (left > 0) out.send(next_pe(j), left - 1);
      });
  s.run([&] {
    s.send(next_pe(j), 'x');
    for (std::uint64_t round = 1; round <= 5; ++round) {
      s.send(next_pe(j), std::uint32_t{300});
      for (std::uint32_t i = 0; i < 3000; ++i) s.send(static_cast<pe_t>(i) % j.pes(), std::uint32_t{0});
      if (round % 2 == 0)
        s.drain<1>();
      else if (round == 1)
        s.drain<std::uint32_t>();
      else
        s.drain<std::uint32_t>(j.world());
      EXPECT_EQ(j.world().sum(handled), round * 3301 * pes_of(j));
    }
    over = true;
  });
}

TEST(mailbox, drain_waits_for_items_of_any_size) {
  auto& j = the_job();
  std::uint64_t bytes = 0;
  mailbox<std::string_view> m(j, [&](std::string_view text) { bytes += text.size(); });
  m.run([&] {
    for (std::size_t length : {0, 10, 1000, 100'000}) {
      const auto before = j.world().sum(bytes);
      m.send(next_pe(j), std::string(length, 'x'));
      m.drain();
      EXPECT_EQ(j.world().sum(bytes), before + length * pes_of(j));
    }
  });
}

} // namespace
} // namespace windrow::test
