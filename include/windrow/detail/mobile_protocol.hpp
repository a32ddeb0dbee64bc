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

/// In place of a PE: the object is destroyed.
inline constexpr pe_t nowhere = -1;
/// Messages that have been forwarded so often go to the object's home instead of to where it was heard of
/// last.
inline constexpr std::uint16_t usual_hops = 4;

/// What travels with each message.
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

/// What moves besides the object itself.
struct passage {
  object_id id;
  std::uint32_t version; ///< at its new place
  std::vector<sender_state> senders;
};

/// The protocol on one PE. `Carrier` carries out what it decides:
///
///   void send_message(pe_t to, const message_head&, std::span<const std::byte> body);
///   void send_object(pe_t to, const passage&, void* object);      // and the object leaves this PE
///   void send_news(pe_t to, const news&);
///   void handle(void* object, const message_head&, std::span<const std::byte> body);
///   void refuse(const message_head&);                             // the object is destroyed
///
/// Messages may arrive in any order, each once. `handle` may call `create`, `stamp`, `move` and `destroy`,
/// but lets nothing arrive. The others may, where they are called outside `handle`.
template <class Carrier>
class protocol {
 public:
  protocol(Carrier& carrier, pe_t here, std::uint16_t most_hops = usual_hops)
      : carrier_(carrier), here_(here), most_hops_(most_hops) {}

  /// A new object, of an id that was never used and whose home is here.
  void create(object_id id, void* object) {
    records_.insert({.id = id, .where = here_, .resident = settle({object, {}})});
  }

  /// Numbers a message to the object, and says where it goes. `what` is the carrier's.
  std::pair<pe_t, message_head> stamp(object_id id, std::uint16_t what) {
    record* r = records_.find(id);
    if (r == nullptr) [[unlikely]] {
      if (home_of(id) == here_) return {here_, {id, 0, 0, here_, 0, what}}; // which refuses it
      r = &records_.insert({.id = id, .where = home_of(id)});
    }
    return {r->where == nowhere ? home_of(id) : r->where, {id, r->next++, r->version, here_, 0, what}};
  }

  /// A message has arrived.
  void message(const message_head& head, std::span<const std::byte> body) {
    record* const r = records_.find(head.id);
    switch (judge(r, head)) {
      case verdict::handle:
        handle(*r, head, body);
        if (!parked_.empty()) [[unlikely]]
          handle_followers(head);
        break;
      case verdict::forward:
        forward(*r, head, body);
        break;
      case verdict::park:
        parked_.emplace(key(head), parked{head, {body.begin(), body.end()}});
        break;
      case verdict::refuse:
        carrier_.refuse(head);
    }
  }

  /// An object has arrived, in whose place there is now `object`.
  void arrived(passage p, void* object) {
    record* r = records_.find(p.id);
    if (r == nullptr) r = &records_.insert({.id = p.id});
    r->where = here_;
    r->version = p.version;
    r->resident = settle({object, std::move(p.senders)});
    release(p.id);
  }

  /// News have arrived.
  void hear(const news& n) {
    record* const r = records_.find(n.id);
    if (r == nullptr || n.version <= r->version) return;
    r->where = n.where;
    r->version = n.version;
    release(n.id);
  }

  /// An object that is here and not held goes to another PE, or stays if that is this one.
  void move(object_id id, pe_t to) {
    if (to == here_) return;
    record& r = *records_.find(id);
    auto gone = leave(r, to);
    for (auto& s : gone.senders) s.told = 0;
    const auto version = r.version;
    carrier_.send_object(to, {id, version, std::move(gone.senders)}, gone.object);
    tell_others(id, to, version);
  }

  /// An object that is here ends. Messages that still come are refused.
  void destroy(object_id id) {
    record& r = *records_.find(id);
    leave(r, nowhere);
    tell_others(id, nowhere, r.version);
  }

  /// Messages to an object that is here wait until `let_go`.
  void hold(object_id id) { records_.find(id)->held = true; }
  /// Those that have waited arrive once more.
  void let_go(object_id id) {
    records_.find(id)->held = false;
    for (auto& m : take_parked(id)) carrier_.send_message(here_, m.head, m.body);
  }

  /// The object, if it is here.
  void* find(object_id id) const {
    const auto* const r = records_.find(id);
    return r == nullptr ? nullptr : residents_[r->resident].object;
  }
  bool is_held(object_id id) const { return records_.find(id)->held; }
  /// Calls `visit(id, object)` for each object that is here; `visit` must not change which are.
  template <class Visit>
  void for_each_object(Visit visit) const {
    records_.for_each([&](const record& r) {
      if (r.resident != 0) visit(r.id, residents_[r.resident].object);
    });
  }
  std::size_t records() const { return records_.size(); }
  std::size_t waiting() const { return parked_.size(); }
  /// One of the messages that wait.
  const message_head& first_waiting() const { return parked_.begin()->second.head; }

  /// Forgets all that can be asked for at homes. To be called on all PEs while nothing is under way anywhere.
  void forget() {
    records_.erase_if(
        [&](const record& r) { return r.resident == 0 && (home_of(r.id) != here_ || r.where == nowhere); });
    records_.for_each([](record& r) { r.next = 0; });
    for (auto& r : residents_) r.senders = {};
  }

  /// For those who compare states: calls `see` with all numbers that make up this one.
  template <class See>
  void describe(See see) const {
    records_.for_each([&](const record& r) {
      see(r.id), see(r.where), see(r.version), see(r.next), see(r.held);
      see(r.resident != 0 ? residents_[r.resident].senders.size() + 1 : 0);
      if (r.resident != 0)
        for (const auto& s : residents_[r.resident].senders) see(s.sender), see(s.next), see(s.told);
    });
    for (const auto& [at, m] : parked_) {
      see(m.head.id), see(m.head.number), see(m.head.version), see(m.head.sender), see(m.head.hops);
      for (const auto b : m.body) see(b);
    }
  }

 private:
  enum class verdict { handle, forward, park, refuse };

  /// This PE's knowledge of an object.
  struct record {
    object_id id = 0;
    pe_t where = nowhere; ///< where it was heard of last, with this version
    std::uint32_t version = 0;
    std::uint32_t next = 0;     ///< number of the next message from here to it
    std::uint32_t resident = 0; ///< it is here: where in `residents_`; else 0
    bool held = false;          ///< its messages wait
  };
  /// An object that is here.
  struct resident {
    void* object = nullptr;
    std::vector<sender_state> senders{}; ///< by PE
  };
  using place = std::tuple<object_id, pe_t, std::uint32_t>;
  struct parked {
    message_head head;
    std::vector<std::byte> body;
  };

  static place key(const message_head& h) { return {h.id, h.sender, h.number}; }

  std::uint32_t settle(resident r) {
    if (free_.empty()) {
      residents_.push_back(std::move(r));
      return static_cast<std::uint32_t>(residents_.size() - 1);
    }
    const auto place = free_.back();
    free_.pop_back();
    residents_[place] = std::move(r);
    return place;
  }
  WINDROW_INLINE sender_state& state_of(const record& r, pe_t sender) {
    auto& all = residents_[r.resident].senders;
    if (!all.empty() && all.front().sender == sender) return all.front();
    return find_or_add(all, sender);
  }

  static sender_state& find_or_add(std::vector<sender_state>& all, pe_t sender) {
    const auto at = std::ranges::lower_bound(all, sender, {}, &sender_state::sender);
    return at != all.end() && at->sender == sender ? *at : *all.insert(at, {sender, 0});
  }

  // A message that says more than is known here has overtaken what makes it true: the object itself, or, at
  // its home, the news of it.
  WINDROW_INLINE verdict judge(const record* r, const message_head& head) {
    if (r == nullptr) return home_of(head.id) == here_ ? verdict::refuse : verdict::park;
    if (r->version < head.version) return verdict::park;
    if (r->where == nowhere) return verdict::refuse;
    if (r->resident == 0) return verdict::forward;
    return r->held || state_of(*r, head.sender).next != head.number ? verdict::park : verdict::handle;
  }

  void forward(const record& r, message_head head, std::span<const std::byte> body) {
    const bool by_home = ++head.hops >= most_hops_ && home_of(head.id) != here_;
    head.version = r.version;
    carrier_.send_message(by_home ? home_of(head.id) : r.where, head, body);
  }

  WINDROW_INLINE void handle(const record& r, const message_head& head, std::span<const std::byte> body) {
    sender_state& s = state_of(r, head.sender);
    ++s.next;
    if (head.hops > 0 && head.sender != here_ && s.told != r.version) {
      s.told = r.version;
      carrier_.send_news(head.sender, {head.id, here_, r.version});
    }
    carrier_.handle(residents_[r.resident].object, head, body);
  }
  /// What has waited for this message.
  void handle_followers(message_head head) {
    for (;;) {
      ++head.number;
      const auto next = parked_.find(key(head));
      if (next == parked_.end()) return;
      const auto* const r = records_.find(head.id);
      if (judge(r, next->second.head) != verdict::handle) return;
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

  // What is known here is true before anything is sent: sending may serve the inbox.
  resident leave(record& r, pe_t to) {
    r.where = to;
    ++r.version;
    free_.push_back(r.resident);
    return std::exchange(residents_[std::exchange(r.resident, 0)], {});
  }
  void tell_others(object_id id, pe_t where, std::uint32_t version) {
    if (const auto home = home_of(id); home != here_ && home != where)
      carrier_.send_news(home, {id, where, version});
    release(id);
  }

  Carrier& carrier_;
  pe_t here_;
  std::uint16_t most_hops_;
  id_map<record> records_;
  std::vector<resident> residents_ = std::vector<resident>(1); ///< the first is none
  std::vector<std::uint32_t> free_;                            ///< places in it
  std::map<place, parked> parked_;
};

} // namespace windrow::mobile
