// SPDX-License-Identifier: BSD-3-Clause
#include "transport/bulk/reads_ahead.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <utility>

#include "windrow/detail/round_up.hpp"

namespace windrow::transport {

namespace {

constexpr std::size_t most_sites = 1024;
constexpr std::size_t most_reads = 4096, most_bytes_of_one = 16 << 10, most_bytes = 1 << 20; // of a phase
constexpr std::size_t at_once = 64; ///< under way; README.md
constexpr std::uint32_t most_skipped = 64;
constexpr std::size_t value_align = 16;

constexpr std::uint64_t mix(std::uint64_t hash, std::uint64_t more) {
  hash = (hash ^ more) * 0x9E37'79B9'7F4A'7C15;
  return hash ^ hash >> 32;
}

std::uint64_t hash_of_bytes(const void* from, std::size_t bytes) {
  std::uint64_t hash = bytes;
  const auto* at = static_cast<const std::byte*>(from);
  for (; bytes >= sizeof hash; at += sizeof hash, bytes -= sizeof hash) {
    std::uint64_t some = 0;
    std::memcpy(&some, at, sizeof some);
    hash = mix(hash, some);
  }
  std::uint64_t rest = 0;
  std::memcpy(&rest, at, bytes);
  return mix(hash, rest);
}

} // namespace

std::size_t reads_ahead::hash_of_place::operator()(const place& p) const {
  return mix(mix(static_cast<std::uint64_t>(p.pe), p.offset), p.bytes);
}

// ---- phases

bool reads_ahead::begin_phase(const void* site, counters& count) {
  end(count);
  judge();
  remember();
  complete(count);
  planned_.clear();
  by_place_.clear();
  sent_ = here_ = left_ = taken_ = 0;
  site_ = site;
  open_ = true;
  const auto known = phases_.find(site);
  if (known == phases_.end()) return false;
  if (known->second.skips > 0) return --known->second.skips, false;
  plan(known->second.reads);
  return !planned_.empty();
}

// Whether reading ahead in the phase that ends was worth it.
void reads_ahead::judge() {
  const auto known = phases_.find(site_);
  if (planned_.empty() || known == phases_.end()) return;
  auto& [reads, skips, penalty] = known->second;
  if (2 * taken_ >= planned_.size()) {
    penalty = 0;
  } else {
    skips = penalty;
    penalty = std::clamp(2 * penalty, 1U, most_skipped);
  }
}

// What was not asked for this time is forgotten.
void reads_ahead::remember() {
  if (phases_.contains(site_) || (!order_.empty() && phases_.size() < most_sites))
    phases_[site_].reads = std::move(order_);
  order_.clear();
  made_.clear();
  bytes_ = 0;
}

void reads_ahead::plan(const std::vector<place>& places) {
  std::size_t bytes = 0;
  longest_ = 0;
  for (const auto& p : places) {
    planned_.push_back({p, bytes});
    bytes += detail::round_up(p.bytes, value_align);
    longest_ = std::max(longest_, p.bytes);
  }
  values_.resize(std::max(values_.size(), bytes));
  left_ = planned_.size();
  by_place_.resize(planned_.size());
  std::iota(by_place_.begin(), by_place_.end(), 0U);
  std::ranges::sort(by_place_, {}, [this](std::uint32_t i) { return planned_[i].where; });
}

void reads_ahead::end(counters& count) {
  open_ = false;
  if (left_ == 0) return;
  count.bulk_unused += std::exchange(left_, 0);
  for (auto& p : planned_) p.counts = false;
}

// ---- reads

// In the order in which the program makes them. One that does not count any more is left out.
void reads_ahead::read() {
  std::vector<read_piece> pieces;
  for (; sent_ < planned_.size() && pieces.size() < at_once; ++sent_) {
    const auto& p = planned_[sent_];
    if (p.counts) pieces.push_back({p.where.pe, p.where.offset, values_.data() + p.at, p.where.bytes});
  }
  if (pieces.empty()) return;
  if (!inner_.keeps_order()) inner_.complete();
  under_way_ |= inner_.read_together(pieces);
}

void reads_ahead::complete(counters& count) {
  if (std::exchange(under_way_, false) && inner_.complete()) ++count.round_trips;
}

reads_ahead::planned* reads_ahead::find(const place& p) {
  const auto at =
      std::ranges::lower_bound(by_place_, p, {}, [this](std::uint32_t i) { return planned_[i].where; });
  if (at == by_place_.end() || planned_[*at].where != p) return nullptr;
  return &planned_[*at];
}

bool reads_ahead::take(const place& p, void* to, counters& count) {
  if (left_ == 0) return false;
  auto* const found = find(p);
  if (found == nullptr || !std::exchange(found->counts, false)) return false;
  --left_;
  const auto number = static_cast<std::size_t>(found - planned_.data());
  if (number >= sent_) return false;
  if (number >= here_) {
    complete(count);
    here_ = sent_;
    read();
  }
  std::memcpy(to, values_.data() + found->at, p.bytes);
  ++taken_;
  ++count.bulk_ahead;
  note(p, to, true, count);
  return true;
}

// A place that has changed since it was read in this phase is one that the PE waits for. One that cannot be
// remembered may be, too.
void reads_ahead::note(const place& p, const void* value, bool again, counters& count) {
  const bool is_large = p.bytes > most_bytes_of_one;
  if (!open_ || p.bytes == 0 || (is_large && left_ == 0)) return;
  if (made_.size() == most_reads && !made_.contains(p)) return end(count);
  const auto hash = hash_of_bytes(value, p.bytes);
  const auto [at, is_new] = made_.try_emplace(p, hash);
  if (!is_new && at->second != hash) return end(count);
  if (!is_new || !again || is_large || bytes_ + p.bytes > most_bytes) return;
  order_.push_back(p);
  bytes_ += p.bytes;
}

void reads_ahead::written(pe_t pe, std::uint64_t offset, std::size_t bytes) {
  if (left_ == 0 || bytes == 0) return;
  const auto first = place{pe, offset < longest_ ? 0 : offset - longest_, 0};
  auto at =
      std::ranges::lower_bound(by_place_, first, {}, [this](std::uint32_t i) { return planned_[i].where; });
  for (; at != by_place_.end(); ++at) {
    auto& p = planned_[*at];
    if (p.where.pe != pe || p.where.offset >= offset + bytes) return;
    if (p.where.offset + p.where.bytes > offset && std::exchange(p.counts, false)) --left_;
  }
}

} // namespace windrow::transport
