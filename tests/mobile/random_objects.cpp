// SPDX-License-Identifier: BSD-3-Clause
#include "tests/mobile/random_objects.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "windrow/mobile.hpp"
#include "windrow/windrow.hpp"

namespace windrow::test {

namespace {

constexpr std::size_t most_pes = 8;

std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
  auto x = a + (b + 1) * 0x9e3779b97f4a7c15;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

class program;
thread_local program* program_here = nullptr; ///< of this PE, on each worker

struct ledger {
  std::uint64_t index = 0;
  std::uint32_t next[most_pes] = {};
  mutable std::uint64_t wrong = 0;
  mutable std::uint32_t looks = 0;
  std::uint32_t alone = 0; ///< a handler is at work that needs the object for itself

  void note(pe_t from, std::uint32_t number, std::uint64_t hash, std::uint32_t depth);
  void data(pe_t from, std::uint32_t number, std::span<const std::uint64_t> values) {
    const use now(*this, from, number);
    for (std::size_t i = 0; i < values.size(); ++i) wrong += values[i] != mix(number, i);
  }
  std::uint64_t ask(pe_t from, std::uint32_t number) {
    const use now(*this, from, number);
    return mix(index, number);
  }
  /// After the first `number` messages of that PE that need the object alone, and before the next.
  void look(pe_t from, std::uint32_t number) const {
    std::atomic_ref(looks).fetch_add(1);
    if (alone != 0 || next[from] != number) std::atomic_ref(wrong).fetch_add(1);
  }
  std::uint64_t get() const { return mix(index, alone); }

 private:
  struct use {
    use(ledger& l, pe_t from, std::uint32_t number) : of(l) {
      of.wrong += (of.next[from]++ != number) + of.alone++;
    }
    ~use() { --of.alone; }
    use(const use&) = delete;
    use& operator=(const use&) = delete;
    ledger& of;
  };
};

class program {
 public:
  program(job& j, std::uint64_t seed, handlers where)
      : job_(j),
        where_(where),
        seed_(seed),
        random_(mix(seed, static_cast<std::uint64_t>(j.pe()))),
        space_(j, where, mix(seed, 1) % 3 == 0 ? 2 : 1000),
        objects_(
            space_, 1 + mix(seed, 2) % 7, [](std::uint64_t i) { return ledger{.index = i}; },
            indices_for(seed)),
        begun_with_(objects_.size()),
        numbers_(std::max(indices_for(seed), begun_with_)),
        looks_(numbers_.size()) {
    tell_workers(this);
    if (where == handlers::on_all_workers && mix(seed, 7) % 2 == 0) space_.balance_when_idle();
  }
  ~program() { tell_workers(nullptr); }
  program(const program&) = delete;
  program& operator=(const program&) = delete;

  void run() {
    for (round_ = 0; round_ < rounds(); ++round_) {
      const auto r = round_;
      space_.run([&] {
        erase_some();
        for (auto left = mix(seed_, 4 + r) % 120; left > 0; --left) {
          if (random_() % 8 == 0) insert_one();
          act();
        }
        while (insert_one()) {
        }
      });
      check("round " + std::to_string(r));
      if (mix(seed_, 100 + r) % 2 == 0) space_.balance(balance::random{mix(seed_, r)});
    }
  }

  void note(std::uint64_t object, std::uint64_t hash, std::uint32_t depth) {
    const auto held = lock();
    objects_[object].send<&ledger::note>(job_.pe(), numbers_[object]++, hash, depth);
  }
  void look(std::uint64_t object) {
    const auto held = lock();
    ++looks_[object];
    objects_[object].send<&ledger::look>(job_.pe(), numbers_[object]);
  }
  /// What a handler of that object does in turn. It waits for others with greater indices only, so not in a
  /// circle.
  void go_on(std::uint64_t index, std::uint64_t hash, std::uint32_t depth) {
    if (where_ == handlers::on_all_workers && hash % 4 == 0) {
      const auto other = open(mix(hash, 5));
      if (other > index && objects_.contains(other)) {
        EXPECT_EQ(objects_[other].call<&ledger::get>().get(), mix(other, 0)) << "seed " << seed_;
      }
    }
    if (hash % 3 == 0) look(open(mix(hash, 6)));
    if (depth > 0)
      for (std::uint64_t c = 0; c < hash % 3; ++c) note(open(mix(hash, c)), mix(hash, 10 + c), depth - 1);
    if (hash % 5 == 0) objects_[open(mix(hash, 3))].migrate(random_pe(mix(hash, 4)));
    if (hash % 7 == 0) insert_one();
  }

 private:
  /// Handlers on the PE's own thread need none.
  std::unique_lock<mutex> lock() {
    return where_ == handlers::on_own_thread ? std::unique_lock<mutex>() : std::unique_lock(mutex_);
  }
  void tell_workers(program* p) const {
    program_here = p;
    if (where_ == handlers::on_own_thread) return;
    finish([p] {
      for (int w = 1; w < workers(); ++w) async_at(w, [p] { program_here = p; });
    });
  }
  static std::uint64_t indices_for(std::uint64_t seed) { return mix(seed, 50) % 20; }
  std::uint64_t rounds() const { return 1 + mix(seed_, 3) % 4; }

  // Indices come and go in rounds that all PEs know. The first one is always there.

  bool is_there(std::uint64_t i) const {
    const bool has_come = i < begun_with_ || mix(seed_, 1000 + i) % rounds() <= round_;
    return has_come && !has_gone(i);
  }
  bool has_gone(std::uint64_t i) const { return i > 0 && 1 + mix(seed_, 2000 + i) % 5 <= round_; }
  /// One that may be sent to.
  std::uint64_t open(std::uint64_t hash) const {
    auto i = hash % numbers_.size();
    while (!is_there(i)) i = (i + 1) % numbers_.size();
    return i;
  }
  /// False: this PE has none to insert in this round any more.
  bool insert_one() {
    const auto held = lock();
    for (auto i = begun_with_; i < numbers_.size(); ++i)
      if (is_there(i) && mix(seed_, 1000 + i) % rounds() == round_ &&
          random_pe(mix(seed_, 3000 + i)) == job_.pe() && inserted_.insert(i).second) {
        objects_.insert(i, ledger{.index = i});
        return true;
      }
    return false;
  }
  void erase_some() {
    for (std::uint64_t i = 1; i < numbers_.size(); ++i)
      if (objects_.contains(i) && has_gone(i) && random_pe(mix(seed_, 4000 + i)) == job_.pe())
        objects_.erase(i);
  }

  pe_t random_pe(std::uint64_t hash) const {
    return static_cast<pe_t>(hash % static_cast<std::uint64_t>(job_.pes()));
  }

  void act() {
    const auto object = open(random_());
    switch (random_() % 9) {
      case 0:
      case 1:
        return objects_[object].migrate(random_pe(random_()));
      case 2:
        return send_data(object, random_() % 16 == 0 ? 20'000 : random_() % 50);
      case 3: {
        auto held = lock();
        const auto number = numbers_[object]++;
        const auto answer = objects_[object].call<&ledger::ask>(job_.pe(), number);
        held = {};
        if (objects_.contains(object) && random_() % 4 == 0) { // others may come after this
          EXPECT_EQ(answer.get(), mix(object, number)) << "seed " << seed_;
        }
        return;
      }
      case 4:
        return visit();
      case 5:
        return look(object);
      default:
        return note(object, random_(), 3);
    }
  }
  void send_data(std::uint64_t object, std::size_t size) {
    const auto held = lock();
    const auto number = numbers_[object]++;
    std::vector<std::uint64_t> values(size);
    for (std::size_t i = 0; i < size; ++i) values[i] = mix(number, i);
    objects_[object].send<&ledger::data>(job_.pe(), number, values);
  }
  // Whatever is sent meanwhile, an object that is visited stays as it is.
  void visit() {
    objects_.for_each_local([&](ledger& l) {
      if (!is_there(l.index)) return; // its end is under way
      const auto before = l;
      for (int i = 0; i < 20; ++i) note(l.index, random_(), 0);
      EXPECT_EQ(std::memcmp(&before, &l, sizeof l), 0) << "seed " << seed_;
    });
  }

  void check(const std::string& when) {
    std::vector<std::uint64_t> seen(numbers_.size()), looked(numbers_.size());
    objects_.for_each_local([&](ledger& l) {
      EXPECT_EQ(l.wrong, 0U) << "seed " << seed_ << ", object " << l.index << ", " << when;
      for (const auto n : l.next) seen[l.index] += n;
      looked[l.index] = l.looks;
    });
    std::vector<std::uint64_t> sent(numbers_.begin(), numbers_.end()), looks(looks_.begin(), looks_.end());
    std::uint64_t there = 0;
    for (std::uint64_t i = 0; i < sent.size(); ++i) {
      EXPECT_EQ(objects_.contains(i), is_there(i)) << "seed " << seed_ << ", index " << i << ", " << when;
      there += is_there(i);
      if (!is_there(i)) sent[i] = looks[i] = 0; // and what it has seen is gone with it
    }
    EXPECT_EQ(objects_.size(), there) << "seed " << seed_;
    for (auto* all : {&seen, &sent, &looked, &looks})
      job_.world().reduce(std::span<const std::uint64_t>(*all), std::span(*all), std::plus<>());
    EXPECT_EQ(seen, sent) << "seed " << seed_ << ", " << when;
    EXPECT_EQ(looked, looks) << "seed " << seed_ << ", " << when;
    EXPECT_EQ(objects_.reduce(
                  std::uint64_t{0}, [](const ledger&) { return std::uint64_t{1}; }, std::plus<>()),
              objects_.size())
        << "seed " << seed_;
  }

  job& job_;
  handlers where_;
  std::uint64_t seed_;
  std::mt19937_64 random_;
  object_space space_;
  collection<ledger> objects_;
  std::uint64_t begun_with_;
  std::uint64_t round_ = 0;
  // The order of numbers is that of messages. Who holds it may wait for room to send.
  mutex mutex_;
  std::set<std::uint64_t> inserted_;   ///< here
  std::vector<std::uint32_t> numbers_; ///< of messages from here that need the object alone, by object
  std::vector<std::uint32_t> looks_;   ///< of the others
};

void ledger::note(pe_t from, std::uint32_t number, std::uint64_t hash, std::uint32_t depth) {
  const use now(*this, from, number);
  program_here->go_on(index, hash, depth);
}

} // namespace

void run_random_objects(job& j, std::uint64_t seed, handlers where) {
  program(j, seed, where).run();
}

} // namespace windrow::test
