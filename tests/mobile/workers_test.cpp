// SPDX-License-Identifier: BSD-3-Clause
// Handlers on all workers of a PE.
#include <atomic>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/mobile/random_objects.hpp"
#include "tests/support/pe_test.hpp"
#include "windrow/mobile.hpp"
#include "windrow/windrow.hpp"

namespace windrow::test {
namespace {

std::atomic<int> arrived = 0; ///< handlers of this PE

struct place {
  std::uint64_t value = 0;
  mobile_ptr<place> other{};

  void add(std::uint64_t more) { value += more; }
  std::uint64_t get() const { return value; }
  /// Until so many are in it at the same time.
  void meet(int handlers) { wait_for(handlers); }
  void meet_sharing(int handlers) const { wait_for(handlers); }
  /// Each waits for the next one.
  std::uint64_t sum_on(std::uint64_t left) {
    return left == 0 ? value : value + other.call<&place::sum_on>(left - 1).get();
  }
  std::uint64_t fail() { throw std::runtime_error("no room"); }
  /// Far from the end when the messages behind it arrive.
  void add_slowly(std::uint64_t more) {
    const auto before = value;
    for (int i = 0; i < 10; ++i) yield();
    value = before + more;
  }
  void make_and_send(std::uint64_t more);

 private:
  static void wait_for(int handlers) {
    ++arrived;
    wait_until([=] { return arrived >= handlers; });
  }
};
thread_local object_space* space_here = nullptr; ///< on the PE's own thread

std::uint64_t sum_of(collection<place>& all) {
  return all.reduce(std::uint64_t{0}, [](const place& p) { return p.value; }, std::plus<>());
}

TEST(handlers_on_all_workers, run_side_by_side_for_different_objects) {
  auto& j = the_job();
  object_space space(j, handlers::on_all_workers);
  collection<place> all(space, 8 * static_cast<std::uint64_t>(j.pes()),
                        [](std::uint64_t) { return place(); });
  arrived = 0;
  space.run([&] {
    std::vector<std::uint64_t> mine;
    all.for_each_local([&](std::uint64_t i, place&) { mine.push_back(i); });
    for (const auto i : mine) all[i].send<&place::meet>(static_cast<int>(mine.size()));
  });
  EXPECT_EQ(arrived, 8);
}

TEST(handlers_on_all_workers, const_ones_share_their_object) {
  auto& j = the_job();
  object_space space(j, handlers::on_all_workers);
  const auto p = space.make<place>();
  arrived = 0;
  space.run([&] {
    p.send<&place::add>(1);
    for (int i = 0; i < 6; ++i) p.send<&place::meet_sharing>(6);
    p.send<&place::add>(2);
  });
  EXPECT_EQ(arrived, 6);
  EXPECT_EQ(p.local()->value, 3U);
}

TEST(handlers_on_all_workers, others_have_it_alone) {
  auto& j = the_job();
  object_space space(j, handlers::on_all_workers);
  collection<place> all(space, 3, [](std::uint64_t) { return place(); });
  constexpr std::uint64_t messages = 300;
  space.run([&] {
    for (std::uint64_t i = 0; i < messages; ++i) {
      all[i % 3].send<&place::add_slowly>(1);
      if (i % 50 == 7) all[i % 3].migrate(static_cast<pe_t>(i) % j.pes());
    }
  });
  EXPECT_EQ(sum_of(all), messages * static_cast<std::uint64_t>(j.pes()));
}

// A chain of handlers, one of them on each object, for each PE.
TEST(handlers_on_all_workers, may_wait) {
  auto& j = the_job();
  object_space space(j, handlers::on_all_workers);
  constexpr std::uint64_t size = 40;
  collection<place> all(space, size, [](std::uint64_t i) { return place{.value = i}; });
  all.for_each_local([&](std::uint64_t i, place& p) { p.other = all[(i + 1) % size]; });
  j.barrier();
  EXPECT_EQ(all[0].call<&place::sum_on>(size - 1).get(), size * (size - 1) / 2);
  j.barrier();
}

// Nobody else sends anything on: the object comes through PEs that are in a barrier.
TEST(handlers_on_all_workers, answer_while_others_wait) {
  auto& j = the_job();
  object_space space(j, handlers::on_all_workers);
  auto p = j.world().broadcast(space.make<place>(), j.pes() - 1);
  if (j.pe() == 0) {
    for (pe_t to = 0; to < j.pes(); ++to) {
      p.migrate(to);
      p.send<&place::add_slowly>(1);
      EXPECT_EQ(p.call<&place::get>().get(), static_cast<std::uint64_t>(to) + 1);
    }
    EXPECT_THROW(p.call<&place::fail>().get(), error);
  }
  j.barrier();
}

TEST(handlers_on_all_workers, are_waited_for_by_visits) {
  auto& j = the_job();
  object_space space(j, handlers::on_all_workers);
  collection<place> all(space, static_cast<std::uint64_t>(j.pes()), [](std::uint64_t) { return place(); });
  space.run([&] {
    for (int round = 0; round < 50; ++round) {
      for (int i = 0; i < 5; ++i) all[static_cast<std::uint64_t>(j.pe())].send<&place::add_slowly>(1);
      all.for_each_local([](place& here) {
        const auto before = here.value;
        for (int i = 0; i < 3; ++i) yield();
        EXPECT_EQ(here.value, before);
        here.value += 1000;
      });
    }
  });
  EXPECT_EQ(sum_of(all), (50 * 5 + 50 * 1000) * static_cast<std::uint64_t>(j.pes()));
}

TEST(handlers_on_all_workers, end_objects_after_what_was_sent_before) {
  auto& j = the_job();
  object_space space(j, handlers::on_all_workers);
  const auto before = space.core().ids().size();
  space.run([&] {
    for (int i = 0; i < 20; ++i) {
      const auto p = space.make<place>();
      p.send<&place::add_slowly>(1);
      p.migrate((j.pe() + i) % j.pes());
      p.send<&place::add_slowly>(1);
      p.destroy();
    }
  });
  EXPECT_EQ(space.core().ids().size(), before);
}

void place::make_and_send(std::uint64_t more) {
  const auto made = space_here->make<place>();
  made.send<&place::add>(more);
  made.migrate(0);
  ++value;
}

// Tasks, too, send to objects.
TEST(handlers_on_all_workers, make_objects) {
  auto& j = the_job();
  object_space space(j, handlers::on_all_workers);
  collection<place> all(space, 10, [](std::uint64_t) { return place(); });
  finish([&] {
    space_here = &space;
    for (int w = 1; w < workers(); ++w) async_at(w, [&] { space_here = &space; });
  });
  space.run([&] {
    for (std::uint64_t i = 0; i < 100; ++i) async([&, i] { all[i % 10].send<&place::make_and_send>(i); });
  });
  EXPECT_EQ(j.world().sum(space.core().ids().size()), 10 + 100 * static_cast<std::uint64_t>(j.pes()));
  EXPECT_EQ(sum_of(all), 100 * static_cast<std::uint64_t>(j.pes()));
}

TEST(handlers_on_all_workers, random_programs_keep_every_message_in_order) {
  const auto seeds = the_job().pes() > 4 ? 20U : 50U;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    run_random_objects(the_job(), seed, handlers::on_all_workers);
    if (HasFailure()) return;
  }
}

} // namespace
} // namespace windrow::test
