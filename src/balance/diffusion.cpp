// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "balance/negotiation.hpp"
#include "windrow/balance.hpp"

namespace windrow::balance {

namespace {

enum diffusion_subject : std::uint32_t { how_heavy, so_heavy, request, gift };

/// Iterations of four rounds: who is poor asks its neighbours for their loads, gets them, asks the heaviest
/// for objects, and gets some or none.
class neighbour final : public negotiator {
 public:
  neighbour(const diffusion& chosen, const share& s)
      : chosen_(chosen),
        pes_(s.pes),
        mean_(s.mean),
        limit_(std::max(chosen.tolerance * s.mean, s.heaviest)),
        mine_(s),
        dice_(chosen.seed, s) {
    for (pe_t n = 1; n <= std::min(chosen.neighbours, pes_ - 1); ++n) // around it on a ring
      neighbours_.push_back((s.pe + (n % 2 == 1 ? (n + 1) / 2 : pes_ - n / 2)) % pes_);
  }

  std::vector<message> round(std::span<const message> messages) override {
    switch (rounds_++ % 4) {
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
    return pes_ == 1 || (rounds_ % 4 == 1 && rounds_ > 4 * chosen_.iterations) ||
           (mine_.load() <= limit_ && !waits_);
  }
  std::vector<candidate> objects() const override { return mine_.all(); }

 private:
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
    std::vector<const message*> poorest_first;
    for (const auto& l : messages) poorest_first.push_back(&l);
    std::ranges::sort(poorest_first, {}, [](const message* l) { return std::pair(l->value, l->from); });
    std::vector<message> result;
    result.reserve(poorest_first.size());
    for (const auto* l : poorest_first) result.push_back(gift_for(l->from, l->value));
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
  // Who had nothing to give is no neighbour any more.
  void take_gifts(std::span<const message> messages) {
    waits_ = false;
    for (const auto& l : messages) {
      for (const auto& c : l.objects) mine_.add(c);
      if (l.objects.empty()) std::ranges::replace(neighbours_, l.from, dice_.other_pe());
    }
  }

  diffusion chosen_;
  pe_t pes_;
  double mean_, limit_;
  holdings mine_;
  dice dice_;
  std::vector<pe_t> neighbours_;
  int rounds_ = 0;
  bool waits_ = false; ///< for a gift
};

} // namespace

std::unique_ptr<negotiator> diffusion::join(const share& s) const {
  return std::make_unique<neighbour>(*this, s);
}

} // namespace windrow::balance
