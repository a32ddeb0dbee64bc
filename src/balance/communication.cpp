// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "windrow/balance.hpp"

namespace windrow::balance {

namespace {

/// Whom each object exchanges bytes with, in either direction.
class exchange_graph {
 public:
  struct edge {
    std::size_t to;
    double bytes;
  };

  explicit exchange_graph(const problem& p) : begin_(p.objects.size() + 1) {
    for (const auto& m : p.messages)
      if (m.from != m.to) ++begin_[m.from + 1], ++begin_[m.to + 1];
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    edges_.resize(begin_.back());
    auto next = begin_;
    for (const auto& m : p.messages)
      if (m.from != m.to) {
        edges_[next[m.from]++] = {m.to, m.bytes};
        edges_[next[m.to]++] = {m.from, m.bytes};
      }
  }

  std::span<const edge> of(std::size_t object) const {
    return std::span(edges_).subspan(begin_[object], begin_[object + 1] - begin_[object]);
  }
  double bytes(std::size_t object) const {
    double sum = 0;
    for (const auto& e : of(object)) sum += e.bytes;
    return sum;
  }
  double between(std::size_t a, std::size_t b) const {
    double sum = 0;
    for (const auto& e : of(a))
      if (e.to == b) sum += e.bytes;
    return sum;
  }

 private:
  std::vector<std::size_t> begin_; ///< of the edges of each object
  std::vector<edge> edges_;
};

/// Objects on PEs, and the exchanges that get better by moving them.
class placement {
 public:
  placement(const problem& p, const moves& begin, double limit)
      : p_(p), graph_(p), limit_(limit), load_(loads(p, begin)), here_(static_cast<std::size_t>(p.pes)) {
    for (const auto& o : p.objects) place_.push_back(o.pe);
    for (const auto& m : begin) place_[m.object] = m.to;
    for (std::size_t i = 0; i < place_.size(); ++i) here_[at(place_[i])].emplace(p.objects[i].load, i);
  }

  /// Until nothing gets better, but not for ever.
  void improve() {
    constexpr int most_passes = 16;
    std::vector<std::pair<double, std::size_t>> most_bytes_first;
    most_bytes_first.reserve(place_.size());
    for (std::size_t i = 0; i < place_.size(); ++i) most_bytes_first.emplace_back(-graph_.bytes(i), i);
    std::ranges::sort(most_bytes_first);
    bool is_better = true;
    for (int pass = 0; is_better && pass < most_passes; ++pass) {
      is_better = false;
      for (const auto& [bytes, i] : most_bytes_first) is_better |= improve(i);
    }
  }

  moves differences() const {
    moves result;
    for (std::size_t i = 0; i < place_.size(); ++i)
      if (place_[i] != p_.objects[i].pe) result.push_back({i, place_[i]});
    return result;
  }

 private:
  static std::size_t at(pe_t pe) { return static_cast<std::size_t>(pe); }

  double bytes_with(std::size_t object, pe_t pe) const {
    double sum = 0;
    for (const auto& e : graph_.of(object))
      if (place_[e.to] == pe) sum += e.bytes;
    return sum;
  }
  // Bytes less between PEs, and less for the object's own move.
  double gain(std::size_t object, pe_t to) const {
    const auto here = place_[object], begun = p_.objects[object].pe;
    const auto own = static_cast<double>(p_.objects[object].bytes);
    const auto cost = here == begun ? own : to == begun ? -own : 0;
    return bytes_with(object, to) - bytes_with(object, here) - cost;
  }
  // The PEs of those whom it exchanges with, the best first.
  std::vector<std::pair<double, pe_t>> better_places(std::size_t object) const {
    std::vector<pe_t> pes;
    for (const auto& e : graph_.of(object))
      if (place_[e.to] != place_[object]) pes.push_back(place_[e.to]);
    std::ranges::sort(pes);
    pes.erase(std::ranges::unique(pes).begin(), pes.end());
    std::vector<std::pair<double, pe_t>> result;
    for (const auto pe : pes)
      if (const auto better = gain(object, pe); better > 0) result.emplace_back(better, pe);
    std::ranges::sort(result, [](const auto& a, const auto& b) {
      return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    return result;
  }
  bool improve(std::size_t object) {
    constexpr std::size_t most_places = 3;
    const auto better = better_places(object);
    for (const auto& [gained, to] : std::span(better).first(std::min(better.size(), most_places))) {
      if (load_[at(to)] + p_.objects[object].load <= limit_) {
        shift(object, to);
        return true;
      }
      if (const auto other = in_exchange(object, to, gained)) {
        const auto here = place_[object];
        shift(object, to);
        shift(*other, here);
        return true;
      }
    }
    return false;
  }
  // Of some objects on PE `to` whose loads are such that both PEs have room: which one gains most, or loses
  // less than the first one gains.
  std::optional<std::size_t> in_exchange(std::size_t object, pe_t to, double gained) const {
    constexpr int most_tried = 64;
    const auto here = place_[object];
    const auto load = p_.objects[object].load;
    const auto least = load_[at(to)] + load - limit_, most = limit_ - load_[at(here)] + load;
    std::optional<std::size_t> best;
    double best_gain = -gained;
    int tried = 0;
    const auto& there = here_[at(to)];
    for (auto o = there.lower_bound({least, 0}); o != there.end() && o->first <= most; ++o) {
      if (++tried > most_tried) break;
      const auto other_gain = gain(o->second, here) - 2 * graph_.between(object, o->second);
      if (other_gain > best_gain) best_gain = other_gain, best = o->second;
    }
    return best;
  }
  void shift(std::size_t object, pe_t to) {
    const auto load = p_.objects[object].load;
    auto& from = place_[object];
    here_[at(from)].erase({load, object});
    here_[at(to)].emplace(load, object);
    load_[at(from)] -= load;
    load_[at(to)] += load;
    from = to;
  }

  const problem& p_;
  exchange_graph graph_;
  double limit_;
  std::vector<pe_t> place_;
  std::vector<double> load_;                                   ///< by PE
  std::vector<std::set<std::pair<double, std::size_t>>> here_; ///< by PE, lightest first
};

} // namespace

moves refine_communication::operator()(const problem& p) const {
  auto level = refine{tolerance}(p);
  if (p.messages.empty()) return level;
  double sum = 0, heaviest = 0;
  for (const auto& o : p.objects) sum += o.load, heaviest = std::max(heaviest, o.load);
  placement all(p, level, std::max(tolerance * sum / p.pes, heaviest));
  all.improve();
  return all.differences();
}

} // namespace windrow::balance
