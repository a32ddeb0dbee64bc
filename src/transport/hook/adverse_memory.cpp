// SPDX-License-Identifier: BSD-3-Clause
#include "transport/hook/adverse_memory.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstring>
#include <limits>
#include <utility>

#include "base/fatal.hpp"
#include "base/options.hpp"
#include "os/cpu.hpp"
#include "windrow/error.hpp"

namespace windrow::transport {

namespace {

constexpr std::size_t most_held = 4096, most_held_bytes = std::size_t{16} << 20;
/// How often, on average, an operation that returns its result lets one that is held back happen: so that who
/// polls with such operations sees an end.
constexpr unsigned disturbance = 8;
constexpr int poison = 0xDB;
constexpr std::uint32_t looks_between = 256; ///< of a PE that waits, before the next one happens
/// After one of so many, on average, the waiting PE rests for longer than others sleep between two looks at
/// their memory, so that they see what it looks like between two operations, however busy the machine is.
constexpr unsigned rests = 24;
constexpr std::chrono::milliseconds rest{2};

} // namespace

bool adverse_memory::put(pe_t to, std::uint64_t offset, const void* from, std::size_t bytes, until when) {
  const std::lock_guard lock(mutex_);
  if (when == until::complete) {
    carry_out_fenced();
    return inner_->put(to, offset, from, bytes, when);
  }
  held h{kind::put, to, offset, from, {}, nullptr, bytes, {}};
  if (when == until::copied) {
    const auto* const source = static_cast<const std::byte*>(from);
    h.copy.assign(source, source + bytes);
    h.from = nullptr;
  }
  hold(std::move(h));
  return true;
}

bool adverse_memory::get(pe_t of, std::uint64_t offset, void* to, std::size_t bytes, until when) {
  const std::lock_guard lock(mutex_);
  if (when == until::complete) {
    inner_->get(of, offset, to, bytes, when);
    disturb();
    return false;
  }
  if (bytes != 0) std::memset(to, poison, bytes);
  hold({kind::get, of, offset, nullptr, {}, to, bytes, {}});
  return true;
}

std::uint64_t adverse_memory::change(pe_t of, std::uint64_t offset, const detail::atomic_change& what) {
  const std::lock_guard lock(mutex_);
  carry_out_fenced();
  const auto before = inner_->change(of, offset, what);
  disturb();
  return before;
}

bool adverse_memory::begin_change(pe_t of, std::uint64_t offset, const detail::atomic_change& what,
                                  void* before, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  if (before != nullptr) std::memset(before, poison, bytes);
  hold({kind::change, of, offset, nullptr, {}, before, bytes, what});
  return true;
}

// They have an order among themselves, so they happen together.
bool adverse_memory::change_many(pe_t of, std::span<const detail::placed_change> changes) {
  const std::lock_guard lock(mutex_);
  const auto bytes = std::as_bytes(changes);
  hold({kind::changes, of, 0, nullptr, {bytes.begin(), bytes.end()}, nullptr, 0, {}});
  return true;
}

void adverse_memory::hold(held h) {
  held_bytes_ += h.copy.size();
  (later_.empty() ? held_ : later_.back()).push_back(std::move(h));
  std::size_t count = held_.size();
  for (const auto& group : later_) count += group.size();
  if (count > most_held || held_bytes_ > most_held_bytes) carry_out_one();
}

void adverse_memory::carry_out_all(pe_t of, std::span<const std::byte> changes) {
  for (; !changes.empty(); changes = changes.subspan(sizeof(detail::placed_change))) {
    detail::placed_change one;
    std::memcpy(&one, changes.data(), sizeof one);
    inner_->change(of, one.offset, one.change());
  }
}

void adverse_memory::carry_out(const held& h) {
  switch (h.what) {
    case kind::changes:
      return carry_out_all(h.pe, h.copy);
    case kind::put:
      inner_->put(h.pe, h.offset, h.from == nullptr ? h.copy.data() : h.from, h.bytes, until::complete);
      return;
    case kind::get:
      inner_->get(h.pe, h.offset, h.to, h.bytes, until::complete);
      return;
    case kind::change:
      const auto before = inner_->change(h.pe, h.offset, h.change);
      if (h.to != nullptr) std::memcpy(h.to, &before, h.bytes);
  }
}

// Any one that no fence keeps back.
void adverse_memory::carry_out_one() {
  if (held_.empty()) next_group();
  if (held_.empty()) return;
  std::swap(held_[random_() % held_.size()], held_.back());
  const held chosen = std::move(held_.back());
  held_.pop_back();
  held_bytes_ -= chosen.copy.size();
  carry_out(chosen);
  if (held_.empty()) next_group();
}

void adverse_memory::next_group() {
  if (later_.empty()) return;
  held_ = std::move(later_.front());
  later_.erase(later_.begin());
}

// What is before the last fence.
void adverse_memory::carry_out_fenced() {
  while (!later_.empty()) carry_out_one();
}

void adverse_memory::disturb() {
  if (random_() % disturbance == 0) carry_out_one();
}

void adverse_memory::fence() {
  const std::lock_guard lock(mutex_);
  if (!(later_.empty() ? held_ : later_.back()).empty()) later_.emplace_back();
}

bool adverse_memory::complete() {
  const std::lock_guard lock(mutex_);
  const bool any = !held_.empty() || !later_.empty();
  while (!held_.empty() || !later_.empty()) carry_out_one();
  return any;
}

// While the PE waits: the others may need it.
bool adverse_memory::progress() {
  bool rests_now = false;
  {
    const std::lock_guard lock(mutex_);
    if (held_.empty()) return false;
    if (++looks_ % looks_between != 0) return true;
    carry_out_one();
    rests_now = !held_.empty() && random_() % rests == 0;
  }
  if (rests_now) os::sleep(rest);
  return true;
}

std::unique_ptr<remote_memory> adverse_transport::make_remote() {
  return std::make_unique<adverse_memory>(inner_->make_remote(), seed_ + static_cast<std::uint64_t>(pe()));
}

std::unique_ptr<transport> with_adversary(std::unique_ptr<transport> inner) {
  if (!base::text_option("WINDROW_ADVERSARY")) return inner;
  if (inner->takes_turns())
    throw error("WINDROW_SIM and WINDROW_ADVERSARY exclude each other: unset one of them");
  const auto seed = base::integer_option("WINDROW_ADVERSARY", 0, 0, std::numeric_limits<long>::max());
  if (inner->pe() == 0)
    base::say(fmt::format(
        "WINDROW_ADVERSARY={}: direct operations happen as late as they may, in random order", seed));
  return std::make_unique<adverse_transport>(std::move(inner), static_cast<std::uint64_t>(seed));
}

} // namespace windrow::transport
