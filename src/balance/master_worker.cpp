// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "balance/negotiation.hpp"
#include "windrow/balance.hpp"
#include "windrow/error.hpp"

namespace windrow::balance {

namespace {

/// Three rounds: PEs tell the master their loads and hand over what is too much, the master deals it out,
/// and it is there.
class worker_of_master final : public negotiator {
 public:
  worker_of_master(const master_worker& chosen, const share& s)
      : pe_(s.pe),
        pes_(s.pes),
        master_(chosen.master),
        mean_(s.mean),
        limit_(limit_of(chosen.tolerance, s)),
        mine_(s) {}

  std::vector<message> round(std::span<const message> messages) override {
    switch (rounds_++) {
      case 0:
        return {hand_over()};
      case 1:
        return pe_ == master_ ? deal(messages) : std::vector<message>{};
      default:
        for (const auto& l : messages)
          for (const auto& c : l.objects) mine_.add(c);
        return {};
    }
  }
  bool is_done() const override { return pes_ == 1 || rounds_ > 2; }
  std::vector<candidate> objects() const override { return mine_.all(); }

 private:
  // The fewest objects that bring this PE below the limit; where all are larger than what is above the mean,
  // one of them, for others to come in its place.
  message hand_over() {
    message l{.to = master_};
    while (mine_.load() > limit_) {
      const auto* chosen = mine_.choose(mine_.load() - limit_, mine_.load() - mean_);
      if (chosen == nullptr) chosen = mine_.lightest_above(mine_.load() - mean_);
      if (chosen == nullptr) break;
      const auto what = *chosen;
      l.objects.push_back(what);
      mine_.remove(what);
    }
    l.value = mine_.load();
    return l;
  }
  // The heaviest object first, to the PE with least load; back to where it was if that PE would be heavier
  // than the heaviest has been.
  std::vector<message> deal(std::span<const message> messages) const {
    std::vector<candidate> heaviest_first;
    std::set<std::pair<double, pe_t>> least_loaded;
    std::map<pe_t, double> load;
    double most = 0;
    for (const auto& l : messages) {
      load[l.from] = l.value;
      least_loaded.emplace(l.value, l.from);
      heaviest_first.insert(heaviest_first.end(), l.objects.begin(), l.objects.end());
      auto begun = l.value;
      for (const auto& c : l.objects) begun += c.load;
      most = std::max(most, begun);
    }
    std::ranges::sort(heaviest_first, std::ranges::greater{});
    std::map<pe_t, message> shares;
    for (const auto& c : heaviest_first) {
      const auto [least, poorest] = *least_loaded.begin();
      const auto to = least + c.load <= most ? poorest : c.origin;
      least_loaded.erase({load[to], to});
      load[to] += c.load;
      least_loaded.emplace(load[to], to);
      shares.try_emplace(to, message{.to = to}).first->second.objects.push_back(c);
    }
    std::vector<message> result;
    result.reserve(shares.size());
    for (auto& [pe, l] : shares) result.push_back(std::move(l));
    return result;
  }

  pe_t pe_, pes_, master_;
  double mean_, limit_;
  holdings mine_;
  int rounds_ = 0;
};

} // namespace

std::unique_ptr<negotiator> master_worker::join(const share& s) const {
  if (master < 0 || master >= s.pes)
    throw error(fmt::format("balance: PE {} is to be the master; there are PEs 0 to {}", master, s.pes - 1));
  return std::make_unique<worker_of_master>(*this, s);
}

} // namespace windrow::balance
