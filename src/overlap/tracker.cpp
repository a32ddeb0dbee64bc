// SPDX-License-Identifier: BSD-3-Clause
#include "overlap/tracker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/fatal.hpp"
#include "overlap/call_memory.hpp"
#include "overlap/site_text.hpp"
#include "pgas/begun.hpp"
#include "shmem.h"
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

// Nobody learns by it that what was before is over, and it learns nothing.
bool tells_nothing(const windrow_overlap_call& call) {
  if (call.action == WINDROW_OVERLAP_PUT) return (call.flags & WINDROW_OVERLAP_SILENT) != 0;
  return call.action == WINDROW_OVERLAP_GET && (call.flags & WINDROW_OVERLAP_ATOMIC) == 0;
}

bool completes_all(const windrow_overlap_call& call) {
  return call.action == WINDROW_OVERLAP_QUIET || call.action == WINDROW_OVERLAP_BARRIER;
}

bool may_hold_back(const void* context) {
  const auto* const on = static_cast<const shmem_ctx_object*>(context);
  return on == nullptr || on == SHMEM_CTX_DEFAULT || (on != SHMEM_CTX_INVALID && !on->aggregated);
}

// Where all PEs are reached by load and store, an operation is over when it returns.
bool can_be_under_way() {
  return !shmem::hot.map->is_plain(static_cast<pe_t>(shmem::hot.pes) - 1);
}

} // namespace

bool tracker::may_begin(windrow_overlap_entry& entry, const void* context) {
  return !stopped_ && is_on(entry) && may_hold_back(context) && !shmem::owes_deferred() &&
         (checks_ || can_be_under_way());
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
  for (auto& one : begun_)
    if (one.entry == nullptr) track(one);
  owes_quiet_ = true;
  quiet_ = &entry;
  ++times_put_off_;
  show_open();
  return true;
}

void tracker::reach(windrow_overlap_entry& entry) {
  if (!is_on(entry)) return;
  const auto is_of_entry = [&](const windrow_overlap_entry* of) {
    return of != nullptr && of->number == entry.number;
  };
  if ((owes_quiet_ && is_of_entry(quiet_)) ||
      std::ranges::any_of(begun_, is_of_entry, [](const transfer& one) { return one.entry; }))
    complete_all();
}

void tracker::complete_all() {
  if (put_off_ == 0 && !owes_quiet_) return;
  shmem::complete_begun();
  forget();
}

void tracker::forget() {
  begun_.clear();
  tracked_.clear();
  put_off_ = 0;
  owes_quiet_ = false;
  all_seen_ = true;
  seen_ = pgas::operations_begun();
  show_open();
}

void tracker::show_open() {
  *view_.open = put_off_ > 0 || owes_quiet_;
}

void tracker::begin(const windrow_overlap_call& call) {
  if (pgas::operations_begun() != seen_) all_seen_ = false;
  if (put_off_ == 0 && !owes_quiet_) return;
  if (owes_quiet_ || !tells_nothing(call)) return complete_all();
  const auto next = transfer_of(call);
  for (const auto& one : begun_) {
    if (one.entry == nullptr || !meet(one, next)) continue;
    if (checks_) say_too_late("call", *call.site, one);
    return complete_all();
  }
}

void tracker::end(const windrow_overlap_call& call) {
  // A quiet of no PE completes nothing.
  if (completes_all(call) && !shmem::hot.map->under_way.load(std::memory_order_relaxed)) return forget();
  const auto* const entry = std::exchange(next_, nullptr);
  const auto now = pgas::operations_begun();
  if (call.action > WINDROW_OVERLAP_PUT_SIGNAL || (entry == nullptr && now == seen_ && !checks_)) return;
  seen_ = now;
  if (entry == nullptr && begun_.size() >= most_begun) {
    all_seen_ = false;
    return;
  }
  begun_.push_back(transfer_of(call));
  auto& one = begun_.back();
  one.entry = entry;
  if (entry == nullptr) return;
  ++put_off_;
  ++times_put_off_;
  track(one);
  show_open();
}

// The memory of this PE alone can be met by loads and stores: its own part, and that of others by pointers.
tracker::transfer tracker::transfer_of(const windrow_overlap_call& call) {
  const auto memory_at = [&](const void* at, std::int64_t stride) {
    const auto [first, bytes] = extent_of(call, stride);
    return memory{
        at == nullptr ? 0 : reinterpret_cast<std::uintptr_t>(at) + static_cast<std::uintptr_t>(first),
        at == nullptr ? 0 : bytes};
  };
  transfer one;
  one.text = call.site->text;
  one.pe = peer_of(call);
  one.writes_remote = call.action != WINDROW_OVERLAP_GET;
  one.remote = memory_at(call.remote, call.remote_stride);
  one.writes_local = !is_put(call);
  one.local = memory_at(call.local, call.local_stride);
  if (is_put(call) && reads_at_once(call)) one.local = {}; // it has been read when the call returns
  return one;
}

void tracker::track(const transfer& one) {
  if (one.local.bytes != 0) tracked_.add(one.local.begin, one.local.bytes, one.writes_local);
  if (one.remote.bytes == 0) return;
  const auto* const here = pshmem_ptr(reinterpret_cast<const void*>(one.remote.begin), one.pe);
  if (here != nullptr)
    tracked_.add(reinterpret_cast<std::uintptr_t>(here), one.remote.bytes, one.writes_remote);
}

// The remote memory of both is known by the address that it has here.
bool tracker::meet(const transfer& a, const transfer& b) {
  const auto conflict = [](const memory& x, bool x_writes, const memory& y, bool y_writes) {
    return (x_writes || y_writes) && x.begin < y.begin + y.bytes && y.begin < x.begin + x.bytes;
  };
  const auto self = shmem::hot.pe;
  return conflict(a.local, a.writes_local, b.local, b.writes_local) ||
         (a.pe == b.pe && conflict(a.remote, a.writes_remote, b.remote, b.writes_remote)) ||
         (a.pe == self && conflict(a.remote, a.writes_remote, b.local, b.writes_local)) ||
         (b.pe == self && conflict(a.local, a.writes_local, b.remote, b.writes_remote));
}

void tracker::access(const void* at, std::uint64_t bytes, const windrow_overlap_site& site, bool store,
                     const char* what) {
  if (!tracked_.touch(reinterpret_cast<std::uintptr_t>(at), bytes, store)) return;
  if (checks_ && bytes != UINT64_MAX) say_too_late(what, site, *met_by(at, bytes, store));
  complete_all();
}

const tracker::transfer* tracker::met_by(const void* at, std::uint64_t bytes, bool store) const {
  const auto begin = reinterpret_cast<std::uintptr_t>(at);
  const auto meets = [&](const memory& one, bool writes) {
    return (writes || store) && one.begin < begin + bytes && begin < one.begin + one.bytes;
  };
  const auto found = std::ranges::find_if(begun_, [&](const transfer& one) {
    return meets(one.local, one.writes_local) ||
           (one.pe == shmem::hot.pe && meets(one.remote, one.writes_remote));
  });
  return found == begun_.end() ? &begun_.back() : &*found;
}

void tracker::say_too_late(const char* what, const windrow_overlap_site& site, const transfer& of) const {
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
