// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <list>
#include <optional>
#include <unordered_map>
#include <utility>

#include "windrow/detail/mobile_protocol.hpp"

namespace windrow::mobile {

/// Whose turn it is with which object, where handlers run on several workers. Uses of an object have their
/// turns in the order in which they came: those that share it run side by side, any other alone, so none
/// overtakes one that waits. An *act* (a move, the end) has its turn when all before it are over, and nothing
/// comes after it. Knows no thread: its user locks.
template <class Use, class Act>
class turns {
 public:
  /// Something of the object runs or waits.
  bool is_busy(object_id id) const { return all_.contains(id); }
  void add(object_id id, bool shares, Use use) { all_[id].waiting.push_back({shares, std::move(use)}); }
  /// The next use whose turn it is, if there is one: it runs from now on.
  std::optional<Use> take(object_id id) {
    auto& s = all_.find(id)->second;
    if (s.waiting.empty() || s.runs_alone || (s.running > 0 && !s.waiting.front().shares)) return {};
    ++s.running;
    s.runs_alone = !s.waiting.front().shares;
    std::optional<Use> first(std::move(s.waiting.front().what));
    s.waiting.pop_front();
    return first;
  }
  /// One that ran has ended.
  void end(object_id id) {
    auto& s = all_.find(id)->second;
    --s.running;
    s.runs_alone = false;
  }
  /// For an object that is busy: the act comes last.
  void close(object_id id, Act act) { all_.find(id)->second.last = std::move(act); }
  /// True: the act has its turn. An object of which nothing runs or waits is forgotten.
  bool is_last(object_id id) {
    const auto at = all_.find(id);
    if (at->second.running > 0 || !at->second.waiting.empty()) return false;
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
  /// Those that wait will not come.
  void drop_waiting() {
    for (auto& [id, s] : all_) s.waiting.clear(), s.last.reset();
  }
  /// Calls `see(id, use)` for each that waits, in the order of turns for each object.
  template <class See>
  void for_each_waiting(See see) const {
    for (const auto& [id, s] : all_)
      for (const auto& w : s.waiting) see(id, w.what);
  }
  /// For those who compare states: calls `see` with all numbers that make up this one, and `see_use`.
  template <class See, class SeeUse>
  void describe(See see, SeeUse see_use) const {
    for (const auto& [id, s] : all_) {
      see(id), see(s.running), see(s.runs_alone), see(s.last.has_value());
      for (const auto& w : s.waiting) see_use(w.what);
    }
  }

 private:
  struct waiting_use {
    bool shares;
    Use what;
  };
  struct state {
    std::list<waiting_use> waiting;
    std::uint32_t running = 0;
    bool runs_alone = false;
    std::optional<Act> last;
  };

  std::unordered_map<object_id, state> all_; ///< of the objects that are busy
};

} // namespace windrow::mobile
