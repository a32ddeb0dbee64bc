// SPDX-License-Identifier: BSD-3-Clause
#include "transport/bulk/bulk_memory.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace windrow::transport {

namespace {

using detail::placed_at;
using detail::placed_change;
using detail::verb;

constexpr std::size_t most_changes = 4096;
constexpr std::size_t most_small = 64;     ///< bytes of a put that leaves as changes
constexpr std::size_t most_strided = 1024; ///< blocks that do
constexpr std::size_t most_whole = 256, most_whole_bytes = 16 << 10, most_sources = 256 << 10;
constexpr std::size_t most_looked_up = 512; ///< bytes of a read that are looked up word by word
constexpr std::size_t word = 8;
/// A loop that polls with operations that have results sees an end.
constexpr std::uint32_t most_results_in_a_row = 64;
/// Of what stands for a put that was kept as it is; its operand is the number of the put.
constexpr std::uint64_t whole_put = 255;
static_assert(whole_put >= detail::verbs);

std::size_t hash_of(pe_t pe, std::uint64_t word_number) {
  const auto mixed = (word_number + (static_cast<std::uint64_t>(pe) << 40)) * 0x9E37'79B9'7F4A'7C15;
  return mixed >> 48;
}

// Every word that the bytes touch.
template <class Use>
void each_word(std::uint64_t offset, std::size_t bytes, Use use) {
  for (auto number = offset / word; number * word < offset + bytes; ++number) use(number);
}

placed_change store_of(const std::byte* from, std::size_t bytes, std::uint64_t offset) {
  std::uint64_t value = 0;
  std::memcpy(&value, from, bytes);
  return placed_at({verb::put, static_cast<std::uint32_t>(std::countr_zero(bytes)), value, 0}, offset);
}
static_assert(detail::carrier_number<std::uint8_t> == 0 && detail::carrier_number<std::uint64_t> == 3 &&
              std::endian::native == std::endian::little);

} // namespace

bulk_memory::bulk_memory(std::unique_ptr<remote_memory> inner, bulk_parts parts, std::vector<bool> far,
                         counters& count)
    : inner_(std::move(inner)), parts_(parts), far_(std::move(far)), counted_(count), ahead_(*inner_) {
  const auto pes = far_.size();
  kept_.prepare(most_changes, pes);
  whole_.reserve(most_whole);
  extents_.resize(pes);
  batches_.reserve(pes);
}

bulk_memory::extent bulk_memory::extent_of(std::uint64_t offset, std::ptrdiff_t step,
                                           const detail::strides& s) {
  const auto last = offset + static_cast<std::uint64_t>(static_cast<std::ptrdiff_t>(s.blocks - 1) * step);
  return {std::min(offset, last), std::max(offset, last) + s.block};
}

void bulk_memory::set_parts(bulk_parts parts) {
  settle();
  parts_ = parts;
}

// ---- what is kept

bool bulk_memory::is_small(pe_t to, std::size_t bytes) const {
  return parts_.bursts && is_far(to) && bytes <= most_small;
}
// Where the put is under way as soon as it is asked for, keeping it gains nothing.
bool bulk_memory::is_kept_whole(pe_t to, std::size_t bytes) const {
  return parts_.puts && is_far(to) && bytes <= most_whole_bytes && !inner_->begins_puts(to);
}
bool bulk_memory::keeps_words(pe_t to, const detail::strides& s) const {
  return is_small(to, s.block) && s.blocks <= most_strided;
}

void bulk_memory::widen(pe_t to, std::uint64_t offset, std::size_t bytes) {
  auto& all = extents_[static_cast<std::size_t>(to)];
  if (!kept_.any_for(to)) all = {offset, offset};
  all = {std::min(all.low, offset), std::max(all.end, offset + bytes)};
}

void bulk_memory::keep(pe_t to, const placed_change& change, std::size_t bytes) {
  widen(to, change.offset, bytes);
  kept_.add(to, change);
  ahead_.written(to, change.offset, bytes);
  results_in_a_row_ = 0;
  if (change.what != whole_put)
    each_word(change.offset, bytes, [&](std::uint64_t number) { words_.set(hash_of(to, number)); });
  if (kept_.size() == most_changes) settle_locked();
}

// Values of 1, 2, 4 and 8 bytes that are aligned stay whole.
void bulk_memory::keep_words(pe_t to, std::uint64_t offset, const std::byte* from, std::size_t bytes) {
  while (bytes > 0) {
    const auto aligned = std::size_t{1} << std::countr_zero(offset | word);
    const auto some = std::min(aligned, std::bit_floor(bytes));
    keep(to, store_of(from, some, offset), some);
    offset += some;
    from += some;
    bytes -= some;
  }
}

void bulk_memory::keep_whole(pe_t to, std::uint64_t offset, const void* from, std::size_t bytes) {
  if (whole_.size() == most_whole || sources_.size() + bytes > most_sources) settle_locked();
  const auto* const source = static_cast<const std::byte*>(from);
  whole_.push_back({to, offset, bytes, sources_.size()});
  sources_.insert(sources_.end(), source, source + bytes);
  auto stands = placed_at({}, offset);
  stands.what = whole_put;
  stands.operand = whole_.size() - 1;
  keep(to, stands, bytes);
}

void bulk_memory::note_put(until when) {
  owes_completion_ |= when == until::complete;
  ++counted_.bulk_puts;
}

bool bulk_memory::put(pe_t to, std::uint64_t offset, const void* from, std::size_t bytes, until when) {
  {
    const std::lock_guard lock(mutex_);
    if (is_small(to, bytes) || is_kept_whole(to, bytes)) {
      if (is_small(to, bytes))
        keep_words(to, offset, static_cast<const std::byte*>(from), bytes);
      else
        keep_whole(to, offset, from, bytes);
      note_put(when);
      return true;
    }
    when = before_put(to, {offset, offset + bytes}, when);
  }
  return sent(inner_->put(to, offset, from, bytes, when));
}

bool bulk_memory::put_strided(pe_t to, std::uint64_t offset, const void* from, const detail::strides& s,
                              until when) {
  {
    const std::lock_guard lock(mutex_);
    if (keeps_words(to, s)) {
      const auto* source = static_cast<const std::byte*>(from);
      for (std::size_t i = 0; i < s.blocks; ++i, offset += static_cast<std::uint64_t>(s.to), source += s.from)
        keep_words(to, offset, source, s.block);
      note_put(when);
      return true;
    }
    when = before_put(to, extent_of(offset, s.to, s), when);
  }
  return sent(inner_->put_strided(to, offset, from, s, when));
}

// A put that is to be complete need not be before the next settlement, if nothing overtakes it.
bulk_memory::until bulk_memory::before_put(pe_t to, extent all, until when) {
  settle_order(to);
  ahead_.written(to, all.low, all.end - all.low);
  if (!is_far(to) || !parts_.puts || when != until::complete || !inner_->keeps_order()) return when;
  owes_completion_ = true;
  ++counted_.bulk_puts;
  return until::copied;
}

bool bulk_memory::begin_change(pe_t of, std::uint64_t offset, const detail::atomic_change& what, void* before,
                               std::size_t bytes) {
  {
    const std::lock_guard lock(mutex_);
    if (parts_.bursts && is_far(of) && before == nullptr && !detail::replies(what.what)) {
      keep(of, placed_at(what, offset), bytes_of(what));
      ++counted_.bulk_updates;
      return true;
    }
    settle_locked();
    end_reads();
  }
  return sent(inner_->begin_change(of, offset, what, before, bytes));
}

// ---- what needs a place that something is kept for

bool bulk_memory::may_touch_words(pe_t pe, extent read) const {
  bool any = false;
  each_word(read.low, read.end - read.low, [&](std::uint64_t n) { any |= words_.test(hash_of(pe, n)); });
  return any;
}
bool bulk_memory::touches_whole(pe_t pe, extent read) const {
  return std::ranges::any_of(whole_, [&](const kept_put& p) {
    return p.to == pe && p.offset < read.end && read.low < p.offset + p.bytes;
  });
}
bool bulk_memory::may_touch(pe_t pe, extent read) const {
  if (!kept_.any_for(pe)) return false;
  const auto& all = extents_[static_cast<std::size_t>(pe)];
  if (read.end <= all.low || all.end <= read.low) return false;
  return read.end - read.low > most_looked_up || may_touch_words(pe, read) || touches_whole(pe, read);
}

void bulk_memory::before_result(pe_t of, extent read) {
  const std::lock_guard lock(mutex_);
  if (kept_.empty() && !owes_completion_) return;
  const bool touches = may_touch(of, read);
  if (touches) ++counted_.bulk_conflicts;
  if (touches || ++results_in_a_row_ == most_results_in_a_row) settle_locked();
}

bool bulk_memory::get(pe_t of, std::uint64_t offset, void* to, std::size_t bytes, until when) {
  before_result(of, {offset, offset + bytes});
  if (parts_.gets && when == until::complete) return get_now(of, offset, to, bytes);
  return sent(inner_->get(of, offset, to, bytes, when));
}

bool bulk_memory::get_now(pe_t of, std::uint64_t offset, void* to, std::size_t bytes) {
  const reads_ahead::place where{of, offset, bytes};
  {
    const std::lock_guard lock(mutex_);
    if (ahead_.take(where, to, counted_)) return true; // no round trip
  }
  const bool under_way = sent(inner_->get(of, offset, to, bytes, until::complete));
  const std::lock_guard lock(mutex_);
  ahead_.note(where, to, is_far(of), counted_);
  return under_way;
}

bool bulk_memory::get_strided(pe_t of, std::uint64_t offset, void* to, const detail::strides& s, until when) {
  before_result(of, extent_of(offset, s.from, s));
  return sent(inner_->get_strided(of, offset, to, s, when));
}

// It may be a lock or a flag.
std::uint64_t bulk_memory::change(pe_t of, std::uint64_t offset, const detail::atomic_change& what) {
  settle();
  return inner_->change(of, offset, what);
}

void bulk_memory::before_changes(pe_t of, std::span<const placed_change> changes) {
  settle_order(of);
  for (const auto& one : changes) ahead_.written(of, one.offset, bytes_of(one.change()));
}

bool bulk_memory::change_many(pe_t of, std::span<const placed_change> changes) {
  {
    const std::lock_guard lock(mutex_);
    before_changes(of, changes);
  }
  return sent(inner_->change_many(of, changes));
}

bool bulk_memory::write_together(std::span<const write_batch> batches) {
  {
    const std::lock_guard lock(mutex_);
    for (const auto& one : batches) {
      before_changes(one.to, one.changes);
      ahead_.written(one.to, one.offset, one.bytes.size());
    }
  }
  return sent(inner_->write_together(batches));
}

// ---- the end of a phase

// A put that was kept as it is ends the changes before it.
void bulk_memory::add_batches(pe_t to, std::span<const placed_change> all) {
  while (!all.empty()) {
    const auto end = std::ranges::find(all, whole_put, [](const placed_change& c) { return c.what; });
    const auto changes = all.first(static_cast<std::size_t>(end - all.begin()));
    if (!changes.empty()) batches_.push_back({to, changes, 0, {}});
    all = all.subspan(changes.size());
    if (all.empty()) return;
    const auto& put = whole_[all.front().operand];
    batches_.push_back({to, {}, put.offset, std::span(sources_).subspan(put.at, put.bytes)});
    all = all.subspan(1);
  }
}

void bulk_memory::send() {
  if (kept_.empty()) return;
  kept_.each_target([this](pe_t to, std::span<const placed_change> all) { add_batches(to, all); });
  const bool under_way = inner_->write_together(batches_);
  if (!under_way) ++counted_.round_trips;
  sent_ |= under_way;
  counted_.bulk_messages += batches_.size();
  forget();
}

void bulk_memory::forget() {
  kept_.clear();
  words_.reset();
  whole_.clear();
  sources_.clear();
  batches_.clear();
}

// The one way to what the caller may take for done.
void bulk_memory::settle_locked() {
  send();
  if (std::exchange(owes_completion_, false) && std::exchange(sent_, false) && inner_->complete())
    ++counted_.round_trips;
}

// Of what goes to one PE, nothing is overtaken.
void bulk_memory::settle_order(pe_t to) {
  if (kept_.any_for(to)) settle_locked();
}

bool bulk_memory::sent(bool under_way) {
  if (under_way) {
    const std::lock_guard lock(mutex_);
    sent_ = true;
  }
  return under_way;
}

bool bulk_memory::settle() {
  const std::lock_guard lock(mutex_);
  end_reads();
  settle_locked();
  return sent_;
}

void bulk_memory::settle_writes() {
  const std::lock_guard lock(mutex_);
  settle_locked();
}

void bulk_memory::end_reads() {
  if (!parts_.gets) return;
  ahead_.end(counted_);
  is_ahead_.store(false, std::memory_order_relaxed);
}

void bulk_memory::hear() {
  if (!is_ahead_.load(std::memory_order_relaxed)) return;
  const std::lock_guard lock(mutex_);
  end_reads();
}

// What this PE has written is there before it is read.
bool bulk_memory::begin_phase(const void* site) {
  const std::lock_guard lock(mutex_);
  if (!ahead_.begin_phase(site, counted_)) return false;
  settle_locked();
  ahead_.read();
  is_ahead_.store(true, std::memory_order_relaxed);
  return true;
}

void bulk_memory::fence() {
  settle_writes();
  inner_->fence();
}

bool bulk_memory::complete() {
  {
    const std::lock_guard lock(mutex_);
    end_reads();
    send();
    owes_completion_ = sent_ = false;
  }
  return inner_->complete();
}

// Of a PE that waits: others may wait for what it has kept.
bool bulk_memory::progress() {
  bool any = false;
  if (const std::unique_lock lock(mutex_, std::try_to_lock); lock) {
    any = !kept_.empty();
    settle_locked();
  }
  return inner_->progress() || any;
}

} // namespace windrow::transport
