// SPDX-License-Identifier: BSD-3-Clause
// How messages find objects that move, and keep their order: one PE's part of the protocol, without any
// transport. src/mobile/README.md says why it is right; its tests run this code through every order of
// events.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "windrow/detail/id_map.hpp"
#include "windrow/detail/inline.hpp"
#include "windrow/types.hpp"

namespace windrow::mobile {

/// The PE that has made an object, its *home*, and a number there. Never 0.
using object_id = std::uint64_t;
inline constexpr int serial_bits = 40;
constexpr object_id make_id(pe_t home, std::uint64_t serial) {
  return static_cast<object_id>(home) << serial_bits | serial;
}
constexpr pe_t home_of(object_id id) {
  return static_cast<pe_t>(id >> serial_bits);
}
constexpr std::uint64_t serial_of(object_id id) {
  return id & ((object_id{1} << serial_bits) - 1);
}

/// In the serial of an id that was given to an object before it was made: messages may come before it does.
inline constexpr std::uint64_t promised = std::uint64_t{1} << (serial_bits - 1);
constexpr bool is_promised(object_id id) {
  return (id & promised) != 0;
}

/// In place of a PE: the object is destroyed.
inline constexpr pe_t nowhere = -1;
/// Messages that have been forwarded so often go to the object's home instead of to where it was heard of
/// last.
inline constexpr std::uint16_t usual_hops = 4;

/// Where a message goes, and what it says of itself there.
struct stamp {
  pe_t to;
  std::uint32_t number;  ///< among the messages of its sender to this object
  std::uint32_t version; ///< the object has been, or will be, there with this version
};

/// What travels with each message that does more than call a function, or has been forwarded.
struct message_head {
  object_id id;
  std::uint32_t number;  ///< among the messages of its sender to this object
  std::uint32_t version; ///< the object has been, or will be, where the message goes, with this version
  pe_t sender;
  std::uint16_t hops;
  std::uint16_t what; ///< for the carrier
};

/// Where an object is: after its `version`-th move. Greater versions are newer.
struct news {
  object_id id;
  pe_t where;
  std::uint32_t version;
};

/// What an object knows of one PE that sends to it.
struct sender_state {
  pe_t sender;
  std::uint32_t next;     ///< number of the message to be handled next
  std::uint32_t told = 0; ///< the version that this PE has been told of
  bool operator==(const sender_state&) const = default;
};

/// What a message waits for.
enum class wait_for : std::uint8_t {
  release,   ///< the object is held
  turn,      ///< an earlier message of its sender is missing
  arrival,   ///< of the object, or, at its home, of the news of its move
  insertion, ///< of an object that was promised
};

/// What moves besides the object itself.
struct passage {
  object_id id;
  std::uint32_t version; ///< at its new place
  std::vector<sender_state> senders;
  bool is_held = false; ///< and is so there
};

/// The protocol on one PE. `Carrier` carries out what it decides:
///
///   void send_message(pe_t to, const message_head&, std::span<const std::byte> body);
///   void send_object(pe_t to, const passage&, void* object);      // and the object leaves this PE
///   void send_news(pe_t to, const news&);
///   void handle(void* object, const message_head&, std::span<const std::byte> body);
///   void refuse(const message_head&, std::span<const std::byte> body); // the object is destroyed
///
/// Messages may arrive in any order, each once. `handle` may call `create`, `next`, `move` and `destroy`,
/// but lets nothing arrive. The others may, where they are called outside `handle`.
template <class Carrier>
class protocol {
 public:
  protocol(Carrier& carrier, pe_t here, pe_t pes, std::uint16_t most_hops = usual_hops)
      : carrier_(carrier), here_(here), pes_(pes), most_hops_(most_hops), own_begin_(make_id(here, 0)) {}

  /// The PE that knows where an object is. Those that a job of more PEs has made before (a checkpoint) are
  /// dealt out.
  pe_t home(object_id id) const { return home_of(id) % pes_; }
  /// The first serial of the objects that are going to be made here. To be called before there are any.
  void begin_with(std::uint64_t serial) { own_begin_ = make_id(here_, serial); }

  /// A new object, of an id that was never used and whose home is here.
  void create(object_id id, void* object) {
    record& r = place_for(id);
    r.object = object;
    r.where = here_;
    r.sender = nobody;
  }

  /// The object of a promised id, which is nowhere yet. Messages to it may have been sent, from here too.
  void insert(object_id id, void* object) {
    record* r = find_record(id);
    if (r == nullptr) r = &place_for(id);
    r->object = object;
    r->where = here_;
    r->version = 1;
    r->sender = nobody;
    if (home(id) != here_) carrier_.send_news(home(id), {id, here_, 1});
    send_again(id);
  }
  /// Whether that is misuse: what is known here says that the object was made.
  bool was_made(object_id id) const {
    const auto* const r = find_record(id);
    return r != nullptr && r->version > 0;
  }

  /// Numbers a message from here to the object.
  WINDROW_INLINE stamp next(object_id id) {
    record* r = find_record(id);
    if (r == nullptr) [[unlikely]]
      r = meet(id);
    if (r == nullptr) [[unlikely]]
      return {here_, 0, 0}; // which refuses it
    return {r->where, r->next++, r->version};
  }

  /// The object, if the message that `sender` has numbered so, and that nobody has forwarded, is to be
  /// handled at once, as it is nearly always: it counts as handled then, and nobody waits for that. Else
  /// null, and it has not arrived yet. (Its version does not matter: nobody knows a newer one than the object
  /// has.)
  WINDROW_INLINE void* admit(object_id id, pe_t sender, std::uint32_t number) {
    record* const r = find_record(id);
    if (r == nullptr || r->sender != sender || r->expected != number) [[unlikely]]
      return nullptr;
    ++r->expected;
    if (r->object == nullptr) __builtin_unreachable(); // nobody is its sender then
    return r->object;
  }

  /// A message has arrived.
  void message(const message_head& head, std::span<const std::byte> body) {
    record* const r = find_record(head.id);
    switch (judge(r, head)) {
      case verdict::handle:
        handle(*r, head, body);
        if (!parked_.empty()) handle_followers(head);
        break;
      case verdict::forward:
        forward(*r, head, body);
        break;
      case verdict::park:
        parked_.emplace(key(head), parked{head, {body.begin(), body.end()}});
        if (r != nullptr) turn_away(*r);
        break;
      case verdict::refuse:
        carrier_.refuse(head, body);
    }
  }

  /// An object has arrived, in whose place there is now `object`.
  void arrived(passage p, void* object) {
    record* r = find_record(p.id);
    if (r == nullptr) r = &place_for(p.id);
    r->where = here_;
    r->version = p.version;
    r->object = object;
    r->sender = nobody;
    if (p.senders.size() == 1) {
      r->sender = p.senders.front().sender;
      r->expected = p.senders.front().next;
    } else if (!p.senders.empty()) {
      r->others = keep(std::move(p.senders));
    }
    if (p.is_held) return hold(p.id);
    release(p.id);
  }

  /// News have arrived.
  void hear(const news& n) {
    record* r = find_record(n.id);
    if (r == nullptr && home(n.id) == here_) r = &place_for(n.id); // it was in a checkpoint
    if (r == nullptr || n.version <= r->version) return;
    r->version = n.version;
    set_place(*r, n.id, n.where);
    release(n.id);
  }

  /// An object that is here goes to another PE, or stays if that is this one. One that is held is so no
  /// more, or `stays_held` where it goes.
  void move(object_id id, pe_t to, bool stays_held = false) {
    record& r = *find_record(id);
    if (to == here_) {
      if (r.sender != held) return;
      r.sender = nobody;
      return release(id);
    }
    void* const object = r.object;
    auto senders = leave(r, id, to);
    for (auto& s : senders) s.told = 0;
    const auto version = r.version;
    carrier_.send_object(to, {id, version, std::move(senders), stays_held}, object);
    tell_others(id, to, version);
  }

  /// An object that is here ends. Messages that still come are refused.
  void destroy(object_id id) {
    record& r = *find_record(id);
    leave(r, id, nowhere);
    tell_others(id, nowhere, r.version);
  }

  /// Messages to an object that is here wait until `let_go`.
  void hold(object_id id) {
    record& r = *find_record(id);
    turn_away(r);
    r.sender = held;
  }
  /// Those that have waited arrive once more.
  void let_go(object_id id) {
    find_record(id)->sender = nobody;
    send_again(id);
  }

  /// The object, if it is here.
  void* find(object_id id) const {
    const auto* const r = find_record(id);
    return r == nullptr ? nullptr : r->object;
  }
  bool is_held(object_id id) const { return find_record(id)->sender == held; }
  /// Calls `visit(id, object)` for each object that is here; `visit` must not change which are.
  template <class Visit>
  void for_each_object(Visit visit) const {
    for_each_record([&](object_id id, const record& r) {
      if (r.object != nullptr) visit(id, r.object);
    });
  }
  /// Objects that have become known here, or have ended here, since the last `forget`.
  std::size_t records() const {
    const auto now = known_.size() + ended_;
    return now < kept_ ? 0 : now - kept_;
  }
  /// Whether most of the records, all of which are gone through for the objects that are here, are of ones
  /// that have ended here.
  bool is_mostly_past() const {
    constexpr std::size_t few = 1024;
    return ended_ > few && 2 * ended_ > own_.size() + known_.size();
  }
  std::size_t waiting() const { return parked_.size(); }
  /// Calls `see(head, body, wait)` for `most` of the messages that wait.
  template <class See>
  void for_each_waiting(std::size_t most, See see) const {
    for (auto at = parked_.begin(); at != parked_.end() && most > 0; ++at, --most) {
      const auto& [head, body] = at->second;
      const auto* const r = find_record(head.id);
      const bool is_here = r != nullptr && r->version >= head.version && r->object != nullptr;
      const bool is_made = !is_promised(head.id) || home(head.id) != here_ || was_made(head.id);
      see(head, std::span<const std::byte>(body),
          !is_made            ? wait_for::insertion
          : !is_here          ? wait_for::arrival
          : r->sender == held ? wait_for::release
                              : wait_for::turn);
    }
  }

  /// Forgets all that can be asked for at homes. To be called on all PEs while nothing is under way anywhere.
  void forget() {
    known_.erase_if([&](const known& k) {
      return k.what.object == nullptr && (home(k.id) != here_ || k.what.sender == ended);
    });
    if (static_cast<std::size_t>(2 * std::ranges::count(own_, ended, &record::sender)) > own_.size())
      keep_only_living();
    known_.for_each([](known& k) { begin_anew(k.what); });
    for (auto& r : own_) begin_anew(r);
    others_.assign(1, {});
    free_.clear();
    ended_ = 0;
    kept_ = known_.size();
  }

  /// For those who compare states: calls `see` with all numbers that make up this one.
  template <class See>
  void describe(See see) const {
    for_each_record([&](object_id id, const record& r) {
      see(id), see(r.where), see(r.version), see(r.next), see(r.sender < nobody ? r.sender : nobody);
      const auto all = senders_of(r);
      see(r.object != nullptr ? all.size() + 1 : 0);
      for (const auto& s : all) see(s.sender), see(s.next), see(s.told);
    });
    for (const auto& [at, m] : parked_) {
      see(m.head.id), see(m.head.number), see(m.head.version), see(m.head.sender), see(m.head.hops);
      for (const auto b : m.body) see(b);
    }
  }

 private:
  enum class verdict { handle, forward, park, refuse };
  using sender_states = std::vector<sender_state>; ///< by PE

  // In place of the PE that has sent last.
  static constexpr pe_t nobody = -1;
  static constexpr pe_t held = -2;    ///< messages wait
  static constexpr pe_t ended = -3;   ///< the object is destroyed, or not made yet
  static constexpr pe_t awaited = -4; ///< at home: the object is promised, and nothing was heard of it

  /// This PE's knowledge of an object.
  struct record {
    void* object = nullptr;     ///< null: it is elsewhere
    std::uint32_t next = 0;     ///< number of the next message from here to it
    std::uint32_t version = 0;  ///< where it was heard of last, with this version:
    pe_t where = nowhere;       ///< of one that has ended, its home
    pe_t sender = ended;        ///< who has sent last to the object that is here
    std::uint32_t expected = 0; ///< number of that PE's message to be handled next
    std::uint32_t others = 0;   ///< where in `others_` its other senders are, and this one as it was
  };
  static_assert(sizeof(record) == 32);
  struct known {
    object_id id = 0;
    record what{};
  };
  using place = std::tuple<object_id, pe_t, std::uint32_t>;
  struct parked {
    message_head head;
    std::vector<std::byte> body;
  };

  static place key(const message_head& h) { return {h.id, h.sender, h.number}; }

  // ---- records

  WINDROW_INLINE record* find_record(object_id id) {
    const auto at = id - own_begin_;
    if (at < own_count_) [[likely]] {
      record* const r = own_.data() + at;
      if (r == nullptr) __builtin_unreachable();
      return r;
    }
    auto* const k = known_.find(id);
    return k == nullptr ? nullptr : &k->what;
  }
  const record* find_record(object_id id) const { return const_cast<protocol*>(this)->find_record(id); }
  /// For an object of which nothing is known.
  record& place_for(object_id id) {
    const auto at = id - own_begin_;
    if (home_of(id) != here_ || id < own_begin_ || is_promised(id)) return known_.insert({.id = id}).what;
    if (at >= own_.size()) {
      if (at >= own_.capacity()) own_.reserve(at + at / 4 + 8); // a quarter too much, not as much again
      if (at == own_.size())
        own_.emplace_back();
      else
        own_.resize(at + 1);
      own_count_ = own_.size();
    }
    return own_[at];
  }
  /// The first message from here to an object. Null if that has its home here, where it is unknown, and was
  /// not promised.
  [[gnu::noinline]] record* meet(object_id id) {
    const bool is_home = home(id) == here_;
    if (is_home && !is_promised(id)) return nullptr;
    return &known_.insert({id, {.where = home(id), .sender = is_home ? awaited : nobody}}).what;
  }
  template <class Visit>
  void for_each_record(Visit visit) const {
    for (std::size_t i = 0; i < own_.size(); ++i) visit(own_begin_ + i, own_[i]);
    known_.for_each([&](const known& k) { visit(k.id, k.what); });
  }
  static void begin_anew(record& r) {
    r.next = r.expected = r.others = 0;
    if (r.sender > nobody) r.sender = nobody;
  }
  /// Of the objects whose home is here; those that are made from now on lie one behind the other again.
  void keep_only_living() {
    for (std::size_t i = 0; i < own_.size(); ++i)
      if (own_[i].sender != ended) known_.insert({own_begin_ + i, own_[i]});
    own_begin_ += own_.size();
    own_ = {};
    own_count_ = 0;
  }

  // ---- senders

  std::uint32_t keep(sender_states s) {
    if (free_.empty()) {
      others_.push_back(std::move(s));
      return static_cast<std::uint32_t>(others_.size() - 1);
    }
    const auto at = free_.back();
    free_.pop_back();
    others_[at] = std::move(s);
    return at;
  }
  /// What is known of `sender`, which the record does not say.
  sender_state& state_of(record& r, pe_t sender) {
    if (r.others == 0) r.others = keep({});
    auto& all = others_[r.others];
    const auto at = std::ranges::lower_bound(all, sender, {}, &sender_state::sender);
    return at != all.end() && at->sender == sender ? *at : *all.insert(at, {sender, 0});
  }
  void put_back(record& r) {
    if (r.sender > nobody) state_of(r, r.sender).next = r.expected;
  }
  /// `sender` is the one that has sent last.
  void turn_to(record& r, pe_t sender) {
    if (r.sender == sender) return;
    put_back(r);
    r.expected = r.others == 0 ? 0 : state_of(r, sender).next;
    r.sender = sender;
  }
  /// Messages to an object for which others wait are looked at by `message` alone.
  void turn_away(record& r) {
    if (r.sender <= nobody) return;
    put_back(r);
    r.sender = nobody;
  }
  sender_states senders_of(const record& r) const {
    auto all = others_[r.others];
    if (r.sender <= nobody) return all;
    const auto at = std::ranges::lower_bound(all, r.sender, {}, &sender_state::sender);
    if (at != all.end() && at->sender == r.sender)
      at->next = r.expected;
    else
      all.insert(at, {r.sender, r.expected});
    return all;
  }

  // ---- messages

  // A message that says more than is known here has overtaken what makes it true: the object itself, or, at
  // its home, the news of it.
  verdict judge(record* r, const message_head& head) {
    if (r == nullptr)
      return home(head.id) == here_ && !is_promised(head.id) ? verdict::refuse : verdict::park;
    if (r->version < head.version || r->sender == awaited) return verdict::park;
    if (r->sender == ended) return verdict::refuse;
    if (r->object == nullptr) return verdict::forward;
    if (r->sender == held) return verdict::park;
    turn_to(*r, head.sender);
    return r->expected == head.number ? verdict::handle : verdict::park;
  }

  void forward(const record& r, message_head head, std::span<const std::byte> body) {
    const bool by_home = ++head.hops >= most_hops_ && home(head.id) != here_;
    head.version = r.version;
    carrier_.send_message(by_home ? home(head.id) : r.where, head, body);
  }

  void handle(record& r, const message_head& head, std::span<const std::byte> body) {
    ++r.expected;
    void* const object = r.object;
    if (head.hops > 0 && head.sender != here_) tell_sender(r, head);
    carrier_.handle(object, head, body);
  }
  // Once for each version.
  void tell_sender(record& r, const message_head& head) {
    const auto version = r.version;
    if (std::exchange(state_of(r, head.sender).told, version) != version)
      carrier_.send_news(head.sender, {head.id, here_, version});
  }
  /// What has waited for this message.
  void handle_followers(message_head head) {
    for (;;) {
      ++head.number;
      auto* const r = find_record(head.id);
      const auto next = parked_.find(key(head));
      if (next == parked_.end() || judge(r, next->second.head) != verdict::handle) {
        if (r != nullptr) turn_away(*r);
        return;
      }
      const auto m = std::move(parked_.extract(next).mapped());
      handle(*r, m.head, m.body);
    }
  }

  /// What is known has changed: messages that have waited for that go on.
  void release(object_id id) {
    if (parked_.empty()) return;
    for (auto& m : take_parked(id)) message(m.head, m.body);
  }
  std::vector<parked> take_parked(object_id id) {
    std::vector<parked> result;
    auto at = parked_.lower_bound({id, 0, 0});
    while (at != parked_.end() && std::get<0>(at->first) == id) {
      result.push_back(std::move(at->second));
      at = parked_.erase(at);
    }
    return result;
  }

  /// Those that wait arrive once more, where handlers run.
  void send_again(object_id id) {
    for (auto& m : take_parked(id)) carrier_.send_message(here_, m.head, m.body);
  }

  // ---- moves

  void set_place(record& r, object_id id, pe_t where) {
    r.where = where == nowhere ? home(id) : where;
    r.sender = where == nowhere ? ended : nobody;
    ended_ += where == nowhere;
  }
  // What is known here is true before anything is sent: sending may serve the inbox.
  sender_states leave(record& r, object_id id, pe_t to) {
    auto senders = senders_of(r);
    if (r.others != 0) {
      others_[r.others] = {};
      free_.push_back(std::exchange(r.others, 0));
    }
    r.expected = 0;
    r.object = nullptr;
    ++r.version;
    set_place(r, id, to);
    return senders;
  }
  void tell_others(object_id id, pe_t where, std::uint32_t version) {
    if (const auto at = home(id); at != here_ && at != where) carrier_.send_news(at, {id, where, version});
    release(id);
  }

  Carrier& carrier_;
  pe_t here_, pes_;
  std::uint16_t most_hops_;
  object_id own_begin_;
  std::size_t own_count_ = 0; ///< that of `own_`
  std::vector<record> own_;   ///< of the objects whose home is here, from that id on
  id_map<known> known_;       ///< of other objects
  std::vector<sender_states> others_ = std::vector<sender_states>(1); ///< the first is none
  std::vector<std::uint32_t> free_;                                   ///< places in it
  std::map<place, parked> parked_;
  std::size_t ended_ = 0; ///< objects that have ended here, of those not forgotten
  std::size_t kept_ = 0;  ///< records in `known_` after the last `forget`
};

} // namespace windrow::mobile
