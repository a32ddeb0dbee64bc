// SPDX-License-Identifier: BSD-3-Clause
#include "tools/overlap/replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "tools/overlap/latest.hpp"
#include "windrow/error.hpp"

namespace windrow::overlap {

namespace {

using std::uint64_t;
constexpr uint64_t ps_per_ns = 1000;

/// The event of another PE that ended a wait in the recorded run.
struct cause {
  int pe;
  std::size_t event;
};

bool waits_for_members(const event& one) {
  return one.what == action::barrier || one.what == action::collective;
}
bool completes(const event& one) {
  return one.what == action::quiet || one.what == action::barrier || one.what == action::notify;
}

/// Signals by the word that they change, in the order of recorded time.
class signal_index {
 public:
  explicit signal_index(const model& all) {
    for (int pe = 0; pe < all.pes(); ++pe)
      for (std::size_t i = 0; i < all.events(pe).size(); ++i) {
        const auto& one = all.events(pe)[i];
        for (const auto word : all.signalled(one))
          by_word_[{one.peer, word}].push_back({one.begin_ns, {pe, i}});
        if (one.what == action::notify)
          by_word_[{all_pes, one.remote.begin}].push_back({one.begin_ns, {pe, i}});
      }
    for (auto& [word, list] : by_word_) std::ranges::sort(list, {}, &sent::at_ns);
  }

  /// The last one before the wait ended, for a word of the PE itself or for a lock.
  std::optional<cause> of(const event& wait, int pe) const {
    std::optional<cause> last;
    uint64_t last_ns = 0;
    for (const auto owner : {pe, all_pes})
      for (auto at = by_word_.lower_bound({owner, wait.remote.begin});
           at != by_word_.end() && at->first.first == owner && asks_for(wait, at->first.second); ++at) {
        const auto one = last_before(at->second, wait.end_ns);
        if (!one || one->by.pe == pe || one->at_ns < last_ns) continue;
        last = one->by;
        last_ns = one->at_ns;
      }
    return last;
  }

 private:
  struct sent {
    uint64_t at_ns;
    cause by;
  };

  static std::optional<sent> last_before(const std::vector<sent>& list, uint64_t end_ns) {
    const auto behind = std::ranges::upper_bound(list, end_ns, {}, &sent::at_ns);
    if (behind == list.begin()) return std::nullopt;
    return *std::prev(behind);
  }

  std::map<std::pair<int, uint64_t>, std::vector<sent>> by_word_;
};

/// Members meet at the n-th barrier or collective of their team.
class meetings {
 public:
  explicit meetings(const recording& run) : run_(run) {}

  void arrive(std::uint32_t team, std::size_t which, uint64_t at_ps) {
    auto& one = all_[{team, which}];
    ++one.arrived;
    one.last_ps = std::max(one.last_ps, at_ps);
  }
  /// When the last one came, if all have.
  std::optional<uint64_t> complete(std::uint32_t team, std::size_t which) const {
    const auto found = all_.find({team, which});
    if (found == all_.end() || found->second.arrived < run_.teams[team].size()) return std::nullopt;
    return found->second.last_ps;
  }

 private:
  struct meeting {
    std::size_t arrived = 0;
    uint64_t last_ps = 0;
  };
  const recording& run_;
  std::map<std::pair<std::uint32_t, std::size_t>, meeting> all_;
};

/// What a PE has done so far.
struct pe_state {
  std::size_t next = 0;
  uint64_t now_ps = 0, work_ps = 0;
  bool has_worked = false;  ///< up to the next event
  bool has_arrived = false; ///< at the members' meeting that the next event is
  std::map<std::uint32_t, std::size_t> meetings;
  std::map<std::uint32_t, uint64_t> complete_ps; ///< of each context: when all that it has begun is
  uint64_t put_off_ps = 0;                       ///< when all that was put off is complete
  std::size_t due = SIZE_MAX;                    ///< the event before which that must be
  bool others_may_change = false;                ///< some of it reads what other PEs can write
  std::vector<std::size_t> latest;
  std::vector<uint64_t> seen_ps; ///< of each event: when others see its effect
};

class player {
 public:
  player(const model& all, const transport::model& network, const put_off_function& put_off)
      : all_(all), network_(network), put_off_(put_off), signals_(all), meetings_(all.run()) {
    pes_.resize(static_cast<std::size_t>(all.pes()));
    for (int pe = 0; pe < all.pes(); ++pe) {
      auto& own = pes_[static_cast<std::size_t>(pe)];
      own.latest = latest_places(all, pe);
      own.seen_ps.resize(all.events(pe).size());
    }
  }

  replayed play() {
    for (bool any = true; any;) {
      any = false;
      for (int pe = 0; pe < all_.pes(); ++pe)
        while (step(pe)) any = true;
    }
    replayed result;
    for (int pe = 0; pe < all_.pes(); ++pe) {
      const auto& own = state(pe);
      if (own.next < all_.events(pe).size()) say_stuck(pe);
      result.time_ps = std::max(result.time_ps, own.now_ps);
      result.waited_ps = std::max(result.waited_ps, own.now_ps - own.work_ps);
    }
    return result;
  }

 private:
  pe_state& state(int pe) { return pes_[static_cast<std::size_t>(pe)]; }

  [[noreturn]] void say_stuck(int pe) {
    const auto& one = all_.events(pe)[state(pe).next];
    throw error(
        fmt::format("overlap: PE {} waits at a {} for what the recording does not have: record a run that "
                    "comes to its end",
                    pe, name_of(one.what)));
  }

  /// Whether the PE's next event could happen.
  bool step(int pe) {
    auto& own = state(pe);
    const auto& events = all_.events(pe);
    if (own.next >= events.size()) return false;
    const auto& one = events[own.next];
    if (!own.has_worked) work(own, events);
    if (waits_for_members(one)) return meet(pe, one);
    if (one.what == action::wait || one.what == action::test) return wait(pe, one);
    if (is_transfer(one))
      transfer(pe, one);
    else if (completes(one))
      complete(pe, one);
    finish(own);
    return true;
  }

  void finish(pe_state& own) {
    ++own.next;
    own.has_worked = own.has_arrived = false;
  }

  // The time between two events, and what was put off and has to be complete now.
  void work(pe_state& own, const std::vector<event>& events) {
    const auto i = own.next;
    const auto before = i == 0 ? events[i].begin_ns : std::max(events[i - 1].end_ns, events[i - 1].begin_ns);
    const auto since_ns = events[i].begin_ns - std::min(events[i].begin_ns, before);
    const auto work = (since_ns - std::min(since_ns, events[i].recorder_ns)) * ps_per_ns;
    own.now_ps += work;
    own.work_ps += work;
    own.has_worked = true;
    if (own.due <= i || completes_what_is_put_off(own, events[i])) complete_put_off(own);
  }

  // As the runtime of plans does it (src/overlap/tracker.cpp): calls but gets and puts that tell nothing.
  bool completes_what_is_put_off(const pe_state& own, const event& one) const {
    if (one.what >= action::load) return one.what == action::unknown_code;
    if (one.what == action::get) return one.atomic;
    if (one.what != action::put) return one.what != action::quiet || !put_off_(one);
    const bool is_word = one.remote.bytes_used() <= longest_word;
    return all_.is_signal(one) || (is_word && own.others_may_change);
  }

  static void complete_put_off(pe_state& own) {
    own.now_ps = std::max(own.now_ps, own.put_off_ps);
    own.due = SIZE_MAX;
    own.others_may_change = false;
  }

  static void put_off(pe_state& own, uint64_t until_ps, std::size_t due) {
    own.put_off_ps = std::max(own.put_off_ps, until_ps);
    own.due = std::min(own.due, due);
  }

  bool meet(int pe, const event& one) {
    auto& own = state(pe);
    if (!own.has_arrived) {
      if (one.what == action::barrier) complete(pe, one);
      meetings_.arrive(one.team, own.meetings[one.team], own.now_ps);
      own.has_arrived = true;
    }
    const auto last_ps = meetings_.complete(one.team, own.meetings[one.team]);
    if (!last_ps) return false;
    own.now_ps = std::max(own.now_ps, *last_ps) + step_ps(all_.run().teams[one.team]);
    ++own.meetings[one.team];
    finish(own);
    return true;
  }

  // Rounds between hosts, and inside them.
  uint64_t step_ps(const std::vector<int>& members) const {
    std::set<pe_t> hosts;
    for (const auto one : members) hosts.insert(network_.host_of(one));
    const auto rounds = [](std::size_t of) { return static_cast<uint64_t>(std::bit_width(of - 1)); };
    const auto cost = [](const transport::link_cost& link) { return link.latency_ps + 2 * link.overhead_ps; };
    const auto on_one = std::min(members.size(), static_cast<std::size_t>(network_.pes_per_host));
    return rounds(on_one) * cost(network_.near) + rounds(hosts.size()) * cost(network_.far);
  }

  bool wait(int pe, const event& one) {
    auto& own = state(pe);
    if (const auto by = signals_.of(one, pe)) {
      if (state(by->pe).next <= by->event) return false;
      own.now_ps = std::max(own.now_ps, state(by->pe).seen_ps[by->event]);
    }
    finish(own);
    return true;
  }

  void complete(int pe, const event& one) {
    auto& own = state(pe);
    const auto until_ps = own.complete_ps[one.context];
    const auto i = own.next;
    if (one.what == action::quiet && put_off_(one))
      put_off(own, until_ps, next_call(pe, i));
    else
      own.now_ps = std::max(own.now_ps, until_ps);
    own.seen_ps[i] = own.now_ps + network_.near.latency_ps;
  }

  // Before which a quiet that is owed is made.
  std::size_t next_call(int pe, std::size_t i) const {
    const auto& events = all_.events(pe);
    const auto is_access = [&](std::size_t at) {
      return events[at].what >= action::load && events[at].what != action::unknown_code;
    };
    for (++i; i < events.size() && is_access(i);) ++i;
    return i;
  }

  void transfer(int pe, const event& one) {
    auto& own = state(pe);
    const auto i = own.next;
    const bool reads = one.what == action::get || (one.what == action::update && one.blocking);
    const auto& link = network_.between(pe, one.peer);
    const auto bytes = std::max<uint64_t>(one.remote.bytes_used(), 1);
    const auto leaves_ps = send(pe, one.peer, reads ? 1 : bytes);
    const auto there_ps = leaves_ps + link.latency_ps;
    const auto done_ps = there_ps + link.latency_ps + (reads ? link.length_ps(bytes) + link.overhead_ps : 0);
    own.seen_ps[i] = there_ps;
    if (!reads || !one.blocking) {
      auto& complete_ps = own.complete_ps[one.context];
      complete_ps = std::max(complete_ps, done_ps);
    }
    if (!one.blocking) return;
    if (!put_off_(one)) {
      own.now_ps = std::max(own.now_ps, reads ? done_ps : leaves_ps);
      return;
    }
    put_off(own, reads ? done_ps : leaves_ps, own.latest[i]);
    own.others_may_change |= reads || is_symmetric(one.local);
  }

  // When the last byte has left the port, which PEs of a host share.
  uint64_t send(int pe, int to, uint64_t bytes) {
    const auto& link = network_.between(pe, to);
    auto& own = state(pe);
    own.now_ps += link.overhead_ps;
    auto& port = ports_[{network_.is_near(pe, to), network_.is_near(pe, to) ? pe : network_.host_of(pe)}];
    const auto left = std::max(own.now_ps, port) + link.length_ps(bytes);
    port = left + link.gap_ps;
    return left;
  }

  const model& all_;
  const transport::model& network_;
  const put_off_function& put_off_;
  signal_index signals_;
  meetings meetings_;
  std::vector<pe_state> pes_;
  std::map<std::pair<bool, pe_t>, uint64_t> ports_; ///< when each is free
};

} // namespace

replayed replay(const model& all, const transport::model& network, const put_off_function& put_off) {
  return player(all, network, put_off).play();
}

transport::model without_costs(transport::model network) {
  network.near = network.far = {};
  return network;
}

} // namespace windrow::overlap
