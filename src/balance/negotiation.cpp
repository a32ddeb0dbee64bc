// SPDX-License-Identifier: BSD-3-Clause
// Negotiators of all PEs in one thread: how a distributed policy is tried without a job.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "windrow/balance.hpp"
#include "windrow/error.hpp"

namespace windrow::balance {

namespace {

class table {
 public:
  table(const policy& chosen, const problem& p) : messages_(static_cast<std::size_t>(p.pes)) {
    numbers_.resize(messages_.size());
    loads_.resize(messages_.size());
    double sum = 0, heaviest = 0;
    for (std::size_t i = 0; i < p.objects.size(); ++i) {
      const auto& o = p.objects[i];
      numbers_[static_cast<std::size_t>(o.pe)].push_back(i);
      loads_[static_cast<std::size_t>(o.pe)].push_back(o.load);
      sum += o.load;
      heaviest = std::max(heaviest, o.load);
    }
    for (pe_t pe = 0; pe < p.pes; ++pe)
      all_.push_back(chosen.join({pe, p.pes, loads_[static_cast<std::size_t>(pe)], sum / p.pes, heaviest}));
  }

  bool is_over() const {
    return std::ranges::all_of(all_, [](const auto& n) { return n->is_done(); });
  }
  void round() {
    std::vector<std::vector<message>> next(messages_.size());
    for (std::size_t pe = 0; pe < all_.size(); ++pe)
      for (auto& l : all_[pe]->round(messages_[pe])) {
        l.from = static_cast<pe_t>(pe);
        if (l.to < 0 || static_cast<std::size_t>(l.to) >= all_.size())
          throw error(fmt::format("balance: the policy writes to PE {}; there are PEs 0 to {}", l.to,
                                  all_.size() - 1));
        next[static_cast<std::size_t>(l.to)].push_back(std::move(l));
      }
    messages_ = std::move(next);
  }
  moves outcome() const {
    moves result;
    for (std::size_t pe = 0; pe < all_.size(); ++pe)
      for (const auto& c : all_[pe]->objects())
        if (c.origin != static_cast<pe_t>(pe)) result.push_back({number_of(c), static_cast<pe_t>(pe)});
    std::ranges::sort(result, {}, &move::object);
    return result;
  }

 private:
  std::size_t number_of(const candidate& c) const {
    const auto origin = static_cast<std::size_t>(c.origin);
    if (origin < numbers_.size() && c.number < numbers_[origin].size()) return numbers_[origin][c.number];
    throw error(fmt::format("balance: the policy has object {} of PE {}; there is none", c.number, c.origin));
  }

  std::vector<std::vector<double>> loads_;        ///< by PE; negotiators may keep their share
  std::vector<std::unique_ptr<negotiator>> all_;  ///< by PE
  std::vector<std::vector<message>> messages_;    ///< of the round before, by PE that gets them
  std::vector<std::vector<std::size_t>> numbers_; ///< of objects, by PE and number there
};

} // namespace

std::unique_ptr<negotiator> policy::join(const share& s) const {
  if (auto joined = join_(s)) return joined;
  throw error(
      fmt::format("balance: the policy has no negotiator for PE {}; `join` makes one for each", s.pe));
}

moves policy::operator()(const problem& p) const {
  if (!is_distributed()) return central_(p);
  table t(*this, p);
  for (int rounds = 0; !t.is_over(); ++rounds) {
    if (rounds == most_rounds)
      throw error(fmt::format("balance: the policy has come to no end after {} rounds", rounds));
    t.round();
  }
  return t.outcome();
}

} // namespace windrow::balance
