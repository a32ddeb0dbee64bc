// SPDX-License-Identifier: BSD-3-Clause
// Messages to several objects in one place, and messages that wait for signals; with handlers on the PE's own
// thread and on all workers.
#include "windrow/multicast.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "tests/mobile/accounts.hpp"
#include "tests/mobile/random_multicasts.hpp"
#include "tests/support/pe_test.hpp"
#include "windrow/object_event.hpp"
#include "windrow/windrow.hpp"

namespace windrow::test {
namespace {

class multicasts : public testing::TestWithParam<handlers> {};
INSTANTIATE_TEST_SUITE_P(mobile, multicasts,
                         testing::Values(handlers::on_own_thread, handlers::on_all_workers),
                         [](const auto& info) {
                           return std::string(info.param == handlers::on_own_thread ? "on_own_thread"
                                                                                    : "on_all_workers");
                         });

TEST_P(multicasts, bring_objects_to_the_first) {
  auto& j = the_job();
  object_space space(j, GetParam());
  collection<account> all(space, static_cast<std::uint64_t>(2 * j.pes()),
                          [](std::uint64_t i) { return account{i}; });
  const auto last = all[all.size() - 1], first = all[0];
  const bool had_last = last.local() != nullptr;
  space.run([&] {
    if (j.pe() == 0) multicast<transfer>(std::tuple(last, first), 10, "a transfer");
  });
  EXPECT_EQ(last.local() != nullptr, had_last);
  EXPECT_EQ(first.local() != nullptr, had_last);
  if (had_last) {
    EXPECT_EQ(last.local()->balance, 990);
    EXPECT_EQ(first.local()->balance, 1010);
    EXPECT_EQ(last.local()->wrong, 0U);
  }
}

TEST_P(multicasts, with_common_objects_come_to_an_end) {
  for (std::uint64_t seed = 1; seed <= 10 && !HasFailure(); ++seed)
    run_random_multicasts(the_job(), seed, GetParam());
}

TEST_P(multicasts, of_one_object_are_messages) {
  auto& j = the_job();
  object_space space(j, GetParam());
  const auto p = space.make<account>();
  space.run([&] {
    for (int i = 0; i < 10; ++i) multicast<collect>(std::vector{p}, std::uint64_t{0}, 1);
  });
  EXPECT_EQ(p.local()->meetings, 10U);
  EXPECT_EQ(p.local()->balance, 1000);
}

// A visit waits for no multicast that waits for the visit around it.
TEST_P(multicasts, wait_for_visits_in_visits) {
  auto& j = the_job();
  object_space space(j, GetParam());
  constexpr std::uint64_t size = 6;
  collection<account> all(space, size, [](std::uint64_t i) { return account{i}; });
  space.run([&] {
    for (std::uint64_t round = 0; round < 60; ++round) {
      const auto a = (round + static_cast<std::uint64_t>(j.pe())) % size, b = (a + 1 + round % 5) % size;
      multicast<transfer>(std::tuple(all[a], all[b]), 1, "a transfer");
      if (round % 3 == 0)
        all.for_each_local([&](account& outer) {
          all.for_each_local([&](account& inner) {
            const auto before = outer.meetings + inner.meetings;
            yield();
            outer.wrong += outer.meetings + inner.meetings != before;
          });
        });
    }
  });
  const auto meetings = [](const account& a) { return a.meetings; };
  const auto wrong = [](const account& a) { return a.wrong; };
  const auto seen = all.reduce(std::uint64_t{0}, meetings, std::plus<>());
  EXPECT_EQ(seen, 120 * static_cast<std::uint64_t>(j.pes()));
  EXPECT_EQ(all.reduce(std::uint64_t{0}, wrong, std::plus<>()), 0U);
}

struct stage {
  std::uint64_t done = 0, text = 0;
  object_event next{};
  void work(std::uint64_t more, std::string_view with) {
    done += more;
    text += with.size();
    if (next != object_event()) next.signal();
  }
};

struct bell {
  std::uint64_t rings = 0;
  void ring() { ++rings; }
};

TEST_P(multicasts, events_deliver_messages_without_arguments) {
  object_space space(the_job(), GetParam());
  const auto p = space.make<bell>();
  space.run([&] { send_after<&bell::ring>(p, 1).signal(); });
  EXPECT_EQ(p.local()->rings, 1U);
}

struct weighed {
  void touch() {}
  double load() const { return 1; }
};

TEST_P(multicasts, events_have_no_load) {
  auto& j = the_job();
  object_space space(j, GetParam());
  const collection<weighed> all(space, static_cast<std::uint64_t>(10 * j.pes()),
                                [](std::uint64_t) { return weighed(); });
  object_event ready;
  if (j.pe() == 0) ready = send_after<&weighed::touch>(all[0], 100);
  space.run([&] {
    for (int i = 0; i < 99 && j.pe() == 0; ++i) ready.signal();
  });
  EXPECT_EQ(space.balance(balance::refine{}).moved, 0U);
  EXPECT_EQ(space.balance(balance::stealing{}).moved, 0U);
  space.run([&] {
    if (j.pe() == 0) ready.signal();
  });
}

void take_a_millisecond(account&, account&) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(1);
  while (std::chrono::steady_clock::now() < until) {
  }
}

// As the time of other handlers, of the object to which the others come.
TEST_P(multicasts, count_as_load_of_the_first_object) {
  auto& j = the_job();
  object_space space(j, GetParam());
  const auto pes = static_cast<std::uint64_t>(j.pes());
  collection<account> all(space, 2 * pes, [](std::uint64_t i) { return account{i}; });
  space.run([&] {
    for (int i = 0; i < 20 && j.pe() == 0; ++i) multicast<take_a_millisecond>(std::tuple(all[0], all[1]));
  });
  EXPECT_GT(space.balance(balance::none{}).before, 0.9 * j.pes());
}

// Each stage begins when the one before has ended on all PEs; events move as objects do.
TEST_P(multicasts, events_deliver_after_all_signals) {
  auto& j = the_job();
  const auto pes = static_cast<std::uint64_t>(j.pes());
  object_space space(j, GetParam());
  collection<stage> all(space, 10, [](std::uint64_t) { return stage(); });
  std::vector<object_event> events;
  if (j.pe() == 0)
    for (std::uint64_t i = 0; i < 10; ++i)
      events.push_back(send_after<&stage::work>(all[i], i == 0 ? pes : 1, i + 1, "text"));
  auto first = j.world().broadcast(j.pe() == 0 ? events[0] : object_event(), 0);
  const auto of_stage = [&](std::uint64_t i) {
    return j.world().broadcast(j.pe() == 0 ? events[i] : object_event(), 0);
  };
  for (std::uint64_t i = 0; i + 1 < 10; ++i) {
    const auto next = of_stage(i + 1);
    if (auto* const s = all[i].local(); s != nullptr) s->next = next;
  }
  space.balance(balance::rotate{});
  space.run([] {});
  std::uint64_t done = 0;
  all.for_each_local([&](const stage& s) { done += s.done; });
  EXPECT_EQ(j.world().sum(done), 0U);
  space.run([&] { first.signal(); });
  all.for_each_local([&](std::uint64_t i, const stage& s) {
    EXPECT_EQ(s.done, i + 1);
    EXPECT_EQ(s.text, 4U);
  });
  space.run([&] {
    if (j.pe() == 0) send_after<&stage::work>(all[9], 0, std::uint64_t{5}, "");
  });
  if (auto* const s = all[9].local(); s != nullptr) {
    EXPECT_EQ(s->done, 15U);
  }
  EXPECT_EQ(j.world().sum(space.core().ids().size()), 10U); // the events are gone
}

} // namespace
} // namespace windrow::test
