// SPDX-License-Identifier: BSD-3-Clause
// Every order of events in small worlds, with the code that is shipped: PEs that send, move and hold objects,
// and a network that delivers what is under way in any order. README.md says what that covers.
#include "windrow/detail/mobile_protocol.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <ostream>
#include <random>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/options.hpp"
#include "mobile/turns.hpp"

namespace windrow::mobile {
namespace {

enum class deed : std::uint8_t { send, look, move, hold, carry, let_go, insert, give };
struct action {
  deed what;
  std::uint8_t object;
  std::uint8_t to = 0; ///< of moves, and of those of a held object
};
using script = std::vector<action>;

struct scenario {
  const char* name;
  pe_t pes;
  std::vector<pe_t> homes;      ///< of each object
  std::vector<script> programs; ///< of each PE
  std::uint16_t most_hops = usual_hops;
  bool again = false;               ///< after the end everything is forgotten, and the programs run once more
  std::size_t fewest_states = 1000; ///< a programming error of the test itself would leave few
  bool on_workers = false;          ///< handlers run on all workers: each ends at any time after it has begun
};
void PrintTo(const scenario& s, std::ostream* out) {
  *out << s.name;
}

/// Of an object, on all workers.
struct use {
  pe_t pe;
  std::size_t object;
  bool shares;
  int number; ///< among the uses of the object
};
using uses = std::vector<use>;

/// Something under way.
struct packet {
  enum : std::uint8_t { message, object, news, idle } kind;
  pe_t to;
  message_head head{};
  std::vector<std::byte> body{};
  passage moving{};
  uses waiting{}; ///< of the object that moves
  mobile::news told{};
};

class world;

/// What a PE's protocol talks to. The world is that of the moment: worlds are copied, carriers are not.
struct carrier {
  world* now = nullptr;
  pe_t here = 0;

  void send_message(pe_t to, const message_head& head, std::span<const std::byte> body);
  void send_object(pe_t to, const passage&, void* object);
  void send_news(pe_t to, const mobile::news&);
  void handle(void* object, const message_head& head, std::span<const std::byte> body);
  void refuse(const message_head& head, std::span<const std::byte>) {
    FAIL() << "refused: message " << head.number << " from " << head.sender;
  }
};

/// Nobody has it in the beginning.
bool is_inserted(const scenario& s, std::size_t object) {
  return std::ranges::any_of(s.programs, [&](const script& p) {
    return std::ranges::any_of(p, [&](action a) { return a.what == deed::insert && a.object == object; });
  });
}
object_id id_of(const scenario& s, std::size_t object) {
  return make_id(s.homes[object], (is_inserted(s, object) ? promised : 0) | (object + 1));
}
std::size_t object_of(object_id id) {
  return (serial_of(id) & ~promised) - 1;
}
void* address_of(std::size_t object) {
  return reinterpret_cast<void*>(object + 1);
}

class world {
 public:
  world(const scenario& s, std::vector<carrier>& carriers)
      : s_(&s), carriers_(&carriers), turns_(carriers.size()), next_(carriers.size()) {
    for (auto& c : carriers) pes_.emplace_back(c, c.here, s.pes, s.most_hops);
    for (std::size_t o = 0; o < s.homes.size(); ++o)
      if (!is_inserted(s, o)) pes_[static_cast<std::size_t>(s.homes[o])].create(id_of(s, o), address_of(o));
    sent_.resize(s.homes.size() * carriers.size());
    handled_ = sent_;
    holds_.resize(s.homes.size());
    admitted_ = begun_ = holds_;
    to_begin_.resize(s.homes.size() * carriers.size());
  }

  using change = std::function<void(world&)>;
  /// What may happen next.
  std::vector<change> possible() const {
    std::vector<change> all;
    for (std::size_t i = 0; i < under_way_.size(); ++i)
      if (i == 0 || key(under_way_[i]) != key(under_way_[i - 1]))
        all.emplace_back([i](world& w) { w.deliver(i); });
    for (std::size_t pe = 0; pe < pes_.size(); ++pe)
      if (next_[pe] < s_->programs[pe].size() && may_act(pe)) all.emplace_back([pe](world& w) { w.act(pe); });
    for (std::size_t at = 0; at < to_begin_.size(); ++at)
      if (to_begin_[at] > 0) all.emplace_back([at](world& w) { w.begin(at); });
    for (std::size_t i = 0; i < running_.size(); ++i) all.emplace_back([i](world& w) { w.end(i); });
    if (s_->again && !forgotten_ && is_over()) all.emplace_back([](world& w) { w.forget(); });
    return all;
  }
  void happen(const change& c) {
    for (auto& one : *carriers_) one.now = this;
    c(*this);
  }
  bool is_over() const {
    for (std::size_t pe = 0; pe < pes_.size(); ++pe)
      if (next_[pe] < s_->programs[pe].size()) return false;
    return under_way_.empty() && running_.empty() &&
           std::ranges::count(to_begin_, 0) == std::ssize(to_begin_);
  }
  /// What must be true when nothing is left to do.
  void check_end() const {
    EXPECT_TRUE(is_over()) << "a program waits for ever";
    EXPECT_EQ(handled_, sent_);
    EXPECT_EQ(begun_, admitted_) << "its turn never comes";
    for (const auto& p : pes_) EXPECT_EQ(p.waiting(), 0U);
    for (std::size_t o = 0; o < s_->homes.size(); ++o) {
      int owners = 0;
      for (const auto& p : pes_) owners += p.find(id_of(*s_, o)) != nullptr;
      EXPECT_EQ(owners, 1) << "object " << o;
    }
  }
  /// Names the state.
  std::string name() const {
    std::string text;
    const auto see = [&](auto value) { text += std::to_string(static_cast<std::int64_t>(value)) + ","; };
    for (const auto& p : pes_) {
      p.describe(see);
      text += ';';
    }
    for (const auto& p : under_way_) text += key(p);
    for (const auto& t : turns_) t.describe(see, [&](use u) { see(u.shares); });
    for (const auto& u : running_) see(u.pe), see(u.object), see(u.shares);
    for (const auto n : to_begin_) see(n);
    for (const auto n : next_) see(n);
    for (const auto n : handled_) see(n);
    for (const auto n : sent_) see(n);
    see(forgotten_);
    return text;
  }

  // For carriers.
  uses leaving() { return std::exchange(leaving_, {}); }
  void post(packet p) {
    EXPECT_LE(p.head.hops, 2 * moves() + 1) << "forwarded for ever";
    const auto at = std::ranges::upper_bound(under_way_, key(p), {}, key);
    under_way_.insert(at, std::move(p));
  }
  void handle(pe_t here, void* object, const message_head& head, std::span<const std::byte> body) {
    const auto o = reinterpret_cast<std::size_t>(object) - 1;
    EXPECT_EQ(id_of(*s_, o), head.id);
    EXPECT_EQ(holds_[o], 0) << "handled while it is held";
    auto& count = handled_[o * pes_.size() + static_cast<std::size_t>(head.sender)];
    EXPECT_EQ(count, std::to_integer<int>(body[0]) % look_flag) << "out of order, lost or doubled";
    ++count;
    if (s_->on_workers) return take_turns(here, o, body);
    if (body.size() > 1) pes_[static_cast<std::size_t>(here)].move(head.id, std::to_integer<pe_t>(body[1]));
  }

 private:
  int moves() const {
    std::ptrdiff_t count = 0;
    for (const auto& p : s_->programs)
      count += std::ranges::count_if(p, [](action a) {
        return a.what == deed::move || a.what == deed::carry || a.what == deed::insert ||
               a.what == deed::give;
      });
    return static_cast<int>(count) * (s_->again ? 2 : 1);
  }
  static std::string key(const packet& p) {
    std::string text = std::to_string(p.kind) + ">" + std::to_string(p.to) + ":";
    const auto see = [&](auto value) { text += std::to_string(static_cast<std::int64_t>(value)) + ","; };
    see(p.head.id), see(p.head.number), see(p.head.version), see(p.head.sender), see(p.head.hops);
    for (const auto b : p.body) see(b);
    see(p.moving.id), see(p.moving.version);
    for (const auto& s : p.moving.senders) see(s.sender), see(s.next), see(s.told);
    see(p.told.id), see(p.told.where), see(p.told.version);
    for (const auto& u : p.waiting) see(u.shares);
    return text + "|";
  }

  void deliver(std::size_t i) {
    const packet p = under_way_[i];
    under_way_.erase(under_way_.begin() + static_cast<std::ptrdiff_t>(i));
    auto& at = pes_[static_cast<std::size_t>(p.to)];
    if (p.kind == packet::message) message(at, p);
    if (p.kind == packet::news) at.hear(p.told);
    if (p.kind == packet::idle) // as core::take_idle
      if (const auto to = turns_[static_cast<std::size_t>(p.to)].take_last(p.head.id))
        move_idle(p.to, object_of(p.head.id), *to);
    if (p.kind == packet::object) { // as core::take_object
      for (auto u : p.waiting) add(p.to, u);
      if (!p.waiting.empty()) call(p.to, p.waiting.front().object);
      at.arrived(p.moving, address_of(object_of(p.moving.id)));
    }
  }

  // ---- handlers on all workers, as in all_workers.cpp

  void take_turns(pe_t here, std::size_t o, std::span<const std::byte> body) {
    auto& turn = turns_[static_cast<std::size_t>(here)];
    const auto id = id_of(*s_, o);
    if (body.size() == 1) {
      const bool shares = std::to_integer<int>(body[0]) >= look_flag;
      add(here, {here, o, shares, admitted_[o]++});
      call(here, o);
    } else if (!turn.is_busy(id)) {
      move_idle(here, o, std::to_integer<pe_t>(body[1]));
    } else {
      turn.close(id, std::to_integer<pe_t>(body[1]));
      pes_[static_cast<std::size_t>(here)].hold(id);
    }
  }
  void move_idle(pe_t here, std::size_t o, pe_t to) {
    EXPECT_EQ(begun_[o], admitted_[o]) << "moved before a handler";
    for (const auto& u : running_) EXPECT_NE(u.object, o) << "moved under a handler";
    pes_[static_cast<std::size_t>(here)].move(id_of(*s_, o), to);
  }
  void add(pe_t here, use u) {
    u.pe = here;
    turns_[static_cast<std::size_t>(here)].add(id_of(*s_, u.object), u.shares, u);
  }
  // A worker comes to it at any time.
  void call(pe_t here, std::size_t o) {
    const auto pe = static_cast<std::size_t>(here);
    while (turns_[pe].call(id_of(*s_, o)) != nullptr) ++to_begin_[o * pes_.size() + pe];
  }
  void begin(std::size_t at) {
    --to_begin_[at];
    const auto u = turns_[at % pes_.size()].begin(id_of(*s_, at / pes_.size()));
    if (!u) return; // it was withdrawn
    EXPECT_EQ(u->number, begun_[u->object]++) << "out of turn";
    for (const auto& other : running_)
      EXPECT_TRUE(other.object != u->object || (other.shares && u->shares)) << "beside another";
    running_.push_back(*u);
  }
  void end(std::size_t i) {
    const auto u = running_[i];
    running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(i));
    auto& turn = turns_[static_cast<std::size_t>(u.pe)];
    const auto id = id_of(*s_, u.object);
    turn.end(id);
    call(u.pe, u.object);
    if (turn.is_last(id)) post({.kind = packet::idle, .to = u.pe, .head = {id, 0, 0, u.pe, 0, 0}});
  }
  // As core::idle_balancing::give. It may be that there is nothing to give.
  void give(std::size_t pe, std::size_t o, pe_t to) {
    const auto id = id_of(*s_, o);
    if (to == static_cast<pe_t>(pe) || turns_[pe].to_withdraw(id) == 0 || pes_[pe].is_held(id)) return;
    for (const auto& other : running_) EXPECT_NE(other.object, o) << "given while it is used";
    turns_[pe].withdraw(id, [&](const use& u) { leaving_.push_back(u); });
    pes_[pe].move(id, to);
  }

  // As carriers do: what nobody has forwarded is offered first.
  void message(protocol<carrier>& at, const packet& p) {
    void* const object =
        p.head.hops > 0 || s_->on_workers ? nullptr : at.admit(p.head.id, p.head.sender, p.head.number);
    if (object == nullptr)
      at.message(p.head, p.body);
    else
      handle(p.to, object, p.head, p.body);
  }

  // Only who has an object can hold it.
  bool may_act(std::size_t pe) const {
    const auto a = s_->programs[pe][next_[pe]];
    const auto id = id_of(*s_, a.object);
    if (a.what == deed::hold) return pes_[pe].find(id) != nullptr && !pes_[pe].is_held(id);
    if (a.what != deed::let_go) return true;
    return pes_[pe].find(id) != nullptr && pes_[pe].is_held(id) &&
           !turns_[pe].is_busy(id); // its visit waits for what has begun
  }
  void act(std::size_t pe) {
    const auto a = s_->programs[pe][next_[pe]++];
    const auto id = id_of(*s_, a.object);
    if (a.what == deed::hold) {
      holds_[a.object] = 1;
      pes_[pe].hold(id);
    } else if (a.what == deed::give) {
      give(pe, a.object, a.to);
    } else if (a.what == deed::carry) {
      pes_[pe].move(id, a.to, true);
    } else if (a.what == deed::insert) {
      if (!forgotten_) pes_[pe].insert(id, address_of(a.object));
    } else if (a.what == deed::let_go) {
      holds_[a.object] = 0;
      pes_[pe].let_go(id);
    } else {
      const auto at = pes_[pe].next(id);
      const message_head head{id, at.number, at.version, static_cast<pe_t>(pe), 0, 0};
      const auto flag = a.what == deed::look ? look_flag : 0;
      std::vector<std::byte> body{std::byte(sent_[a.object * pes_.size() + pe]++ + flag)};
      if (a.what == deed::move) body.push_back(std::byte(a.to));
      post({.kind = packet::message, .to = at.to, .head = head, .body = std::move(body)});
    }
  }
  void forget() {
    for (auto& p : pes_) p.forget();
    forgotten_ = true;
    next_.assign(next_.size(), 0);
  }

  static constexpr int look_flag = 128; ///< in the number of a message that shares its object

  const scenario* s_;
  std::vector<carrier>* carriers_;
  std::vector<protocol<carrier>> pes_;
  std::vector<turns<use, pe_t>> turns_; ///< of each PE
  uses running_, leaving_;
  std::vector<int> to_begin_;                 ///< light threads for uses that were called, by object and PE
  std::vector<packet> under_way_;             ///< by key
  std::vector<std::size_t> next_;             ///< actions that each PE has done
  std::vector<int> sent_, handled_;           ///< by object and sender
  std::vector<int> holds_, admitted_, begun_; ///< by object
  bool forgotten_ = false;
};

void carrier::send_message(pe_t to, const message_head& head, std::span<const std::byte> body) {
  now->post({.kind = packet::message, .to = to, .head = head, .body = {body.begin(), body.end()}});
}
void carrier::send_object(pe_t to, const passage& p, void*) {
  now->post({.kind = packet::object, .to = to, .moving = p, .waiting = now->leaving()});
}
void carrier::send_news(pe_t to, const mobile::news& n) {
  now->post({.kind = packet::news, .to = to, .told = n});
}
void carrier::handle(void* object, const message_head& head, std::span<const std::byte> body) {
  now->handle(here, object, head, body);
}

std::vector<carrier> carriers_for(const scenario& s) {
  std::vector<carrier> result(static_cast<std::size_t>(s.pes));
  for (pe_t pe = 0; pe < s.pes; ++pe) result[static_cast<std::size_t>(pe)].here = pe;
  return result;
}

/// Visits every state that can be reached; the number of them.
std::size_t explore(const scenario& s) {
  auto carriers = carriers_for(s);
  std::unordered_set<std::string> seen;
  std::vector<world> open;
  const auto visit = [&](const world& w) {
    if (seen.insert(w.name()).second) open.push_back(w);
  };
  visit(world(s, carriers));
  while (!open.empty() && !testing::Test::HasFailure()) {
    const auto w = std::move(open.back());
    open.pop_back();
    const auto changes = w.possible();
    if (changes.empty()) w.check_end();
    for (const auto& c : changes) {
      world after(w);
      after.happen(c);
      visit(after);
    }
  }
  return seen.size();
}

constexpr action send(int object = 0) {
  return {deed::send, static_cast<std::uint8_t>(object)};
}
constexpr action move(int to, int object = 0) {
  return {deed::move, static_cast<std::uint8_t>(object), static_cast<std::uint8_t>(to)};
}
constexpr action give(int to, int object = 0) {
  return {deed::give, static_cast<std::uint8_t>(object), static_cast<std::uint8_t>(to)};
}
constexpr action carry(int to) {
  return {deed::carry, 0, static_cast<std::uint8_t>(to)};
}
constexpr action look{deed::look, 0};
constexpr action insert(int object = 0) {
  return {deed::insert, static_cast<std::uint8_t>(object)};
}
constexpr action hold{deed::hold, 0}, let_go{deed::let_go, 0};

class every_order : public testing::TestWithParam<scenario> {};

TEST_P(every_order, delivers_each_message_once_and_in_order) {
  const auto states = explore(GetParam());
  RecordProperty("states", static_cast<int>(states));
  EXPECT_GE(states, GetParam().fewest_states);
}

INSTANTIATE_TEST_SUITE_P(
    mobile, every_order,
    testing::Values(
        scenario{"two_pes", 2, {0}, {{send(), move(1), send(), move(0)}, {send(), send(), send()}}},
        scenario{"two_pes_with_holds",
                 2,
                 {0},
                 {{hold, send(), move(1), let_go}, {send(), send(), hold, send(), let_go, move(0)}},
                 usual_hops,
                 false,
                 300},
        scenario{"two_objects", 2, {0, 1}, {{send(1), move(1), send()}, {send(), move(0, 1), send(1)}}},
        scenario{"three_pes", 3, {0}, {{move(1), move(2)}, {send(), send()}, {send()}}},
        scenario{"round_trip", 3, {0}, {{move(1), send()}, {move(2)}, {send(), move(0)}}},
        scenario{"through_home", 3, {2}, {{send(), move(1), send()}, {move(0)}, {move(1)}}, 1},
        scenario{"through_home_after_a_hop", 3, {2}, {{send(), send()}, {move(0), move(1)}, {move(1)}}, 2},
        scenario{"forgotten_and_again", 3, {0}, {{move(1)}, {send()}, {send(), send()}}, 2, true, 400},
        scenario{"inserted_at_home",
                 2,
                 {0},
                 {{send(), insert(), move(1), send()}, {send(), send()}},
                 usual_hops,
                 false,
                 300},
        scenario{"inserted_elsewhere",
                 2,
                 {0},
                 {{send(), send()}, {send(), insert(), send(), move(0)}},
                 usual_hops,
                 false,
                 300},
        scenario{"inserted_and_gone", 3, {0}, {{send()}, {send(), insert(), move(2), send()}, {send()}}, 1},
        scenario{"inserted_and_forgotten", 3, {0}, {{send()}, {insert(), move(0)}, {send()}}, 2, true, 300},
        scenario{"carried_while_held",
                 2,
                 {0},
                 {{send(), hold, send(), carry(1)}, {send(), let_go, send(), move(0)}},
                 usual_hops,
                 false,
                 300},
        scenario{
            "carried_and_moved", 3, {2}, {{let_go, send()}, {send(), send()}, {hold, carry(0), move(1)}}, 1},
        scenario{"on_workers",
                 2,
                 {0},
                 {{send(), look, move(1), send()}, {look, look, send()}},
                 usual_hops,
                 false,
                 1000,
                 true},
        scenario{"on_workers_and_back",
                 2,
                 {0},
                 {{look, move(1), send(), move(0)}, {look, send()}},
                 usual_hops,
                 false,
                 1000,
                 true},
        scenario{"on_workers_of_three_pes",
                 3,
                 {1},
                 {{move(1), send()}, {move(0)}, {look, send()}},
                 1,
                 false,
                 1000,
                 true},
        scenario{"on_workers_to_where_it_is",
                 2,
                 {0},
                 {{send(), move(0), look}, {send(), look}},
                 4,
                 false,
                 300,
                 true},
        scenario{"on_workers_with_visits",
                 2,
                 {0},
                 {{hold, look, move(1), let_go}, {send(), look, hold, send(), let_go, move(0)}},
                 usual_hops,
                 false,
                 300,
                 true},
        scenario{"given_on_workers",
                 2,
                 {0},
                 {{send(), give(1), look}, {send(), look, give(0)}},
                 usual_hops,
                 false,
                 1000,
                 true},
        scenario{"given_and_moved",
                 3,
                 {1},
                 {{send(), move(2)}, {give(0), look}, {look, give(1)}},
                 1,
                 false,
                 1000,
                 true},
        scenario{"not_given_in_a_visit",
                 2,
                 {0},
                 {{send(), hold, give(1), let_go}, {send(), look}},
                 usual_hops,
                 false,
                 300,
                 true},
        scenario{"given_with_visits",
                 2,
                 {0},
                 {{hold, send(), let_go, give(1), look, move(1)}, {look, hold, let_go}},
                 usual_hops,
                 false,
                 300,
                 true},
        scenario{
            "sent_by_who_gets_it", 3, {0}, {{}, {send(), move(1), send()}, {send(), move(2), send()}}, 1}),
    [](const auto& info) { return std::string(info.param.name); });

// Larger worlds, one order each.
TEST(protocol, delivers_in_random_orders) {
  const auto seeds =
      static_cast<std::uint64_t>(base::integer_option("WINDROW_TEST_SEEDS", 2000, 1, 1'000'000'000));
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    scenario s{"", static_cast<pe_t>(1 + random() % 6),          {},
               {}, static_cast<std::uint16_t>(1 + random() % 5), seed % 2 == 0};
    const auto pes = static_cast<std::uint64_t>(s.pes), objects = 1 + random() % 3;
    for (std::uint64_t o = 0; o < objects; ++o) s.homes.push_back(static_cast<pe_t>(random() % pes));
    s.programs.resize(pes);
    for (auto& p : s.programs)
      for (auto left = random() % 12; left > 0; --left)
        p.push_back(
            random() % 3 == 0   ? move(static_cast<int>(random() % pes), static_cast<int>(random() % objects))
            : random() % 4 == 0 ? give(static_cast<int>(random() % pes), static_cast<int>(random() % objects))
            : random() % 3 == 0 ? look
                                : send(static_cast<int>(random() % objects)));
    s.on_workers = random() % 2 == 0;
    for (std::uint64_t o = 0; o < objects; ++o)
      if (auto& p = s.programs[random() % pes]; random() % 2 == 0)
        p.insert(p.begin() + static_cast<std::ptrdiff_t>(random() % (p.size() + 1)),
                 insert(static_cast<int>(o)));
    auto carriers = carriers_for(s);
    world w(s, carriers);
    for (auto changes = w.possible(); !changes.empty() && !HasFailure(); changes = w.possible())
      w.happen(changes[random() % changes.size()]);
    w.check_end();
    if (HasFailure()) return;
  }
}

} // namespace
} // namespace windrow::mobile
