// SPDX-License-Identifier: BSD-3-Clause
// What life_test.py looks at from outside: checkpoints, floods, misuse, and an end in mid-move.
#include <sys/resource.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "windrow/mobile.hpp"
#include "windrow/multicast.hpp"
#include "windrow/object_event.hpp"
#include "windrow/windrow.hpp"

void make_other_twin(windrow::object_space&); // life_twin.cpp

namespace {

using windrow::collection;
using windrow::handlers;
using windrow::job;
using windrow::mobile_ptr;
using windrow::object_space;

/// In a ring.
struct node {
  std::uint64_t value = 0;
  mobile_ptr<node> next{};

  void add_round(std::uint64_t more, std::uint64_t left) {
    value += more;
    if (left > 0) next.send<&node::add_round>(more, left - 1);
  }
  void set_next(const mobile_ptr<node>& n) { next = n; }
  std::uint64_t get() const { return value; }
};
constexpr std::uint64_t nodes = 101;

std::uint64_t sum_of(collection<node>& ring) {
  return ring.reduce(std::uint64_t{0}, [](const node& n) { return n.value; }, std::plus<>());
}

struct large {
  std::vector<std::uint64_t> content = std::vector<std::uint64_t>(1'000'000);
  void touch() { ++content.front(); }
  template <class Archive>
  void serialize(Archive& a) {
    std::uint64_t size = content.size();
    a(size);
    content.resize(size);
    for (auto& c : content) a(c);
  }
};

// One object more is in the ring than in the collection.
void save(job& j, const std::string& directory) {
  object_space space(j);
  collection<node> gone(space, 7, [](std::uint64_t) { return node{1000}; }, 9);
  collection<node> ring(space, nodes, [](std::uint64_t i) { return node{i}; });
  const auto loose = j.world().broadcast(space.make<node>(node{5000}), j.pes() - 1);
  space.run([&] {
    if (j.pe() == j.pes() - 1) gone.insert(8, node{1000});
    if (j.pe() != 0) return;
    gone.erase(2);
    for (std::uint64_t i = 0; i < nodes; ++i)
      ring[i].send<&node::set_next>(i + 1 < nodes ? ring[i + 1] : loose);
    loose.send<&node::set_next>(ring[0]);
    loose.migrate(0);
  });
  space.balance(windrow::balance::random{});
  space.save(directory);
}

void restore_in(object_space& space, job& j, const std::string& directory) {
  space.restore(directory);
  const auto none = [](std::uint64_t) -> node { std::abort(); };
  collection<node> gone(space, 7, none, 9);
  if (!gone.contains(8) || gone.contains(2)) std::abort();
  collection<node> ring(space, nodes, none);
  const auto fresh = space.make<node>(node{1});
  space.run([&] {
    if (j.pe() == 0) ring[3].send<&node::add_round>(10, 3 * (nodes + 1) - 1);
    ring[0].migrate(j.pes() - 1);
    gone[8].send<&node::add_round>(0, 0);
    fresh.send<&node::add_round>(1, 0);
  });
  space.balance(windrow::balance::rotate{});
  const auto sum = sum_of(ring);
  const auto others = sum_of(gone);
  if (j.pe() == 0) {
    const auto last = ring[nodes - 1].call<&node::get>().get();
    std::printf("sum %llu, last %llu, others %llu, fresh %llu\n", static_cast<unsigned long long>(sum),
                static_cast<unsigned long long>(last), static_cast<unsigned long long>(others),
                static_cast<unsigned long long>(fresh.call<&node::get>().get()));
  }
  j.barrier();
  space.save(directory + ".again"); // the next job may do the same
}

void restore(job& j, const std::string& directory, handlers where) {
  object_space space(j, where);
  restore_in(space, j, directory);
}

// Saved again by fewer PEs before it makes the collections that were there.
void pass_on(job& j, const std::string& directory) {
  object_space space(j);
  space.restore(directory);
  space.save(directory);
}

// The objects that each PE makes are others than those it had made before.
void restore_and_make(job& j, const std::string& directory) {
  object_space space(j);
  space.restore(directory);
  const auto none = [](std::uint64_t) -> node { std::abort(); };
  const collection<node> gone(space, 7, none, 9);
  collection<node> ring(space, nodes, none);
  for (int i = 0; i < 50; ++i) space.make<node>(node{1'000'000});
  const auto sum = sum_of(ring);
  if (j.pe() == 0) std::printf("sum %llu\n", static_cast<unsigned long long>(sum));
}

// By its name, which it still has, before the collection is there that it belongs to.
void end_between_restore_and_make(job& j, const std::string& directory) {
  const auto make = [](std::uint64_t i) { return node{i}; };
  mobile_ptr<node> fifth;
  {
    object_space space(j);
    {
      const collection<node> ended(space, 3, make);
    }
    const collection<node> first(space, 3, make);
    collection<node> ring(space, nodes, make);
    fifth = ring[5];
    space.save(directory);
  }
  object_space space(j);
  space.restore(directory);
  if (j.pe() == 0) fifth.destroy();
  space.barrier();
  const collection<node> first(space, 3, make);
  collection<node> ring(space, nodes, make);
  ring.broadcast<&node::add_round>(1, 0);
  const auto sum = sum_of(ring);
  if (j.pe() == 0)
    std::printf("%llu left, %s, sum %llu\n", static_cast<unsigned long long>(ring.size()),
                ring.contains(5) ? "with it" : "without it", static_cast<unsigned long long>(sum));
}

// What is refused leaves nothing behind.
void restore_after_a_refusal(job& j, const std::string& directory) {
  object_space space(j);
  try {
    space.restore(directory + ".bad");
    std::abort();
  } catch (const windrow::error& e) {
    if (j.pe() == 0) std::printf("%s\n", e.what());
  }
  restore_in(space, j, directory);
}

struct choosy {
  std::uint64_t number = 0;
  static inline bool saves = false, loads = false; ///< what is refused
  static inline bool has_grown = false;            ///< since it was saved

  ~choosy() {} // so it is not plain bytes
  void save(windrow::mobile::output_archive& a) const {
    if (saves && number == 1) throw std::runtime_error("not this one");
    a(number);
  }
  void load(windrow::mobile::input_archive& a) {
    a(number);
    if (std::uint64_t more = 0; has_grown) a(more);
    if (loads && number == 1) throw std::runtime_error("not this one");
  }
};

// One object of one PE is refused; what all do next goes on.
template <class Do>
void report_refusal(job& j, Do act) {
  std::string said = "nothing";
  try {
    act();
  } catch (const windrow::error& e) {
    said = e.what();
  }
  const auto sum = j.world().sum(1);
  for (windrow::pe_t pe = 0; pe < j.pes(); ++pe, j.barrier())
    if (pe == j.pe()) {
      std::printf("PE %d: %s, sum %d\n", pe, said.c_str(), sum);
      std::fflush(stdout);
    }
}
void save_throws(job& j, const std::string& directory) {
  object_space space(j);
  space.make<choosy>(choosy{static_cast<std::uint64_t>(j.pe())});
  space.save(directory);
  choosy::saves = true;
  report_refusal(j, [&] { space.save(directory); });
}
void restore_throws(job& j, const std::string& directory) {
  object_space space(j);
  choosy::loads = true;
  report_refusal(j, [&] { space.restore(directory); });
}

void restore_grown(job& j, const std::string& directory) {
  object_space space(j);
  choosy::has_grown = true;
  report_refusal(j, [&] { space.restore(directory); });
}

constexpr std::uint64_t many_large = 8;

void save_large(job& j, const std::string& directory) {
  object_space space(j);
  const collection<large> all(space, many_large, [](std::uint64_t) { return large(); });
  space.save(directory);
}
void restore_large(job& j, const std::string& directory) {
  const auto memory = [] {
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    return used.ru_maxrss;
  };
  const auto before = memory();
  object_space space(j);
  space.restore(directory);
  if (j.pe() == 0) std::printf("%ld\n", (memory() - before) / 1024);
}

// Of none of these objects any PE has given out a number.
void restore_twice(job& j, const std::string& directory) {
  {
    object_space space(j);
    collection<node> all(space, 0, [](std::uint64_t) { return node(); }, 10);
    if (j.pe() == 0) all.insert(3, node{7});
    space.save(directory);
  }
  object_space space(j);
  space.restore(directory);
  space.restore(directory);
}

struct twin {
  std::uint64_t weight = 1;
};
void save_twins(job& j, const std::string& directory) {
  object_space space(j);
  space.make<twin>();
  make_other_twin(space);
  report_refusal(j, [&] { space.save(directory); });
}

// Each time a PE may have got on with its part before another one has begun.
void restore_often(job& j, const std::string& directory) {
  for (int i = 0; i < 100; ++i) {
    object_space space(j);
    space.restore(directory);
    const auto none = [](std::uint64_t) -> node { std::abort(); };
    const collection<node> gone(space, 7, none, 9);
    collection<node> ring(space, nodes, none);
    ring.broadcast<&node::add_round>(1, 0);
    space.barrier();
    if (sum_of(ring) != 5050 + static_cast<std::uint64_t>(j.pes()) * nodes) std::abort();
  }
}

void restore_other_class(job& j, const std::string& directory) {
  object_space space(j);
  space.restore(directory);
  const collection<large> gone(space, 7, [](std::uint64_t) { return large(); }, 9);
}

void restore_other_size(job& j, const std::string& directory) {
  object_space space(j);
  space.restore(directory);
  collection<node> gone(space, 8, [](std::uint64_t) { return node(); });
}

void restore_after_a_collection(job& j, const std::string& directory) {
  object_space space(j);
  const collection<node> empty(space, 0, [](std::uint64_t) { return node(); }, 100);
  space.restore(directory);
}

void restore_late(job& j, const std::string& directory) {
  object_space space(j);
  space.make<node>();
  space.restore(directory);
}

// Until somebody ends it.
void move_for_ever(job& j) {
  object_space space(j);
  collection<large> all(space, 4, [](std::uint64_t) { return large(); });
  std::printf("moving\n");
  std::fflush(stdout);
  for (std::uint64_t round = 0;; ++round)
    space.run([&] {
      for (std::uint64_t i = 0; i < all.size(); ++i) {
        all[i].send<&large::touch>();
        if (j.pe() == 0) all[i].migrate(static_cast<windrow::pe_t>(i + round) % j.pes());
      }
    });
}

struct counter {
  std::uint64_t value = 0;
  void add(std::uint64_t more) {
    value += more;
    for (int i = 0; i < 100; ++i) asm volatile(""); // slower than who sends
  }
};

// A million messages and no barrier before the end.
void flood(job& j, handlers where, std::uint64_t objects) {
  object_space space(j, where);
  collection<counter> all(space, objects, [](std::uint64_t) { return counter(); });
  constexpr std::uint64_t messages = 1'000'000;
  space.run([&] {
    if (j.pe() == 0)
      for (std::uint64_t i = 0; i < messages; ++i) all[objects - 1 - i % objects].send<&counter::add>(1);
  });
  const auto sum = all.reduce(std::uint64_t{0}, [](const counter& c) { return c.value; }, std::plus<>());
  if (j.pe() == 0) std::printf("sum %llu\n", static_cast<unsigned long long>(sum));
}

struct relay {
  mobile_ptr<counter> next{};
  void add(std::uint64_t more) {
    for (int i = 0; i < 1000; ++i) asm volatile("");
    next.send<&counter::add>(more);
  }
};

// To an object of the last PE, which sends it on to one of the first.
void pass_flood_on(job& j) {
  object_space space(j, handlers::on_all_workers);
  collection<counter> all(space, static_cast<std::uint64_t>(j.pes()),
                          [](std::uint64_t) { return counter(); });
  const auto last = j.world().broadcast(space.make<relay>(relay{all[0]}), j.pes() - 1);
  constexpr std::uint64_t messages = 500'000;
  space.run([&] {
    for (std::uint64_t i = 0; i < messages; ++i) last.send<&relay::add>(1);
  });
  if (auto* const first = all[0].local(); first != nullptr)
    std::printf("sum %llu\n", static_cast<unsigned long long>(first->value));
}

void send_to_the_dead(job& j) {
  object_space space(j);
  const auto p = j.world().broadcast(space.make<counter>(), j.pes() - 1);
  space.run([&] {
    if (j.pe() == 0) p.destroy();
  });
  space.run([&] {
    if (j.pe() == 0) p.send<&counter::add>(1);
  });
}

struct wanderer {
  mobile_ptr<wanderer> self{};
  windrow::pe_t pes = 1;
  std::uint64_t handled = 0;
  // The move comes when this handler is over.
  void go(windrow::pe_t to) {
    self.migrate(to);
    ++handled;
    if (handled < 20) self.send<&wanderer::go>(static_cast<windrow::pe_t>(to + 1) % pes);
  }
};

void move_in_own_handler(job& j) {
  object_space space(j);
  wanderer first;
  first.pes = j.pes();
  const auto p = j.world().broadcast(space.make<wanderer>(first), 0);
  if (j.pe() == 0) p.local()->self = p;
  space.run([&] {
    if (j.pe() == 0) p.send<&wanderer::go>(j.pes() - 1);
  });
  if (auto* w = p.local()) std::printf("handled %llu\n", static_cast<unsigned long long>(w->handled));
}

struct stubborn {
  std::uint64_t value = 0;
  std::vector<int> rest{}; // so that it is no plain bytes
  template <class Archive>
  void serialize(Archive& a) {
    a(value);
    if (value == 1 + Archive::is_loading::value) throw std::runtime_error("will not go");
  }
};

void cannot_leave(job& j) {
  object_space space(j);
  space.run([&] { space.make<stubborn>(stubborn{1}).migrate((j.pe() + 1) % j.pes()); });
}

void cannot_arrive(job& j) {
  object_space space(j);
  space.run([&] { space.make<stubborn>(stubborn{2}).migrate((j.pe() + 1) % j.pes()); });
}

struct asker {
  mobile_ptr<asker> other{};
  std::uint64_t ask() { return other.call<&asker::get>().get(); }
  std::uint64_t get() { return 1; }
};

void wait_for_oneself(job& j) {
  object_space space(j, windrow::handlers::on_all_workers);
  const auto p = j.world().broadcast(space.make<asker>(), j.pes() - 1);
  if (p.local() != nullptr) p.local()->other = p;
  space.run([&] {
    if (j.pe() == 0) p.send<&asker::ask>();
  });
}

void ask_with_both(asker& a, asker& /*b*/) {
  a.ask();
}

void wait_for_oneself_in_a_multicast(job& j) {
  object_space space(j, windrow::handlers::on_all_workers);
  collection<asker> all(space, 2, [](std::uint64_t) { return asker(); });
  all.for_each_local([&](std::uint64_t i, asker& a) { a.other = all[i]; });
  space.run([&] {
    if (j.pe() == 0) windrow::multicast<ask_with_both>(std::tuple(all[0], all[1]));
  });
}

// Two objects on two PEs: for ever.
void wait_for_each_other(job& j) {
  object_space space(j, windrow::handlers::on_all_workers);
  collection<asker> all(space, 2, [](std::uint64_t) { return asker(); });
  all.for_each_local([&](std::uint64_t i, asker& a) { a.other = all[1 - i]; });
  space.run([&] {
    if (j.pe() == 0) all.broadcast<&asker::ask>();
  });
}

void both(asker& /*a*/, asker& /*b*/) {}
void throw_with_both(asker& /*a*/, asker& /*b*/) {
  throw std::runtime_error("no room for both");
}

void multicast_twice(job& j) {
  object_space space(j);
  const auto p = space.make<asker>();
  windrow::multicast<both>(std::tuple(p, p));
}

// Index 1 was there from the beginning, 7 was inserted.
void save_erased(job& j, const std::string& directory) {
  object_space space(j);
  collection<counter> all(space, 4, [](std::uint64_t) { return counter(); }, 10);
  collection<mobile_ptr<counter>> names(space, 2, [](std::uint64_t) { return mobile_ptr<counter>(); });
  space.run([&] {
    if (j.pe() != 0) return;
    *names[0].local() = all.insert(7);
    all.erase(1), all.erase(7);
  });
  space.save(directory);
}
void send_to_erased(job& j, const std::string& directory, bool inserted) {
  object_space space(j);
  space.restore(directory);
  collection<counter> all(space, 4, [](std::uint64_t) { return counter(); }, 10);
  collection<mobile_ptr<counter>> names(space, 2, [](std::uint64_t) { return mobile_ptr<counter>(); });
  space.run([&] {
    if (j.pe() == 0) (inserted ? *names[0].local() : all[1]).send<&counter::add>(1);
  });
}

void multicast_to_the_dead(job& j) {
  object_space space(j);
  collection<asker> all(space, 2, [](std::uint64_t) { return asker(); });
  space.run([&] {
    if (j.pe() == 0) all[1].destroy();
  });
  space.run([&] {
    if (j.pe() == 0) windrow::multicast<both>(std::tuple(all[0], all[1]));
  });
}

void multicast_throws(job& j) {
  object_space space(j);
  collection<asker> all(space, 2, [](std::uint64_t) { return asker(); });
  space.run([&] {
    if (j.pe() == 0) windrow::multicast<throw_with_both>(std::tuple(all[1], all[0]));
  });
}

void signal_too_late(job& j) {
  object_space space(j);
  const auto event = windrow::send_after<&counter::add>(space.make<counter>(), 1, 1);
  space.run([&] { event.signal(); });
  space.run([&] { event.signal(); });
}

void signal_of_null(job& j) {
  object_space space(j);
  const auto event = windrow::send_after<&counter::add>(space.make<counter>(), 0, 1);
  space.run([&] { event.signal(); });
}

void signal_too_often(job& j) {
  object_space space(j);
  const auto p = space.make<counter>();
  space.run([&] {
    const auto e = windrow::send_after<&counter::add>(p, 2, 1);
    for (int i = 0; i < 3; ++i) e.signal();
  });
}

void on_workers_of_some(job& j) {
  const object_space space(
      j, j.pe() == 0 ? windrow::handlers::on_all_workers : windrow::handlers::on_own_thread);
}

void balance_in_a_visit(job& j) {
  object_space space(j);
  collection<counter> all(space, 2, [](std::uint64_t) { return counter(); });
  all.for_each_local([&](const counter&) { space.balance(windrow::balance::rotate{}); });
}

void pointer_to_no_object(job& j) {
  object_space space(j);
  struct {
    std::array<std::uint64_t, 8> before{};
    counter local;
  } nowhere;
  windrow::pointer_to(nowhere.local);
}

void null(job& j) {
  object_space space(j);
  mobile_ptr<counter>().send<&counter::add>(1);
}

} // namespace

int main(int argc, char** argv) {
  job j(argc, argv);
  const std::string_view what = argc > 1 ? argv[1] : "";
  const std::string directory = argc > 2 ? argv[2] : "";
  if (what == "save") save(j, directory);
  if (what == "restore") restore(j, directory, handlers::on_own_thread);
  if (what == "restore_on_workers") restore(j, directory, handlers::on_all_workers);
  if (what == "pass_on") pass_on(j, directory);
  if (what == "restore_and_make") restore_and_make(j, directory);
  if (what == "end_between_restore_and_make") end_between_restore_and_make(j, directory);
  if (what == "restore_after_a_refusal") restore_after_a_refusal(j, directory);
  if (what == "save_throws") save_throws(j, directory);
  if (what == "restore_throws") restore_throws(j, directory);
  if (what == "restore_grown") restore_grown(j, directory);
  if (what == "restore_twice") restore_twice(j, directory);
  if (what == "save_large") save_large(j, directory);
  if (what == "restore_large") restore_large(j, directory);
  if (what == "save_twins") save_twins(j, directory);
  if (what == "restore_often") restore_often(j, directory);
  if (what == "restore_other_class") restore_other_class(j, directory);
  if (what == "restore_other_size") restore_other_size(j, directory);
  if (what == "restore_after_a_collection") restore_after_a_collection(j, directory);
  if (what == "restore_late") restore_late(j, directory);
  if (what == "move_for_ever") move_for_ever(j);
  if (what == "flood") flood(j, handlers::on_own_thread, 1000);
  if (what == "flood_one_on_workers") flood(j, handlers::on_all_workers, 1);
  if (what == "flood_on_workers") flood(j, handlers::on_all_workers, 1000);
  if (what == "flood_that_is_passed_on") pass_flood_on(j);
  if (what == "send_to_the_dead") send_to_the_dead(j);
  if (what == "move_in_own_handler") move_in_own_handler(j);
  if (what == "wait_for_oneself") wait_for_oneself(j);
  if (what == "wait_for_oneself_in_a_multicast") wait_for_oneself_in_a_multicast(j);
  if (what == "wait_for_each_other") wait_for_each_other(j);
  if (what == "multicast_twice") multicast_twice(j);
  if (what == "multicast_to_the_dead") multicast_to_the_dead(j);
  if (what == "multicast_throws") multicast_throws(j);
  if (what == "signal_too_often") signal_too_often(j);
  if (what == "signal_too_late") signal_too_late(j);
  if (what == "signal_of_null") signal_of_null(j);
  if (what == "save_erased") save_erased(j, directory);
  if (what == "send_to_erased") send_to_erased(j, directory, false);
  if (what == "send_to_insertion_erased") send_to_erased(j, directory, true);
  if (what == "on_workers_of_some") on_workers_of_some(j);
  if (what == "pointer_to_no_object") pointer_to_no_object(j);
  if (what == "null") null(j);
  if (what == "balance_in_a_visit") balance_in_a_visit(j);
  if (what == "cannot_leave") cannot_leave(j);
  if (what == "cannot_arrive") cannot_arrive(j);
}
