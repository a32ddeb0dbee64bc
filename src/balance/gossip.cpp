// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "balance/negotiation.hpp"
#include "windrow/balance.hpp"
#include "windrow/error.hpp"

namespace windrow::balance {

namespace {

enum gossip_subject : std::uint32_t { gossiping, offer, answer };

/// Iterations of `spreading_` rounds in which PEs below the mean become known, one of offers, and one of
/// answers.
class gossiper final : public negotiator {
 public:
  gossiper(const gossip& chosen, const share& s)
      : fanout_(std::min(chosen.fanout, s.pes)),
        here_(s.pe),
        pes_(s.pes),
        mean_(s.mean),
        limit_(limit_of(chosen.tolerance, s)),
        mine_(s),
        dice_(chosen.seed, s) {
    for (double reached = 1; reached < pes_; reached *= 1 + fanout_) ++spreading_;
    ++spreading_; // chance reaches some twice
    iterations_ = std::min(chosen.iterations, most_rounds / (spreading_ + 2) - 2); // and one without offers
  }

  std::vector<message> round(std::span<const message> messages) override {
    const int step = rounds_++ % (spreading_ + 2);
    if (step == 0) {
      learn_answers(messages);
      known_.clear();
      fresh_ = mine_.load() < mean_;
      if (fresh_) known_[here_] = mine_.load();
    } else if (step <= spreading_) {
      learn(messages);
    }
    if (step < spreading_) return spread();
    return step == spreading_ ? make_offers() : consider(messages);
  }
  bool is_done() const override {
    const bool begins = rounds_ % (spreading_ + 2) == 0;
    return pes_ == 1 ||
           (promised_ == 0 && (mine_.load() <= limit_ || given_up_ || (begins && rounds_ >= all_rounds())));
  }
  std::vector<candidate> objects() const override { return mine_.all(); }

 private:
  int all_rounds() const { return iterations_ * (spreading_ + 2); }

  // ---- gossip

  void learn(std::span<const message> messages) {
    for (const auto& l : messages)
      for (const auto& k : l.loads) fresh_ |= known_.emplace(k.pe, k.load).second;
  }
  // A PE that has learned nothing new says nothing.
  std::vector<message> spread() {
    if (pes_ == 1 || !std::exchange(fresh_, false)) return {};
    std::vector<message> result;
    for (int i = 0; i < std::min(fanout_, pes_ - 1); ++i)
      result.push_back({.to = dice_.other_pe(), .subject = gossiping, .loads = some_known()});
    return result;
  }
  // A message has a bounded length: a stretch of what is known, from anywhere.
  std::vector<known_load> some_known() {
    std::vector<known_load> all;
    all.reserve(known_.size());
    for (const auto& [pe, load] : known_) all.push_back({pe, load});
    if (all.size() > most_told) {
      const auto from = static_cast<std::size_t>(dice_.unit() * static_cast<double>(all.size()));
      std::ranges::rotate(all, all.begin() + static_cast<std::ptrdiff_t>(from));
      all.resize(most_told);
    }
    return all;
  }

  // ---- offers

  // After the last iteration there are none: who still waited for an answer would not be done.
  std::vector<message> make_offers() {
    if (rounds_ > all_rounds()) return {};
    std::map<pe_t, message> offers;
    auto left = mine_;
    while (left.load() > limit_ && !known_.empty()) {
      const auto to = choose_receiver();
      auto& load = known_[to];
      const auto* const chosen = choose_object(left, load);
      if (chosen == nullptr) {
        known_.erase(to);
        continue;
      }
      const auto what = *chosen;
      auto& l =
          offers.try_emplace(to, message{.to = to, .subject = offer, .value = left.load()}).first->second;
      l.objects.push_back(what);
      load += what.load;
      left.remove(what);
    }
    std::vector<message> result;
    for (auto& [to, l] : offers) {
      promised_ += l.objects.size();
      result.push_back(std::move(l));
    }
    idle_iterations_ = result.empty() ? idle_iterations_ + 1 : 0;
    given_up_ = idle_iterations_ >= 3; // nobody has room
    return result;
  }
  // PEs with more room are chosen more often, and not always, so that not all choose the same PE.
  pe_t choose_receiver() {
    double room = 0;
    for (const auto& [pe, load] : known_) room += std::max(0.0, limit_ - load);
    auto at = dice_.unit() * room;
    for (const auto& [pe, load] : known_) {
      at -= std::max(0.0, limit_ - load);
      if (at <= 0) return pe;
    }
    return known_.rbegin()->first;
  }
  // What fits, or else an object that leaves the receiver lighter than this PE was.
  const candidate* choose_object(const holdings& left, double receiver) const {
    if (const auto* const fits = left.choose(left.load() - limit_, limit_ - receiver)) return fits;
    return idle_iterations_ == 0 ? nullptr : left.choose(left.load(), (left.load() - receiver) / 2);
  }

  /// Takes what fits, and tells the others what it has taken.
  std::vector<message> consider(std::span<const message> messages) {
    std::vector<message> result;
    for (const auto& l : messages) {
      if (l.subject != offer) continue;
      message reply{.to = l.from, .subject = answer, .value = static_cast<double>(l.objects.size())};
      for (const auto& c : l.objects)
        if (mine_.load() + c.load <= std::max(limit_, l.value - c.load)) {
          mine_.add(c);
          reply.objects.push_back(c);
        }
      result.push_back(std::move(reply));
    }
    return result;
  }
  void learn_answers(std::span<const message> messages) {
    for (const auto& l : messages)
      for (const auto& c : l.objects) mine_.remove(c);
    promised_ = 0;
  }

  static constexpr std::size_t most_told = 64;

  int fanout_, iterations_ = 0;
  pe_t here_, pes_;
  double mean_, limit_;
  holdings mine_;
  dice dice_;
  int spreading_ = 0;
  int rounds_ = 0;
  bool fresh_ = false; ///< something is known that others have not been told
  std::map<pe_t, double> known_;
  std::size_t promised_ = 0; ///< objects that are offered
  int idle_iterations_ = 0;  ///< without an offer
  bool given_up_ = false;
};

} // namespace

std::unique_ptr<negotiator> gossip::join(const share& s) const {
  if (fanout < 1 || iterations < 1)
    throw error(fmt::format("balance: gossip with fanout {} and {} iterations; both are 1 at least", fanout,
                            iterations));
  return std::make_unique<gossiper>(*this, s);
}

} // namespace windrow::balance
