// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <optional>
#include <unordered_map>
#include <utility>

#include "windrow/detail/mobile_protocol.hpp"

namespace windrow::mobile {

/// Whose turn it is with which object, where handlers run on several workers. Uses of an object are called in
/// the order in which they came: those that share it side by side, any other alone, so none overtakes one
/// that waits. One that was called begins as soon as a worker comes to it. An *act* (a move, the end) has its
/// turn when all before it are over, and nothing comes after it. Knows no thread: its user locks.
template <class Use, class Act>
class turns {
 public:
  /// Something of the object runs or waits.
  bool is_busy(object_id id) const { return all_.contains(id); }
  /// Of how many objects.
  std::size_t busy() const { return all_.size(); }
  void add(object_id id, bool shares, Use use) { all_[id].waiting.push_back({shares, std::move(use)}); }
  /// The next use whose turn it is; null: there is none. Somebody is to `begin` for it from now on.
  const Use* call(object_id id) {
    const auto at = all_.find(id);
    if (at == all_.end()) return nullptr;
    auto& s = at->second;
    if (s.waiting.empty() || s.alone || (s.is_in_use() && !s.waiting.front().shares)) return nullptr;
    s.alone = !s.waiting.front().shares;
    s.called.splice(s.called.end(), s.waiting, s.waiting.begin());
    return &s.called.back().what;
  }
  /// The first use that was called: it runs from now on. None: it was withdrawn.
  std::optional<Use> begin(object_id id) {
    const auto at = all_.find(id);
    if (at == all_.end() || at->second.called.empty()) return {};
    auto& s = at->second;
    ++s.running;
    std::optional<Use> first(std::move(s.called.front().what));
    s.called.pop_front();
    return first;
  }
  /// One that ran has ended.
  void end(object_id id) {
    auto& s = all_.find(id)->second;
    --s.running;
    s.alone = false;
  }
  /// For an object that is busy: the act comes last.
  void close(object_id id, Act act) { all_.find(id)->second.last = std::move(act); }
  /// True: the act has its turn. An object of which nothing runs or waits is forgotten.
  bool is_last(object_id id) {
    const auto at = all_.find(id);
    if (at->second.is_in_use() || !at->second.waiting.empty()) return false;
    if (at->second.last) return true;
    all_.erase(at);
    return false;
  }
  /// The act, when it has its turn; the object is idle from now on.
  std::optional<Act> take_last(object_id id) {
    const auto at = all_.find(id);
    auto act = std::move(at->second.last);
    all_.erase(at);
    return act;
  }
  /// How many uses of the object `withdraw` would take back: 0 if one of them runs, or an act waits.
  std::size_t to_withdraw(object_id id) const {
    const auto at = all_.find(id);
    return at == all_.end() ? 0 : at->second.to_withdraw();
  }
  /// Calls `see(id, uses)` for each object of which uses can be withdrawn.
  template <class See>
  void for_each_to_withdraw(See see) const {
    for (const auto& [id, s] : all_)
      if (const auto uses = s.to_withdraw(); uses > 0) see(id, uses);
  }
  /// Of an object whose uses can be withdrawn: calls `see(use)` for all of them, in the order of their turns.
  /// It is idle from now on.
  template <class See>
  void withdraw(object_id id, See see) {
    const auto s = all_.extract(id);
    for (auto* const some : {&s.mapped().called, &s.mapped().waiting})
      for (auto& w : *some) see(std::move(w.what));
  }
  /// Those that wait will not come.
  void drop_waiting() {
    for (auto& [id, s] : all_) s.called.clear(), s.waiting.clear(), s.last.reset();
  }
  /// Calls `see(id, use)` for each that waits or was called, in the order of turns for each object.
  template <class See>
  void for_each_waiting(See see) const {
    for (const auto& [id, s] : all_)
      for (const auto* const some : {&s.called, &s.waiting})
        for (const auto& w : *some) see(id, w.what);
  }
  /// For those who compare states: calls `see` with all numbers that make up this one, and `see_use`.
  template <class See, class SeeUse>
  void describe(See see, SeeUse see_use) const {
    for (const auto& [id, s] : all_) {
      see(id), see(s.running), see(s.called.size()), see(s.alone), see(s.last.has_value());
      for (const auto* const some : {&s.called, &s.waiting})
        for (const auto& w : *some) see_use(w.what);
    }
  }

 private:
  struct waiting_use {
    bool shares;
    Use what;
  };
  struct state {
    std::list<waiting_use> called, waiting;
    std::uint32_t running = 0;
    bool alone = false; ///< what runs or was called shares the object with none
    std::optional<Act> last;

    bool is_in_use() const { return running > 0 || !called.empty(); }
    std::size_t to_withdraw() const { return running > 0 || last ? 0 : called.size() + waiting.size(); }
  };

  std::unordered_map<object_id, state> all_; ///< of the objects that are busy
};

} // namespace windrow::mobile
