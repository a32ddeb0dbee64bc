// SPDX-License-Identifier: BSD-3-Clause
#include "overlap/tracker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/fatal.hpp"
#include "overlap/call_memory.hpp"
#include "overlap/site_text.hpp"
#include "pgas/begun.hpp"
#include "shmem/c_interface.hpp"
#include "shmem/ordering.hpp"

namespace windrow::overlap {

namespace {

constexpr std::size_t most_begun = 1024; // of which one keeps the memory

bool is_put(const windrow_overlap_call& call) {
  return call.action == WINDROW_OVERLAP_PUT || call.action == WINDROW_OVERLAP_PUT_SIGNAL;
}

bool reads_at_once(const windrow_overlap_call& call) {
  return (call.flags & WINDROW_OVERLAP_BLOCKING) != 0;
}

// It has returned what it was to bring.
bool is_over_at_once(const windrow_overlap_call& call) {
  return reads_at_once(call) && !is_put(call);
}

bool is_word(const windrow_overlap_call& call) {
  return call.element_bytes * call.block * call.count <= longest_word;
}

bool completes_all(const windrow_overlap_call& call) {
  return call.action == WINDROW_OVERLAP_QUIET || call.action == WINDROW_OVERLAP_BARRIER;
}

bool may_hold_back(const void* context) {
  const auto* const on = static_cast<const shmem_ctx_object*>(context);
  return on == nullptr || on == SHMEM_CTX_DEFAULT || (on != SHMEM_CTX_INVALID && !on->aggregated);
}

} // namespace

bool tracker::can_put_off() {
  return !shmem::hot.map->is_plain(static_cast<pe_t>(shmem::hot.pes) - 1);
}

// A library may have begun a thread for the program, which has the same checks.
bool tracker::may_begin(windrow_overlap_entry& entry, const void* context) {
  if (!stopped_ && threads_.has_more()) stop();
  return !stopped_ && is_on(entry) && may_hold_back(context) && !shmem::owes_deferred() &&
         (checks_ || can_put_off());
}

bool tracker::puts_off(windrow_overlap_entry& entry, const void* context) {
  if (!may_begin(entry, context)) return false;
  if (put_off_ >= most_begun) complete_all();
  next_ = &entry;
  return true;
}

// Something that nobody has seen begin may be in conflict with anything.
bool tracker::puts_off_quiet(windrow_overlap_entry& entry, const void* context) {
  if (!may_begin(entry, context) || !all_seen_ || pgas::operations_begun() != seen_) return false;
  ++times_put_off_;
  if (std::exchange(owes_quiet_, true)) return true; // the one that is owed completes the same
  for (const auto& one : begun_)
    if (one.entry == nullptr) track(one);
  quiet_ = &entry;
  show_open();
  return true;
}

void tracker::reach(windrow_overlap_entry& entry) {
  if (!is_on(entry)) return;
  const bool is_begun = entry.number < put_off_of_.size() && put_off_of_[entry.number] > 0;
  if (is_begun || (owes_quiet_ && quiet_->number == entry.number)) complete_all();
}

void tracker::complete_all() {
  if (put_off_ == 0 && !owes_quiet_) return;
  shmem::complete_begun();
  forget();
}

void tracker::forget() {
  for (const auto& one : begun_)
    if (one.entry != nullptr) put_off_of_[one.entry->number] = 0;
  begun_.clear();
  tracked_.clear();
  remote_.clear();
  put_off_ = 0;
  owes_quiet_ = others_may_change_ = false;
  all_seen_ = true;
  seen_ = pgas::operations_begun();
  show_open();
}

void tracker::show_open() {
  *view_.open = *view_.begun = put_off_ > 0 || owes_quiet_;
}

// Handlers that run in the call make calls of their own.
void tracker::begin(windrow_overlap_call& call) {
  call.entry = std::exchange(next_, nullptr);
  if (pgas::operations_begun() != seen_) all_seen_ = false;
  if (put_off_ == 0 && !owes_quiet_) return;
  if (owes_quiet_ || !may_pass(call)) return complete_all();
  const auto next = transfer_of(call);
  if (!meets_what_is_put_off(next)) return;
  if (checks_) say_too_late("call", *call.site, next);
  complete_all();
}

void tracker::end(const windrow_overlap_call& call) {
  // A quiet of no PE completes nothing.
  if (completes_all(call) && !shmem::hot.map->under_way.load(std::memory_order_relaxed)) return forget();
  const auto* const entry = call.entry;
  const auto now = pgas::operations_begun();
  if (call.action > WINDROW_OVERLAP_PUT_SIGNAL || is_over_at_once(call) ||
      (entry == nullptr && now == seen_ && !checks_))
    return;
  seen_ = now;
  if (entry == nullptr && begun_.size() >= most_begun) {
    all_seen_ = false;
    return;
  }
  begun_.push_back(transfer_of(call));
  begun_.back().entry = entry;
  if (is_put(call) && reads_at_once(call)) begun_.back().local = {}; // it has been read by now
  if (entry != nullptr) put_off(begun_.back());
}

// Nobody learns by it that what was before is over, and it learns nothing. That a put tells nothing is known
// from another run: words are not trusted where somebody could spoil by them what is put off.
bool tracker::may_pass(const windrow_overlap_call& call) const {
  if (call.action == WINDROW_OVERLAP_PUT)
    return (call.flags & WINDROW_OVERLAP_SILENT) != 0 && !(is_word(call) && others_may_change_);
  return call.action == WINDROW_OVERLAP_GET && (call.flags & WINDROW_OVERLAP_ATOMIC) == 0;
}

void tracker::put_off(const transfer& one) {
  ++put_off_;
  ++times_put_off_;
  if (put_off_of_.size() <= one.entry->number) put_off_of_.resize(one.entry->number + 1);
  ++put_off_of_[one.entry->number];
  const auto* const local = reinterpret_cast<const void*>(one.local.begin);
  others_may_change_ |=
      !one.writes_remote || (one.local.bytes != 0 && shmem::find_symmetric(local, 1).has_value());
  track(one);
  show_open();
}

tracker::transfer tracker::transfer_of(const windrow_overlap_call& call) {
  transfer one;
  one.text = call.site->text;
  one.pe = peer_of(call);
  one.writes_remote = call.action != WINDROW_OVERLAP_GET;
  one.remote = memory_of(call, call.remote, call.remote_stride);
  one.writes_local = !is_put(call);
  one.local = memory_of(call, call.local, call.local_stride);
  return one;
}

// Loads and stores reach this PE's memory: its own part, and that of others by pointers.
void tracker::track(const transfer& one) {
  tracked_.add(one.local, one.writes_local);
  if (one.remote.bytes == 0) return;
  if (const auto here = reached_here(one.remote, one.pe))
    tracked_.add(*here, one.writes_remote);
  else
    remote_[one.pe].add(one.remote, one.writes_remote);
}

bool tracker::meets_what_is_put_off(const transfer& next) const {
  if (tracked_.meets(next.local, next.writes_local)) return true;
  if (next.remote.bytes == 0) return false;
  if (const auto here = reached_here(next.remote, next.pe)) return tracked_.meets(*here, next.writes_remote);
  const auto found = remote_.find(next.pe);
  return found != remote_.end() && !found->second.in_conflict_with(next.remote, next.writes_remote).empty();
}

void tracker::access(const void* at, std::uint64_t bytes, const windrow_overlap_site& site, bool store,
                     const char* what) {
  const range memory{reinterpret_cast<std::uintptr_t>(at), bytes};
  if (!tracked_.touch(memory, store)) return;
  if (checks_ && bytes != UINT64_MAX) {
    transfer access;
    access.local = memory;
    access.writes_local = store;
    say_too_late(what, site, access);
  }
  complete_all();
}

// For a message: the one that is in conflict, or any if memory of another PE is reached by a pointer.
const tracker::transfer& tracker::met_by(const transfer& next) const {
  const auto is_open = [&](const transfer& one) { return owes_quiet_ || one.entry != nullptr; };
  auto found =
      std::ranges::find_if(begun_, [&](const transfer& one) { return is_open(one) && meet(one, next); });
  if (found == begun_.end()) found = std::ranges::find_if(begun_, is_open);
  return *found;
}

// The remote memory of both is known by the address that it has here.
bool tracker::meet(const transfer& a, const transfer& b) {
  const auto conflict = [](const range& x, bool x_writes, const range& y, bool y_writes) {
    return (x_writes || y_writes) && x.bytes != 0 && y.bytes != 0 && x.meets(y);
  };
  const auto self = shmem::hot.pe;
  return conflict(a.local, a.writes_local, b.local, b.writes_local) ||
         (a.pe == b.pe && conflict(a.remote, a.writes_remote, b.remote, b.writes_remote)) ||
         (a.pe == self && conflict(a.remote, a.writes_remote, b.local, b.writes_local)) ||
         (b.pe == self && conflict(a.local, a.writes_local, b.remote, b.writes_remote));
}

void tracker::say_too_late(const char* what, const windrow_overlap_site& site, const transfer& next) const {
  const auto& of = met_by(next);
  base::fatal(
      fmt::format("windrow overlap check: the {} in {} needs the transfer in {} complete, and the plan "
                  "completes it later (entry {})",
                  what, place_of(frames_of(site.text)), place_of(frames_of(of.text)),
                  of.entry != nullptr ? of.entry->id : quiet_->id));
}

void tracker::stop() {
  complete_all();
  stopped_ = true;
}

void tracker::add(windrow_overlap_entry& entry) {
  entry.number = switch_.number_of(entry.id);
  entry.off = switch_.is_off(entry.id) ? 1 : 0;
}

bool tracker::is_on(const windrow_overlap_entry& entry) {
  return entry.number != 0 && entry.off == 0;
}

} // namespace windrow::overlap
