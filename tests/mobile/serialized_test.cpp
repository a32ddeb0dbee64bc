// SPDX-License-Identifier: BSD-3-Clause
// Objects and arguments that are not plain bytes.
#include <malloc.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cereal/types/map.hpp>
#include <cereal/types/string.hpp>
#include <cereal/types/vector.hpp>
#include <chrono>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/pe_test.hpp"
#include "windrow/mobile.hpp"

namespace windrow::test {
namespace {

struct dictionary {
  std::map<std::string, std::vector<std::uint32_t>> places;

  void add(const std::string& word, const std::vector<std::uint32_t>& at) {
    auto& all = places[word];
    all.insert(all.end(), at.begin(), at.end());
  }
  std::vector<std::uint32_t> find(std::string_view word) const {
    const auto found = places.find(std::string(word));
    return found == places.end() ? std::vector<std::uint32_t>() : found->second;
  }
  template <class Archive>
  void serialize(Archive& a) {
    a(places);
  }
};

TEST(serialized, objects_grow_and_move) {
  auto& j = the_job();
  object_space space(j);
  collection<dictionary> all(space, 3, [](std::uint64_t) { return dictionary(); });
  for (std::uint32_t round = 0; round < 5; ++round)
    space.run([&] {
      for (std::uint64_t i = 0; i < all.size(); ++i) {
        all[i].send<&dictionary::add>("word " + std::to_string(round),
                                      std::vector<std::uint32_t>(1 + 3000 * i, round));
        if (j.pe() == 0) all[i].migrate(static_cast<pe_t>(i + round) % j.pes());
      }
    });
  for (std::uint64_t i = 0; i < all.size(); ++i) {
    const auto answer = all[i].call<&dictionary::find>("word 3");
    const auto found = answer.get();
    EXPECT_EQ(found.size(), (1 + 3000 * i) * static_cast<std::uint64_t>(j.pes()));
    EXPECT_EQ(found.back(), 3U);
    EXPECT_TRUE(all[i].call<&dictionary::find>("no word").get().empty());
  }
  space.balance(balance::rotate{});
  EXPECT_EQ(
      all.reduce(std::uint64_t{0}, [](const dictionary& d) { return d.places.size(); }, std::plus<>()), 15U);
}

/// Fails on its way out.
struct unwritable {
  int value = 0;
  template <class Archive>
  void save(Archive&) const {
    throw std::runtime_error("not to be written");
  }
  template <class Archive>
  void load(Archive& a) {
    a(value);
  }
};
struct reader {
  int value = 0;
  int read(const unwritable& u) const { return value + u.value; }
};

TEST(serialized, a_call_that_was_not_sent_keeps_no_memory) {
  object_space space(the_job());
  const auto p = space.make<reader>();
  const auto call = [&] { EXPECT_THROW(p.call<&reader::read>(unwritable()), std::runtime_error); };
  call();
  constexpr std::size_t calls = 5000;
  const auto before = ::mallinfo2().uordblks;
  for (std::size_t i = 0; i < calls; ++i) call();
  EXPECT_LT(::mallinfo2().uordblks, before + calls * sizeof(void*));
  space.barrier();
}

/// Neither copied nor moved.
struct tally {
  std::atomic<std::uint64_t> looks = 0;
  tally() = default;
  explicit tally(std::uint64_t n) : looks(n) {}
  void look() { ++looks; }
  void save(mobile::output_archive& a) const { a(looks.load()); }
  void load(mobile::input_archive& a) {
    std::uint64_t n;
    a(n);
    looks = n;
  }
};

TEST(serialized, objects_of_collections_are_made_in_place) {
  auto& j = the_job();
  object_space space(j);
  collection<tally> all(space, 5, [](std::uint64_t i) { return tally(i); }, 6);
  space.run([&] {
    all.broadcast<&tally::look>();
    if (j.pe() == 0) all.insert(5, 5U);
  });
  space.balance(balance::rotate{});
  const auto pes = static_cast<std::uint64_t>(j.pes());
  all.for_each_local([&](std::uint64_t i, const tally& t) { EXPECT_EQ(t.looks, i < 5 ? i + pes : 5); });
}

// Bases that messages may take an object for: the second one does not begin where the object does.
struct named {
  std::uint64_t name_length = 7;
  std::uint64_t length() const { return name_length; }
};
struct shape {
  virtual ~shape() = default;
  virtual double area() const = 0;
  void grow(double by) { factor += by; }
  double factor = 1;
};
struct square : named, shape {
  double side = 2;
  double area() const override { return side * side * factor; }
  template <class Archive>
  void serialize(Archive& a) {
    a(side, factor, name_length);
  }
};
struct small_square final : square {};

TEST(serialized, objects_are_what_their_bases_are) {
  auto& j = the_job();
  object_space space(j);
  const auto mine = space.make<small_square>();
  const auto all = j.world().allgather(mobile_ptr<square>(mine));
  const mobile_ptr<shape> next = all[static_cast<std::size_t>((j.pe() + 1) % j.pes())];
  const mobile_ptr<named> name = all.front();
  space.run([&] {
    next.send<&shape::grow>(1.0);
    next.migrate(j.pe());
    next.send<&shape::grow>(0.5);
  });
  EXPECT_EQ(next.call<&shape::area>().get(), 10);
  EXPECT_EQ(next.local()->area(), 10);
  EXPECT_EQ(name.call<&named::length>().get(), 7U);
  space.barrier();
  const mobile_ptr<dictionary> wrong(space.make<small_square>().id());
  EXPECT_DEATH(wrong.local(), "an object of class .*::small_square for one of another class");
}

/// Takes more of a stack to be written than light threads have.
struct deep {
  std::uint64_t done = 0;

  void note(std::uint64_t more) { done += more; }
  void sleep() {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    ++done;
  }
  template <class Archive>
  void serialize(Archive& a) {
    volatile char room[300'000];
    for (std::size_t i = 0; i < sizeof room; i += 1000) room[i] = 1;
    a(done);
  }
};

struct speaker {
  void send_to(const std::vector<mobile_ptr<deep>>& all) {
    for (int i = 0; i < 1000; ++i)
      for (const auto p : all) p.send<&deep::note>(1U);
  }
};

// A handler that sends on PE 0 has messages handled, those of PEs that take objects among them.
TEST(serialized, objects_leave_for_idle_pes_on_the_stack_of_main_code) {
  auto& j = the_job();
  object_space space(j, handlers::on_all_workers);
  space.balance_when_idle();
  constexpr std::uint64_t size = 40;
  collection<deep> all(space, size * static_cast<std::uint64_t>(j.pes()),
                       [](std::uint64_t) { return deep(); });
  std::vector<mobile_ptr<deep>> of_first;
  for (std::uint64_t i = 0; i < size; ++i) of_first.push_back(all[i]);
  const auto speaks = space.make<speaker>();
  space.run([&] {
    if (j.pe() != 0) return;
    for (const auto p : of_first) p.send<&deep::sleep>();
    speaks.send<&speaker::send_to>(of_first);
    for (const auto p : of_first) p.send<&deep::sleep>();
  });
  const auto done = all.reduce(std::uint64_t{0}, [](const deep& d) { return d.done; }, std::plus<>());
  EXPECT_EQ(done, size * (2 + 1000));
}

void compute_for(std::chrono::milliseconds time) {
  const auto begin = std::chrono::steady_clock::now();
  while (std::chrono::steady_clock::now() - begin < time) {
  }
}
/// Takes longer to be written, to be read and to end than the handler of a `worker` runs.
struct slow_to_move {
  slow_to_move() = default;
  slow_to_move(slow_to_move&&) = default;
  ~slow_to_move() { compute_for(std::chrono::milliseconds(10)); }
  template <class Archive>
  void serialize(Archive& a) {
    compute_for(std::chrono::milliseconds(10));
    a(content);
  }
  std::string content;
};
struct worker {
  std::array<std::uint64_t, 2> done{};
  void work() {
    compute_for(std::chrono::milliseconds(5));
    ++done[0];
  }
};
struct light {
  std::array<std::uint64_t, 3> touched{};
  void touch() { ++touched[0]; }
};

// Several times, since the system may run something else meanwhile.
TEST(serialized, the_time_of_moves_is_the_load_of_no_object) {
  auto& j = the_job();
  object_space space(j);
  const auto works = j.world().broadcast(space.make<worker>(), 0);
  const auto lights = j.world().allgather(space.make<light>());
  double least = 1;
  for (int round = 0; round < 5; ++round) {
    const auto moves = space.make<slow_to_move>();
    space.run([&] {
      if (j.pe() == 0) works.send<&worker::work>();
      for (pe_t to = 0; to <= j.pes(); ++to) {
        moves.migrate((j.pe() + to) % j.pes());
        for (const auto p : lights) p.send<&light::touch>();
      }
      moves.destroy();
      for (const auto p : lights) p.send<&light::touch>();
    });
    double load_of_work = 0, most = 0;
    space.balance([&](const balance::problem& p) {
      for (const auto& o : p.objects)
        if (o.bytes == sizeof(worker))
          load_of_work = std::max(load_of_work, o.load);
        else if (o.bytes == sizeof(light))
          most = std::max(most, o.load);
      return balance::moves();
    });
    least = std::min(least, most / load_of_work);
  }
  EXPECT_LT(least, 0.5);
}

} // namespace
} // namespace windrow::test
