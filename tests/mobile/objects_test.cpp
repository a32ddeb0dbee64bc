// SPDX-License-Identifier: BSD-3-Clause
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "tests/mobile/random_objects.hpp"
#include "tests/support/pe_test.hpp"
#include "windrow/mobile.hpp"
#include "windrow/windrow.hpp"

namespace windrow::test {
namespace {

struct counter {
  std::uint64_t value = 0;

  void add(std::uint64_t more) { value += more; }
  std::uint64_t get() const { return value; }
  std::uint64_t add_length(std::string_view text) { return value += text.size(); }
  void reset() noexcept { value = 0; }
  std::uint64_t fail(std::string_view why) { throw std::runtime_error(std::string(why)); }
  void fail_at(std::uint64_t limit) {
    if (value++ >= limit) throw limit;
  }
  void pass_on(mobile_ptr<counter> to, std::uint64_t more) const { to.send<&counter::add>(more); }
};

TEST(mobile, a_pointer_has_eight_bytes_and_travels) {
  static_assert(sizeof(mobile_ptr<counter>) == 8 && transferable<mobile_ptr<counter>>);
  auto& j = the_job();
  object_space space(j);
  const auto mine = space.make<counter>(counter{5});
  const auto all = j.world().allgather(mine);
  space.run([&] {
    for (const auto p : all) p.send<&counter::add>(2);
    all.front().send<&counter::pass_on>(all.back(), 100);
  });
  const auto pes = static_cast<std::uint64_t>(j.pes());
  EXPECT_EQ(mine.local()->value, 5 + 2 * pes + (mine == all.back() ? 100 * pes : 0));
  for (const auto p : all) EXPECT_EQ(p.local() != nullptr, p == mine);
}

// Of a class with virtual functions behind another base, so that it does not begin where that does.
struct numbered {
  virtual ~numbered() = default;
  virtual int number() const = 0;
  void note() { seen = pointer_to(*this); }
  mobile_ptr<numbered> seen;
};
struct alignas(32) named {
  std::array<char, 40> name{};
};
struct numbered_and_named final : named, numbered {
  int value = 0;
  numbered_and_named() = default;
  explicit numbered_and_named(int v) : value(v) {}
  int number() const override { return value; }
  template <class Archive>
  void serialize(Archive& a) {
    a(value, seen);
  }
};
struct own {
  mobile_ptr<own> seen;
  void note() { seen = pointer_to(*this); }
  bool knows(mobile_ptr<own> p) const { return seen == p && pointer_to(*this) == p; }
};

TEST(mobile, objects_know_their_pointers) {
  auto& j = the_job();
  object_space space(j);
  const auto pes = static_cast<std::uint64_t>(j.pes()), me = static_cast<std::uint64_t>(j.pe());
  collection<own> all(space, 3 * pes, [](std::uint64_t) { return own(); }, 4 * pes);
  const mobile_ptr<numbered> mixed = space.make<numbered_and_named>(j.pe());
  for (int round = 0; round < 2; ++round) { // where they were made, and where they have moved
    space.run([&] {
      if (round == 0) all.insert(3 * pes + me);
      if (j.pe() == 0) all.broadcast<&own::note>();
      all[3 * pes + me].send<&own::note>();
      mixed.send<&numbered::note>();
    });
    int right = 0, here = 0;
    all.for_each_local([&](std::uint64_t i, const own& o) { ++here, right += o.knows(all[i]); });
    EXPECT_EQ(right, here);
    if (const auto* const object = mixed.local(); object != nullptr) {
      EXPECT_EQ(object->seen, mixed);
    }
    space.balance(balance::rotate());
    mixed.migrate((j.pe() + 1) % j.pes());
    space.barrier();
  }
}

TEST(mobile, calls_give_futures) {
  auto& j = the_job();
  object_space space(j);
  const auto all = j.world().allgather(space.make<counter>());
  const auto next = all[static_cast<std::size_t>((j.pe() + 1) % j.pes())];
  EXPECT_EQ(next.call<&counter::add_length>("seven!!").get(), 7U);
  next.call<&counter::reset>().wait();
  next.migrate(j.pe());
  EXPECT_EQ(next.call<&counter::get>().get(), 0U);
  EXPECT_NE(next.local(), nullptr);
  next.destroy();
  space.barrier();
  EXPECT_EQ(next.local(), nullptr);
}

template <class T>
std::string what_was_thrown(const future<T>& f) {
  try {
    f.get();
  } catch (const error& e) {
    return e.what();
  }
  return "nothing";
}

TEST(mobile, an_exception_in_a_call_is_that_of_its_future) {
  auto& j = the_job();
  object_space space(j);
  const auto p = j.world().broadcast(space.make<counter>(), j.pes() - 1);
  const auto where = " of object 1 of PE " + std::to_string(j.pes() - 1);
  const auto long_reason = std::string(100'000, 'x'); // in several fragments
  const auto first = p.call<&counter::fail>("no more room"), second = p.call<&counter::fail>(long_reason);
  const auto third = p.call<&counter::fail_at>(0);
  const auto says = [](const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), text.npos) << part << " in: " << text.substr(0, 300);
  };
  says(what_was_thrown(first), "counter::fail" + where + " (class ");
  EXPECT_TRUE(what_was_thrown(first).ends_with(": no more room")) << what_was_thrown(first);
  EXPECT_TRUE(what_was_thrown(second).ends_with(": " + long_reason));
  says(what_was_thrown(third), "counter::fail_at" + where);
  EXPECT_TRUE(what_was_thrown(third).ends_with(": of unknown type")) << what_was_thrown(third);
  p.call<&counter::fail>("nobody asks");
  EXPECT_GE(p.call<&counter::get>().get(), 1U); // the object is there as before
}

// Nobody else sends anything on: the object comes through two PEs that are in a barrier.
TEST(mobile, answers_come_while_others_wait) {
  auto& j = the_job();
  object_space space(j);
  auto p = j.world().broadcast(space.make<counter>(), j.pes() - 1);
  if (j.pe() == 0) {
    for (pe_t to = 0; to < j.pes(); ++to) {
      p.migrate(to);
      p.send<&counter::add>(1);
      EXPECT_EQ(p.call<&counter::get>().get(), static_cast<std::uint64_t>(to) + 1);
    }
  }
  j.barrier();
}

TEST(mobile, random_programs_keep_every_message_in_order) {
  const auto seeds = the_job().pes() > 4 ? 30U : 80U;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    run_random_objects(the_job(), seed);
    if (HasFailure()) return;
  }
}

TEST(mobile, a_flood_meets_an_object_that_moves) {
  auto& j = the_job();
  object_space space(j);
  collection<counter> all(space, 4, [](std::uint64_t) { return counter(); });
  constexpr std::uint64_t messages = 50'000;
  space.run([&] {
    for (std::uint64_t i = 0; i < messages; ++i) {
      if (i % 1000 == 0 && j.pe() == 0) all[0].migrate(static_cast<pe_t>(i / 1000) % j.pes());
      all[i % 4].send<&counter::add>(1);
    }
  });
  const auto sum = all.reduce(std::uint64_t{0}, [](const counter& c) { return c.value; }, std::plus<>());
  EXPECT_EQ(sum, messages * static_cast<std::uint64_t>(j.pes()));
}

TEST(mobile, indices_come_and_go) {
  auto& j = the_job();
  object_space space(j);
  const auto pes = static_cast<std::uint64_t>(j.pes()), here = static_cast<std::uint64_t>(j.pe());
  collection<counter> all(space, 5, [](std::uint64_t i) { return counter{i}; }, 5 + 2 * pes);
  EXPECT_EQ(all.size(), 5U);
  space.run([&] {
    for (std::uint64_t i = 0; i < 5 + pes; ++i)
      if (i != 3) all[i].send<&counter::add>(100); // some are not there yet
    const auto mine = all.insert(5 + here, counter{5 + here});
    EXPECT_EQ(mine, all[5 + here]);
    EXPECT_NE(mine.local(), nullptr);
    mine.migrate(static_cast<pe_t>(here + 1) % j.pes());
    if (here == 0) all.erase(3), all.insert(4 + 2 * pes, counter{7}).send<&counter::add>(1);
  });
  EXPECT_EQ(all.size(), 5 + pes);
  EXPECT_FALSE(all.contains(3));
  EXPECT_TRUE(all.contains(5 + here));
  EXPECT_TRUE(all.contains(4 + 2 * pes));
  all.for_each_local([&](std::uint64_t i, counter& c) {
    EXPECT_EQ(c.value, i == 4 + 2 * pes ? 8 : i + 100 * pes);
    c.value = 0;
  });
  space.run([&] { all.broadcast<&counter::add>(1); });
  const auto count = [](const counter&) { return std::uint64_t{1}; };
  const auto value = [](const counter& c) { return c.value; };
  EXPECT_EQ(all.reduce(std::uint64_t{0}, count, std::plus<>()), 5 + pes);
  EXPECT_EQ(all.reduce(std::uint64_t{0}, value, std::plus<>()), (5 + pes) * pes);

  section<counter> some(all, {4 + 2 * pes, 0, 3, 5, 0, 3 + 2 * pes});
  EXPECT_EQ(some.indices().size(), pes == 1 ? 4U : 5U);
  space.run([&] { some.broadcast<&counter::add>(10); });
  const auto there = some.reduce(std::uint64_t{0}, count, std::plus<>());
  EXPECT_EQ(there, 3U);
  EXPECT_EQ(some.reduce(std::uint64_t{0}, value, std::plus<>()), there * 11 * pes);
  std::uint64_t visited = 0;
  some.for_each_local([&](std::uint64_t i, const counter&) { visited += i + 1; });
  EXPECT_EQ(j.world().sum(visited), 1 + 6 + (5 + 2 * pes));
}

// So many that those that have ended are forgotten, again and again.
TEST(mobile, generations_of_objects_come_and_go) {
  auto& j = the_job();
  const auto pes = static_cast<std::uint64_t>(j.pes()), here = static_cast<std::uint64_t>(j.pe());
  object_space space(j);
  collection<counter> all(space, 10, [](std::uint64_t i) { return counter{i}; }, 1'000'000);
  constexpr std::uint64_t generation = 700;
  std::uint64_t born = 10;
  for (std::uint64_t round = 1; round <= 12; ++round, born += generation) {
    for (auto i = born + here; i < born + generation; i += pes) all.insert(i, counter{0});
    space.run([&] {
      if (here == 0) all.broadcast<&counter::add>(1), all[born + 3].send<&counter::add>(round);
      for (auto i = born + here; i < born + generation; i += 3 * pes)
        all[i].migrate(static_cast<pe_t>(i / pes % pes));
    });
    EXPECT_EQ(all.size(), 10 + generation);
    EXPECT_TRUE(all.contains(born + generation - 1));
    EXPECT_FALSE(all.contains(born - 1) && round > 1);
    std::uint64_t visited = 0;
    all.for_each_local([&](std::uint64_t i, const counter& c) {
      ++visited;
      EXPECT_EQ(c.value, i < 10 ? i + round : i == born + 3 ? round : 0);
    });
    EXPECT_EQ(j.world().sum(visited), 10 + generation);
    space.run([&] {
      for (auto i = born + here; i < born + generation; i += pes) all.erase(i);
    });
    EXPECT_EQ(all.size(), 10U);
    space.balance(balance::rotate{});
  }
  for (std::uint64_t i = 10; i < born; ++i) EXPECT_FALSE(all.contains(i));
  if (here == 0) all[7].send<&counter::add>(5);
  space.barrier();
  EXPECT_EQ(all[7].call<&counter::get>().get(), 7U + 12 + 5);
  j.barrier();
}

// As `erase` does, which needs the collection.
TEST(mobile, objects_with_indices_that_end_are_no_more_in_their_collection) {
  auto& j = the_job();
  object_space space(j);
  collection<counter> all(space, 10, [](std::uint64_t i) { return counter{i}; }, 20);
  space.run([&] {
    if (j.pe() != 0) return;
    all[0].migrate(j.pes() - 1);
    for (const std::uint64_t i : {0, 3, 15}) {
      if (i == 15) all.insert(i, counter{i});
      all[i].destroy();
    }
  });
  EXPECT_EQ(all.size(), 8U);
  for (const std::uint64_t i : {0, 3, 15}) EXPECT_FALSE(all.contains(i)) << i;
  space.run([&] { all.broadcast<&counter::add>(1); });
  const auto count = [](const counter&) { return std::uint64_t{1}; };
  EXPECT_EQ(all.reduce(std::uint64_t{0}, count, std::plus<>()), 8U);
}

// An index that nobody has is the object's own affair until it is made by a handler.
struct tree {
  std::uint64_t depth = 0, handled = 0;
  static inline thread_local collection<tree>* all = nullptr; ///< of this PE
  void grow(std::uint64_t index, std::uint64_t levels) {
    ++handled;
    if (levels == 0) return;
    for (const auto child : {2 * index + 1, 2 * index + 2}) {
      (*all)[child].send<&tree::grow>(child, levels - 1); // before it is there
      (*all)[child].migrate(static_cast<pe_t>(child) % job::of_this_process()->pes());
      all->insert(child, tree{.depth = depth + 1});
    }
  }
};

// The first one to come is the first to go, while the other one is there.
TEST(mobile, visits_of_light_threads_side_by_side_keep_messages_away) {
  auto& j = the_job();
  object_space space(j);
  const auto mine = static_cast<std::uint64_t>(j.pe());
  collection<counter> all(space, static_cast<std::uint64_t>(j.pes()),
                          [](std::uint64_t) { return counter{}; });
  bool has_begun = false, is_over = false;
  finish([&] {
    spawn_at(communication_worker, [&] {
      all.for_each_local([&](counter&) {
        all[mine].send<&counter::add>(1);
        while (!has_begun) yield();
      });
      is_over = true;
    });
    spawn_at(communication_worker, [&] {
      all.for_each_local([&](counter& visited) {
        has_begun = true;
        while (!is_over) yield();
        context(j, aggregate).complete_own(); // the message is here then
        EXPECT_EQ(visited.value, 0U);
      });
    });
  });
  space.barrier();
  all.for_each_local([](const counter& c) { EXPECT_EQ(c.value, 1U); });
}

// What the program's own code does when it returns from main there, too.
TEST(mobile, collections_end_in_a_process_that_their_pe_has_forked) {
  object_space space(the_job());
  std::optional<collection<counter>> all(std::in_place, space, 10, [](std::uint64_t) { return counter{}; });
  const auto child = ::fork();
  if (child == 0) {
    all.reset();
    std::_Exit(0);
  }
  int status = -1;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST(mobile, handlers_insert_what_they_have_sent_to) {
  auto& j = the_job();
  object_space space(j);
  collection<tree> all(space, 1, [](std::uint64_t) { return tree(); }, 1023);
  tree::all = &all;
  space.run([&] {
    if (j.pe() == 0) all[0].send<&tree::grow>(0, 9);
  });
  EXPECT_EQ(all.size(), 1023U);
  std::uint64_t here = 0;
  all.for_each_local([&](std::uint64_t i, const tree& t) {
    EXPECT_EQ(t.handled, 1U) << i;
    EXPECT_EQ(i == 0 ? 0 : static_cast<std::uint64_t>(j.pe()),
              i == 0 ? 0 : i % static_cast<std::uint64_t>(j.pes()));
    ++here;
  });
  EXPECT_EQ(j.world().sum(here), 1023U);
  tree::all = nullptr;
}

struct large {
  std::array<std::uint64_t, 100'000> content{};
  void fill(std::uint64_t with) {
    for (auto& c : content) c += with++;
  }
};

TEST(mobile, large_objects_move_in_mid_epoch) {
  auto& j = the_job();
  object_space space(j);
  collection<large> all(space, 2, [](std::uint64_t) { return large(); });
  space.run([&] {
    for (std::uint64_t step = 0; step < 6; ++step) {
      all[step % 2].send<&large::fill>(step);
      if (j.pe() == 0) all[step % 2].migrate(static_cast<pe_t>(step) % j.pes());
    }
  });
  const auto pes = static_cast<std::uint64_t>(j.pes());
  all.for_each_local([&](std::uint64_t i, const large& l) {
    for (std::uint64_t k = 0; k < l.content.size(); k += 777)
      EXPECT_EQ(l.content[k], pes * (3 * k + 6 + 3 * i));
  });
}

TEST(mobile, one_quiescence_for_contexts_mailboxes_and_objects) {
  auto& j = the_job();
  object_space space(j);
  auto table = j.array<std::uint64_t>(8);
  {
    context ctx(j, aggregate);
    collection<counter> all(space, 8, [](std::uint64_t) { return counter(); });
    mailbox<std::uint64_t> post(j, [&](std::uint64_t i) {
      all[i].send<&counter::add>(1);
      ctx.add(table[i], 1);
    });
    space.run([&] {
      post.run([&] {
        for (std::uint64_t i = 0; i < 8; ++i) {
          post.send(static_cast<pe_t>(i) % j.pes(), i);
          all[i].migrate(static_cast<pe_t>(i + 1) % j.pes());
        }
      });
      // The end of that run was the end of all of it.
      const auto pes = static_cast<std::uint64_t>(j.pes());
      all.for_each_local([&](const counter& c) { EXPECT_EQ(c.value, pes); });
      for (const auto cell : table.local()) EXPECT_EQ(cell, pes);
      j.barrier();
    });
  }
  j.free(table);
}

struct weighted {
  double weight = 0;
  std::uint64_t touched = 0;
  double load() const { return weight; }
  void touch() { ++touched; }
};

TEST(mobile, balancing_moves_live_objects) {
  auto& j = the_job();
  object_space space(j);
  collection<weighted> all(space, 200, [&](std::uint64_t i) { return weighted{i < 20 ? 10.0 : 1.0}; });
  std::uint64_t rounds = 0;
  for (const auto name : balance::policy_names()) {
    const auto report = space.balance(balance::named_policy(name));
    EXPECT_EQ(report.objects, 200U);
    EXPECT_TRUE(name != "none" || report.moved == 0);
    EXPECT_TRUE(name != "rotate" || report.moved == (j.pes() > 1 ? 200U : 0U));
    EXPECT_TRUE((name != "refine" && name != "greedy") || report.after <= 1.05);
    space.run([&] {
      for (std::uint64_t i = 0; i < all.size(); ++i) all[i].send<&weighted::touch>();
    });
    ++rounds;
    all.for_each_local([&](std::uint64_t i, const weighted& w) {
      EXPECT_EQ(w.weight, i < 20 ? 10.0 : 1.0);
      EXPECT_EQ(w.touched, rounds * static_cast<std::uint64_t>(j.pes()));
    });
  }
  EXPECT_THROW(space.balance([](const balance::problem&) { return balance::moves{{1000, 0}}; }), error);
  const auto file = testing::TempDir() + "loads." + std::to_string(j.pes());
  space.write_loads(file);
  if (j.pe() == 0) {
    std::ifstream written(file);
    const std::string text{std::istreambuf_iterator<char>(written), {}};
    EXPECT_EQ(text.find("{\"pes\": " + std::to_string(j.pes()) + ", \"objects\": ["), 0U);
    EXPECT_EQ(std::ranges::count(text, '\n'), 202);
    std::remove(file.c_str());
  }
}

struct talker {
  std::uint64_t heard = 0;
  double load() const { return 1; }
  void talk(mobile_ptr<talker> to) {
    for (int i = 0; i < 10; ++i) to.send<&talker::hear>();
  }
  void hear() { ++heard; }
};

/// Pairs of objects that begin on different PEs, if there are two.
void bring_pairs_together(handlers where) {
  constexpr std::uint64_t count = 64, partner = 32, messages = 10 * count;
  auto& j = the_job();
  object_space space(j, where);
  collection<talker> all(space, count, [](std::uint64_t) { return talker{}; });
  const auto talk = [&] {
    space.run([&] {
      if (j.pe() == 0)
        for (std::uint64_t i = 0; i < count; ++i) all[i].send<&talker::talk>(all[i ^ partner]);
    });
  };
  EXPECT_EQ(space.balance(balance::refine_communication{}).moved, 0U); // counts from now on
  talk();
  const auto first = space.balance(balance::refine_communication{});
  talk();
  const auto second = space.balance(balance::refine_communication{});
  EXPECT_LE(first.after, 1.05);
  EXPECT_EQ(first.between_pes_before > 0, j.pes() > 1);
  EXPECT_LE(first.between_pes_after, first.between_pes_before / 4);
  EXPECT_EQ(second.between_pes_before, first.between_pes_after); // as it was foreseen
  EXPECT_EQ(all.reduce(std::uint64_t{0}, [](const talker& t) { return t.heard; }, std::plus()), 2 * messages);
}

struct wide_number {
  std::uint64_t value;
  std::array<std::uint64_t, 7> room;
};

long most_kib_so_far() {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  return used.ru_maxrss;
}

// As loads are, when all objects begin on one PE.
TEST(mobile, what_one_pe_has_is_gathered_in_little_more_memory) {
  const auto& world = the_job().world();
  constexpr std::uint64_t count = 400'000;
  for (pe_t from = 0; from < std::min(world.pes(), 2); ++from) {
    std::vector<wide_number> mine(world.pe() == from ? count : static_cast<std::uint64_t>(world.pe()));
    for (std::uint64_t i = 0; i < mine.size(); ++i) mine[i].value = i;
    const auto before = most_kib_so_far();
    const auto all = world.allgatherv(mine).elements();
    EXPECT_LE(most_kib_so_far() - before, static_cast<long>(5 * count * sizeof(wide_number) / 1024));
    auto at = all.begin();
    for (pe_t pe = 0; pe < world.pes(); ++pe)
      for (std::uint64_t i = 0; i < (pe == from ? count : static_cast<std::uint64_t>(pe)); ++i)
        ASSERT_EQ((at++)->value, i);
    ASSERT_EQ(at, all.end());
  }
}

TEST(mobile, objects_that_write_to_each_other_come_together) {
  bring_pairs_together(handlers::on_own_thread);
  bring_pairs_together(handlers::on_all_workers);
}

TEST(mobile, traffic_is_recorded_with_the_loads) {
  auto& j = the_job();
  object_space space(j);
  collection<talker> all(space, 2, [](std::uint64_t) { return talker{}; });
  space.count_traffic();
  space.barrier();
  space.run([&] {
    if (j.pe() == 0) all[0].send<&talker::talk>(all[1]);
  });
  const auto file = testing::TempDir() + "traffic." + std::to_string(j.pes());
  space.write_loads(file);
  if (j.pe() == 0) {
    std::ifstream written(file);
    const std::string text{std::istreambuf_iterator<char>(written), {}};
    EXPECT_NE(text.find("\"traffic\": [\n  {\"from\": 0, \"to\": 1, \"bytes\": "), std::string::npos) << text;
    std::remove(file.c_str());
  }
}

// The first balancing always happens. After that, nothing is gained.
TEST(mobile, balancing_by_itself_moves_what_pays) {
  auto& j = the_job();
  object_space space(j);
  collection<weighted> all(space, 64, [](std::uint64_t i) { return weighted{i < 16 ? 8.0 : 1.0}; });
  for (const auto& policy : {balance::policy(balance::refine{}), balance::policy(balance::gossip{})}) {
    space.balance(balance::greedy{});
    const auto report = space.balance_if_it_pays(policy);
    EXPECT_EQ(report.moved, 0U);
    EXPECT_EQ(report.after, report.before);
  }
  space.balance_every(1e-9, balance::rotate{}); // gains nothing, so it does nothing
  std::vector<std::uint64_t> before, after;
  all.for_each_local([&](std::uint64_t i, const weighted&) { before.push_back(i); });
  space.run([&] { all.broadcast<&weighted::touch>(); });
  all.for_each_local([&](std::uint64_t i, const weighted& w) {
    after.push_back(i);
    EXPECT_EQ(w.touched, static_cast<std::uint64_t>(j.pes()));
  });
  EXPECT_EQ(before, after);
}

struct busy {
  std::uint64_t sum = 0;
  void work(std::uint64_t steps) {
    for (std::uint64_t i = 0; i < steps; ++i) sum = sum * 6364136223846793005u + i;
  }
};

// Who leaves a barrier first may send to what is inserted before the next one.
TEST(mobile, a_barrier_judges_what_was_sent_before_it) {
  auto& j = the_job();
  object_space space(j);
  const auto pes = static_cast<std::uint64_t>(j.pes());
  const std::uint64_t rounds = pes > 4 ? 200 : 1500; // many PEs take long where they share processors
  collection<counter> all(space, 0, [](std::uint64_t) { return counter(); }, rounds * pes);
  for (std::uint64_t r = 0; r < rounds; ++r) {
    const auto i = r * pes + pes - 1; // of the last PE, and its home is there
    if (j.pe() == j.pes() - 1)
      all.insert(i);
    else
      all[i].send<&counter::add>(1);
    space.barrier();
  }
  const auto sum = all.reduce(std::uint64_t{0}, [](const counter& c) { return c.value; }, std::plus<>());
  EXPECT_EQ(sum, rounds * (pes - 1));
}

/// Each PE writes the number of its round to all others, and counts what is not of the round before.
struct in_step {
  static constexpr int rounds = 300;
  int* wrong;

  struct part final : balance::negotiator {
    part(const balance::share& s, int& w) : here(s.pe), pes(s.pes), wrong(w) {}

    std::vector<balance::message> round(std::span<const balance::message> messages) override {
      const auto expected = n == 0 ? 0 : pes - 1;
      for (const auto& m : messages) wrong += m.value != n - 1;
      wrong += static_cast<int>(messages.size()) != expected;
      std::vector<balance::message> all;
      for (pe_t pe = 0; pe < pes; ++pe)
        if (pe != here) all.push_back({.to = pe, .subject = 1, .value = static_cast<double>(n)});
      ++n;
      return all;
    }
    bool is_done() const override { return n >= rounds; }
    std::vector<balance::candidate> objects() const override { return {}; }

    pe_t here, pes;
    int& wrong;
    int n = 0;
  };
  std::unique_ptr<balance::negotiator> join(const balance::share& s) const {
    return std::make_unique<part>(s, *wrong);
  }
};

TEST(mobile, negotiators_get_the_messages_of_the_round_before) {
  auto& j = the_job();
  object_space space(j);
  const auto mine = space.make<counter>();
  int wrong = 0;
  space.balance(in_step{&wrong});
  EXPECT_EQ(wrong, 0);
  EXPECT_NE(mine.local(), nullptr);
}

/// Never done, and its last messages have no reader.
struct endless {
  struct part final : balance::negotiator {
    explicit part(const balance::share& s) : to((s.pe + 1) % s.pes) {}
    std::vector<balance::message> round(std::span<const balance::message>) override {
      return {{.to = to, .subject = 1, .value = -7}};
    }
    bool is_done() const override { return false; }
    std::vector<balance::candidate> objects() const override { return {}; }
    pe_t to;
  };
  std::unique_ptr<balance::negotiator> join(const balance::share& s) const {
    return std::make_unique<part>(s);
  }
};

TEST(mobile, a_balancing_that_is_broken_off_leaves_nothing_to_the_next) {
  auto& j = the_job();
  object_space space(j);
  const auto mine = space.make<counter>();
  EXPECT_THROW(space.balance(endless{}), error);
  int wrong = 0;
  space.balance(in_step{&wrong});
  EXPECT_EQ(wrong, 0);
  EXPECT_NE(mine.local(), nullptr);
}

struct nonsense_load {
  double load() const { return std::nan(""); }
};

TEST(mobile, a_load_that_is_no_number_is_an_error_on_all_pes) {
  auto& j = the_job();
  object_space space(j);
  if (j.pe() == 0) space.make<nonsense_load>();
  space.barrier();
  for (const auto& policy : {balance::policy(balance::refine{}), balance::policy(balance::gossip{}),
                             balance::policy(balance::diffusion{})})
    EXPECT_THROW(space.balance(policy), error);
  const auto file = testing::TempDir() + "nonsense." + std::to_string(j.pes());
  EXPECT_THROW(space.write_loads(file), error);
  EXPECT_FALSE(std::ifstream(file));
}

/// On PE 0, and nowhere else.
struct unloadable {
  static inline bool is_so = false;
  double load() const {
    if (is_so) throw std::runtime_error("no load today");
    return 1;
  }
};
enum class thrower { none, join, round, is_done, objects };
struct throws_on_pe_0 {
  thrower where;

  struct part final : balance::negotiator {
    part(thrower w, pe_t pe) : where(pe == 0 ? w : thrower::none) {}
    void act(thrower here) const {
      if (here == where) throw std::runtime_error("not here");
    }
    std::vector<balance::message> round(std::span<const balance::message>) override {
      act(thrower::round);
      ++n;
      return {};
    }
    bool is_done() const override {
      act(thrower::is_done);
      return n > 1;
    }
    std::vector<balance::candidate> objects() const override {
      act(thrower::objects);
      return {};
    }
    thrower where;
    int n = 0;
  };
  std::unique_ptr<balance::negotiator> join(const balance::share& s) const {
    auto p = std::make_unique<part>(where, s.pe);
    p->act(thrower::join);
    return p;
  }
};

std::string why_not_balanced(object_space& space, const balance::policy& policy) {
  try {
    space.balance(policy);
  } catch (const error& e) {
    return e.what();
  }
  return "balanced";
}

TEST(mobile, what_throws_on_one_pe_in_a_balancing_all_pes_hear) {
  auto& j = the_job();
  object_space space(j);
  collection<unloadable> all(space, 5, [](std::uint64_t) { return unloadable(); });
  unloadable::is_so = j.pe() == 0;
  const bool has_one = !j.world().broadcast(space.core().ids().empty(), 0);
  for (const auto& policy : {balance::policy(balance::refine{}), balance::policy(balance::gossip{})})
    EXPECT_EQ(why_not_balanced(space, policy), has_one ? "no load today" : "balanced");
  unloadable::is_so = false;
  for (const auto where : {thrower::join, thrower::round, thrower::is_done, thrower::objects})
    EXPECT_EQ(why_not_balanced(space, throws_on_pe_0{where}), "not here") << static_cast<int>(where);
  EXPECT_EQ(why_not_balanced(space, throws_on_pe_0{thrower::none}), "balanced");
  const auto central = [&](const balance::problem& p) {
    return j.pe() == 0 ? throw std::runtime_error("no plan") : balance::rotate{}(p);
  };
  EXPECT_EQ(why_not_balanced(space, central), "no plan");
  EXPECT_EQ(all.reduce(0, [](const unloadable&) { return 1; }, std::plus<>()), 5);
}

struct alignas(16) four {
  float of[4];
};
struct aligned_sums {
  std::uint64_t misaligned = 0;
  float sum = 0;
  void add_behind(std::uint64_t, std::span<const four> all) { add(all); }
  void add(std::span<const four> all) {
    misaligned += reinterpret_cast<std::uintptr_t>(all.data()) % alignof(four);
    for (const auto& one : all) sum += one.of[0] + one.of[3];
  }
};

TEST(mobile, elements_of_spans_are_aligned) {
  auto& j = the_job();
  object_space space(j);
  collection<aligned_sums> all(space, 4, [](std::uint64_t) { return aligned_sums(); });
  const std::vector<four> values(5, four{{1, 2, 3, 4}});
  space.run([&] {
    for (std::uint64_t i = 0; i < all.size(); ++i) {
      all[i].send<&aligned_sums::add_behind>(7U, std::span<const four>(values));
      all[i].send<&aligned_sums::add>(std::span<const four>(values));
    }
  });
  all.for_each_local([&](const aligned_sums& one) {
    EXPECT_EQ(one.misaligned, 0U);
    EXPECT_EQ(one.sum, static_cast<float>(50 * j.pes()));
  });
}

// Beside what classes tell, which may be seconds, too.
TEST(mobile, measured_loads_are_seconds) {
  for (const auto where : {handlers::on_own_thread, handlers::on_all_workers}) {
    auto& j = the_job();
    object_space space(j, where);
    const auto one = space.make<busy>();
    const auto begin = std::chrono::steady_clock::now();
    space.run([&] { one.send<&busy::work>(10'000'000); });
    double load = 0;
    space.balance([&](const balance::problem& p) {
      for (const auto& o : p.objects) load = std::max(load, o.load);
      return balance::moves();
    });
    const std::chrono::duration<double> most = std::chrono::steady_clock::now() - begin;
    EXPECT_LT(load, 2 * j.world().max(most.count()));
    EXPECT_GT(load, 1e-4);
  }
}

// Measured loads: the objects that have worked are those that go.
TEST(mobile, busy_time_is_the_load) {
  auto& j = the_job();
  object_space space(j);
  const auto pes = static_cast<std::uint64_t>(j.pes());
  collection<busy> all(space, 4 * pes, [](std::uint64_t) { return busy(); });
  space.run([&] {
    if (j.pe() == 0)
      for (std::uint64_t i = 0; i < all.size(); ++i) all[i].send<&busy::work>(i < 4 ? 400'000 : 10);
  });
  const auto report = space.balance(balance::greedy{});
  std::uint64_t heavy = 0;
  all.for_each_local([&](std::uint64_t i, const busy&) { heavy += i < 4; });
  EXPECT_LE(heavy, (3 + pes) / pes + 1);
  EXPECT_LE(report.after, report.before);
}

} // namespace
} // namespace windrow::test
