// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "balance/negotiation.hpp"
#include "windrow/balance.hpp"
#include "windrow/error.hpp"

namespace windrow::balance {

namespace {

enum stealing_subject : std::uint32_t { demand, loot };

/// Attempts of two rounds: PEs below the mean ask some others, and those above the limit give. Then what was
/// given is there, and may be given on.
class thief final : public negotiator {
 public:
  thief(const stealing& chosen, const share& s)
      : attempts_(std::min(chosen.attempts, most_rounds / 2 - 1)),
        asked_(std::min(chosen.victims, s.pes - 1)),
        pes_(s.pes),
        mean_(s.mean),
        limit_(limit_of(chosen.tolerance, s)),
        mine_(s),
        dice_(chosen.seed, s) {}

  std::vector<message> round(std::span<const message> messages) override {
    has_given_ = false;
    if (rounds_++ % 2 == 1) return give(messages);
    take(messages);
    return ask();
  }
  bool is_done() const override {
    const bool is_between = rounds_ % 2 == 1;
    return pes_ == 1 || (is_between && rounds_ > 2 * attempts_) || (mine_.load() <= limit_ && !has_given_);
  }
  std::vector<candidate> objects() const override { return mine_.all(); }

 private:
  std::vector<message> ask() {
    if (mine_.load() >= mean_) return {};
    std::set<pe_t> victims(generous_.begin(), generous_.end());
    while (static_cast<int>(victims.size()) < asked_) victims.insert(dice_.other_pe());
    std::vector<message> result;
    result.reserve(victims.size());
    for (const auto pe : victims) result.push_back({.to = pe, .subject = demand, .value = mine_.load()});
    result[dice_.below(result.size())].objects = mine_.pieces(mean_ / 4); // to one: they are given once
    return result;
  }
  // The poorest thief comes first.
  std::vector<message> give(std::span<const message> messages) {
    std::vector<message> result;
    result.reserve(messages.size());
    for (const auto* l : poorest_first(messages)) {
      result.push_back(loot_for(*l));
      has_given_ |= !result.back().objects.empty();
    }
    return result;
  }
  // Half of the difference, so that a thief of much is worth stealing from, and what is too much here is soon
  // in many places. What is not from here goes first: it moves anyway. A thief gives nothing meanwhile, so
  // what it has named is there in exchange.
  message loot_for(const message& thief) {
    message l{.to = thief.from, .subject = loot};
    auto its_load = thief.value;
    const auto surplus = [&] { return std::min((mine_.load() - its_load) / 2, mine_.load() - mean_); };
    while (mine_.load() > limit_) {
      const auto* chosen = mine_.heaviest_foreign(surplus());
      if (chosen == nullptr) chosen = mine_.choose(mine_.load() - limit_, (mine_.load() - its_load) / 2);
      if (chosen == nullptr) break;
      const auto what = *chosen;
      l.objects.push_back(what);
      its_load += what.load;
      mine_.remove(what);
    }
    if (l.objects.empty() && mine_.load() > limit_)
      l.objects = mine_.exchange(surplus(), its_load, thief.objects);
    return l;
  }
  // A PE that had something may have more; one that had nothing is not asked again, but another one.
  void take(std::span<const message> messages) {
    generous_.clear();
    for (const auto& l : messages) {
      for (const auto& c : l.objects) mine_.change_hands(c);
      if (!l.objects.empty()) generous_.push_back(l.from);
    }
  }

  int attempts_, asked_;
  pe_t pes_;
  double mean_, limit_;
  holdings mine_;
  dice dice_;
  std::vector<pe_t> generous_; ///< those that had something the last time
  int rounds_ = 0;
  bool has_given_ = false; ///< what is not there yet
};

} // namespace

std::unique_ptr<negotiator> stealing::join(const share& s) const {
  if (victims < 1 || attempts < 1)
    throw error(fmt::format("balance: stealing with {} victims and {} attempts; both are 1 at least", victims,
                            attempts));
  return std::make_unique<thief>(*this, s);
}

} // namespace windrow::balance
