// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <memory>
#include <utility>
#include <vector>

#include "balance/negotiation.hpp"
#include "windrow/balance.hpp"
#include "windrow/error.hpp"

namespace windrow::balance {

namespace {

enum diffusion_subject : std::uint32_t { how_heavy, so_heavy, request, gift };

constexpr int sweeps = 12; ///< of as many steps as the hypercube has dimensions, at most

/// First steps of two rounds: PEs meet in pairs, at first their neighbours in each dimension of a hypercube.
/// They tell each other their loads, and the heavier gives half of the difference, or exchanges a large
/// object for lighter ones. Then, for what is left, iterations of four rounds: who is poor asks some PEs for
/// their loads, gets them, asks the heaviest for objects, and gets some or none.
class neighbour final : public negotiator {
 public:
  neighbour(const diffusion& chosen, const share& s)
      : seed_(chosen.seed),
        pe_(s.pe),
        pes_(s.pes),
        mean_(s.mean),
        limit_(limit_of(chosen.tolerance, s)),
        mine_(s),
        dice_(chosen.seed, s) {
    iterations_ = std::min(chosen.iterations, (most_rounds - exchange_rounds()) / 4 - 1);
    for (pe_t n = 1; n <= std::min(chosen.neighbours, pes_ - 1); ++n) // around it on a ring
      neighbours_.push_back((s.pe + (n % 2 == 1 ? (n + 1) / 2 : pes_ - n / 2)) % pes_);
  }

  std::vector<message> round(std::span<const message> messages) override {
    const int now = rounds_++ - exchange_rounds();
    if (now < 0) return now % 2 == 0 ? tell_neighbour(messages) : give_neighbour(messages);
    switch (now % 4) {
      case 0:
        take_gifts(messages);
        return ask_all();
      case 1:
        return tell(messages);
      case 2:
        return ask_heaviest(messages);
      default:
        return give(messages);
    }
  }
  bool is_done() const override {
    const int asked = rounds_ - exchange_rounds();
    return pes_ == 1 || (asked % 4 == 1 && asked > 4 * iterations_) || (mine_.load() <= limit_ && !waits_);
  }
  std::vector<candidate> objects() const override { return mine_.all(); }

 private:
  int dimensions() const { return static_cast<int>(std::bit_width(static_cast<unsigned>(pes_ - 1))); }
  int exchange_rounds() const { return 2 * dimensions() * sweeps; }

  // From a PE to the one that it meets in this step, and back. After the dimensions of the hypercube any
  // other one, at random: neighbours may be much alike by then.
  pe_t difference(int step) const {
    const auto all = static_cast<std::uint64_t>(1) << dimensions();
    if (step < dimensions()) return pe_t{1} << step;
    return static_cast<pe_t>(1 + mix(seed_, static_cast<std::uint64_t>(step)) % (all - 1));
  }

  std::vector<message> tell_neighbour(std::span<const message> messages) {
    take_gifts(messages);
    const pe_t other = pe_ ^ difference((rounds_ - 1) / 2);
    if (other >= pes_) return {};
    message l{.to = other, .subject = so_heavy, .value = mine_.load()};
    if (mine_.load() < limit_) l.objects = mine_.pieces(mean_ / 4);
    return {std::move(l)};
  }
  // Half of the difference at most, and what is above the mean: then nobody gives what it will want back.
  std::vector<message> give_neighbour(std::span<const message> messages) {
    if (messages.empty()) return {};
    const auto& other = messages.front();
    message l{.to = other.from, .subject = gift};
    auto left = surplus_over(other);
    const auto give = [&](const candidate what) {
      l.objects.push_back(what);
      left -= what.load;
      mine_.remove(what);
    };
    while (const auto* const chosen = mine_.heaviest_foreign(left)) give(*chosen); // moves anyway
    while (const auto* const chosen = mine_.heaviest(left)) give(*chosen);
    // The other one gives nothing meanwhile: what both tell in this step is for each other.
    if (l.objects.empty() && mine_.load() > limit_)
      l.objects = mine_.exchange(surplus_over(other), other.value, other.objects);
    if (l.objects.empty()) return {};
    waits_ = true; // until it is there
    return {std::move(l)};
  }
  double surplus_over(const message& other) const {
    return std::min((mine_.load() - other.value) / 2, mine_.load() - mean_);
  }

  std::vector<message> ask_all() {
    std::vector<message> result;
    if (mine_.load() < mean_)
      for (const auto n : neighbours_) result.push_back({.to = n, .subject = how_heavy});
    return result;
  }
  std::vector<message> tell(std::span<const message> messages) {
    std::vector<message> result;
    for (const auto& l : messages)
      result.push_back({.to = l.from, .subject = so_heavy, .value = mine_.load()});
    return result;
  }
  std::vector<message> ask_heaviest(std::span<const message> messages) {
    if (messages.empty()) return {};
    const auto& heaviest = *std::ranges::max_element(messages, {}, &message::value);
    if (heaviest.value <= mean_) {
      for (auto& n : neighbours_) n = dice_.other_pe();
      return {};
    }
    waits_ = true;
    return {{.to = heaviest.from, .subject = request, .value = mine_.load()}};
  }
  // The poorest first.
  std::vector<message> give(std::span<const message> messages) {
    std::vector<message> result;
    result.reserve(messages.size());
    for (const auto* l : poorest_first(messages)) result.push_back(gift_for(l->from, l->value));
    return result;
  }
  message gift_for(pe_t to, double its_load) {
    message l{.to = to, .subject = gift};
    const bool is_over = mine_.load() > limit_;
    while (is_over && mine_.load() > limit_ && its_load < mine_.load()) {
      const auto room = std::max(limit_ - its_load, (mine_.load() - its_load) / 2);
      const auto* const chosen = mine_.choose(mine_.load() - limit_, std::min(room, mine_.load() - its_load));
      if (chosen == nullptr || its_load + chosen->load > std::max(limit_, mine_.load() - chosen->load)) break;
      const auto what = *chosen;
      l.objects.push_back(what);
      its_load += what.load;
      mine_.remove(what);
    }
    return l;
  }
  // A PE that had nothing to give is no longer a neighbour.
  void take_gifts(std::span<const message> messages) {
    waits_ = false;
    for (const auto& l : messages) {
      for (const auto& c : l.objects) mine_.change_hands(c);
      if (l.objects.empty()) std::ranges::replace(neighbours_, l.from, dice_.other_pe());
    }
  }

  std::uint64_t seed_;
  int iterations_ = 0;
  pe_t pe_, pes_;
  double mean_, limit_;
  holdings mine_;
  dice dice_;
  std::vector<pe_t> neighbours_;
  int rounds_ = 0;
  bool waits_ = false; ///< for a gift to come, here or where it goes
};

} // namespace

std::unique_ptr<negotiator> diffusion::join(const share& s) const {
  if (neighbours < 1 || iterations < 1)
    throw error(fmt::format("balance: diffusion with {} neighbours and {} iterations; both are 1 at least",
                            neighbours, iterations));
  return std::make_unique<neighbour>(*this, s);
}

} // namespace windrow::balance
