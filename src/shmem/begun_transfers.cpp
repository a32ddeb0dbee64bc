// SPDX-License-Identifier: BSD-3-Clause
#include "shmem/begun_transfers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <new>
#include <span>
#include <string>

#include "base/fatal.hpp"
#include "pgas/core.hpp"
#include "shmem/remote_access.hpp"
#include "shmem/remote_word.hpp"
#include "transport/remote_memory.hpp"
#include "windrow/detail/comm_calls.h"

namespace windrow::shmem::begun {

struct transfer_counts {
  std::uint64_t gets, puts, waits;
};
inline std::atomic<std::uint64_t> begun_gets, begun_puts, waits;

inline void count(std::atomic<std::uint64_t>& counter) {
  counter.fetch_add(1, std::memory_order_relaxed);
}

struct range {
  std::uintptr_t low, end;

  bool meets(const range& other) const { return low < other.end && other.low < end; }
};

inline range range_at(const void* at, std::size_t bytes) {
  const auto low = reinterpret_cast<std::uintptr_t>(at);
  return {low, low + bytes};
}

/// A get or put: memory of this PE, and an offset in the segment of another one, each from the first element
/// to the last.
struct transfer {
  range here, there;
  int pe;
  windrow::detail::strides form; ///< dense: one block
  windrow::detail::caller by{};
};

inline windrow::detail::strides dense(std::size_t bytes) {
  return {0, 0, bytes, 1};
}

/// From the first byte to the last, or more than there is memory.
inline std::size_t reach(std::ptrdiff_t stride, const windrow::detail::strides& form) {
  std::size_t last = 0, all = 0;
  if (__builtin_mul_overflow(form.blocks - 1, static_cast<std::size_t>(stride), &last) ||
      __builtin_add_overflow(last, form.block, &all))
    return ~std::size_t{0} / 2;
  return all;
}

/// Those of one kind that are under way. Most questions are answered by the extent of them all, since the
/// places of a loop mostly go up.
class transfer_list {
 public:
  static constexpr std::size_t most = 128;

  bool empty() const { return count_ == 0; }
  bool full() const { return count_ == most; }
  void clear() {
    count_ = 0;
    here_ = there_ = nothing;
  }
  void add(const transfer& one) {
    all_[count_++] = one;
    widen(here_, one.here);
    widen(there_, one.there);
  }

  /// From the one with this number.
  std::span<const transfer> from(std::size_t first) const {
    return std::span(all_).subspan(first, count_ - first);
  }
  std::size_t size() const { return count_; }

  bool any_here(const range& place) const {
    return here_.meets(place) && any([&](const transfer& one) { return one.here.meets(place); });
  }
  bool any_there(int pe, const range& place) const {
    return there_.meets(place) &&
           any([&](const transfer& one) { return one.pe == pe && one.there.meets(place); });
  }

 private:
  static constexpr range nothing{~std::uintptr_t{0}, 0};

  static void widen(range& all, const range& one) {
    all = {std::min(all.low, one.low), std::max(all.end, one.end)};
  }
  template <class Holds>
  bool any(Holds holds) const {
    return std::any_of(all_.begin(), all_.begin() + static_cast<std::ptrdiff_t>(count_), holds);
  }

  std::array<transfer, most> all_;
  std::size_t count_ = 0;
  range here_ = nothing, there_ = nothing;
};

inline bool is_far(int pe) {
  return static_cast<unsigned>(pe) < hot.pes && !hot.map->is_addressable(pe);
}

/// Whether other PEs can reach memory of this process that begins there.
inline bool is_shared(const void* at) {
  const auto& map = *hot.map;
  const auto from_first = static_cast<std::size_t>(static_cast<const std::byte*>(at) - map.first);
  return from_first < map.stride * static_cast<std::size_t>(map.pes) || find_symmetric(at, 1).has_value();
}

/// As the routine does it.
inline void block(void* dest, const void* source, const windrow::detail::strides& form, int pe,
                  windrow::detail::caller by) {
  if (form.blocks == 1) return get_anywhere(dest, source, form.block, pe, until::complete, by);
  get_strided(dest, source, form, pe, until::complete, by);
}

/// Where a put would wait for its answer, and where what may be late is so on purpose: elsewhere it is begun
/// by itself, and its source may be used again.
inline bool waits_for_puts(int pe) {
  const auto& remote = *hot.map->remote;
  return !remote.begins_puts(pe) || !remote.keeps_order();
}

/// Whether a write at that PE may be seen before the source of an earlier one has been read.
inline bool overtakes(int pe) {
  return !is_far(pe) || !hot.map->remote->keeps_order();
}

} // namespace windrow::shmem::begun

using namespace windrow::shmem; // everything below is the C interface
using namespace windrow::shmem::begun;

/// What one function has begun. Everything is completed together, which the transports can do.
struct windrow_comm_transfers {
 public:
  enum class start { now, later };

  void get(void* dest, const void* source, const windrow::detail::strides&, int pe, windrow::detail::caller,
           start);
  void put(void* dest, const void* source, std::size_t bytes, int pe, windrow::detail::caller);
  void access(const void* at, std::size_t bytes, bool writes) {
    if (is_in_use(range_at(at, bytes), writes) || (writes && may_tell(at))) complete();
  }
  void start_gets();
  void complete();
  bool is_under_way() const { return !gets_.empty() || !puts_.empty(); }

 private:
  bool is_in_use(const range& here, bool writes) const {
    return gets_.any_here(here) || (writes && puts_.any_here(here));
  }

  /// Whether a store there may be how others learn what is done.
  bool may_tell(const void* at) const { return (fills_shared_ || reads_shared_) && is_shared(at); }

  void forget();

  transfer_list gets_, puts_;
  std::size_t started_ = 0;   ///< of the gets
  bool fills_shared_ = false; ///< a get whose destination other PEs can reach
  bool reads_shared_ = false; ///< a put whose source they can
};

namespace {

// What the thread has used before. A task may end what it has begun on another thread.
thread_local std::unique_ptr<windrow_comm_transfers> unused_transfers;

windrow_comm_transfers* take(windrow_comm_transfers* begun) {
  if (begun != nullptr) return begun;
  if (!unused_transfers) unused_transfers.reset(new (std::nothrow) windrow_comm_transfers);
  return unused_transfers.release();
}

windrow_comm_transfers* keep_if_under_way(windrow_comm_transfers* begun) {
  if (begun->is_under_way()) return begun;
  unused_transfers.reset(begun);
  return nullptr;
}

/// Whether the operation is to be made as the routine makes it: there is nothing to gain, or no memory; code
/// that runs inside the library does not wait for what it has begun.
bool must_block(std::size_t bytes) {
  return bytes == 0 || hot.map == nullptr || hot.map->remote == nullptr ||
         hot.map->now() != windrow::detail::running::program;
}

} // namespace

void windrow_comm_transfers::complete() {
  if (!is_under_way()) return;
  count(begun::waits);
  start_gets();
  complete_direct();
  forget();
}

void windrow_comm_transfers::forget() {
  gets_.clear();
  puts_.clear();
  started_ = 0;
  fills_shared_ = reads_shared_ = false;
}

// First those of the PEs behind this one. They fill memory apart from each other, so they have no order.
void windrow_comm_transfers::start_gets() {
  const auto waiting = gets_.from(started_);
  if (waiting.empty()) return;
  const auto begin = [](const transfer& one) {
    auto* const to = reinterpret_cast<void*>(one.here.low);
    if (one.form.blocks == 1)
      hot.map->get_slowly(one.pe, one.there.low, to, one.form.block, until::begun, one.by);
    else
      hot.map->get_strided_slowly(one.pe, one.there.low, to, one.form, until::begun, one.by);
  };
  for (const auto& one : waiting)
    if (one.pe > hot.pe) begin(one);
  for (const auto& one : waiting)
    if (one.pe < hot.pe) begin(one);
  started_ = gets_.size();
  if (!hot.map->under_way.load(std::memory_order_relaxed)) forget();
}

// A near source is memory that this PE may have asked others to fill.
void windrow_comm_transfers::get(void* dest, const void* source, const windrow::detail::strides& form, int pe,
                                 windrow::detail::caller by, start when) {
  const auto here = range_at(dest, reach(form.to, form));
  const auto bytes = reach(form.from, form);
  if (is_in_use(here, true)) complete();
  if (!is_far(pe)) {
    if (is_under_way()) {
      const auto* const near = static_cast<unsigned>(pe) < hot.pes ? addressable_copy(source, pe) : nullptr;
      if (near == nullptr || is_in_use(range_at(near, bytes), false)) complete();
    }
    return block(dest, source, form, pe, by);
  }
  const auto offset = place_of(source, bytes, pe, by.operation).offset;
  const range there{offset, offset + bytes};
  if (puts_.any_there(pe, there) || gets_.full()) complete();
  if (!is_plausible(dest)) require_dest(dest, form.block, by.operation);
  count(begun_gets);
  fills_shared_ |= is_shared(dest);
  gets_.add({here, there, pe, form, by});
  if (when == start::now) start_gets();
}

// A put may tell its target, or by way of it others, that what was got before is there, or that what was put
// before may be overwritten.
void windrow_comm_transfers::put(void* dest, const void* source, std::size_t bytes, int pe,
                                 windrow::detail::caller by) {
  const auto here = range_at(source, bytes);
  if (fills_shared_ || (reads_shared_ && overtakes(pe)) || is_in_use(here, false)) complete();
  if (!is_far(pe)) {
    if (is_under_way()) {
      const auto* const near = static_cast<unsigned>(pe) < hot.pes ? addressable_copy(dest, pe) : nullptr;
      if (near == nullptr || is_in_use(range_at(near, bytes), true)) complete();
    }
    return put_anywhere(dest, source, bytes, pe, until::copied, by);
  }
  const auto offset = place_of(dest, bytes, pe, by.operation).offset;
  const range there{offset, offset + bytes};
  if (gets_.any_there(pe, there) || puts_.any_there(pe, there) || puts_.full()) complete();
  if (!waits_for_puts(pe)) return put_anywhere(dest, source, bytes, pe, until::copied, by);
  put_anywhere(dest, source, bytes, pe, until::begun, by);
  if (!hot.map->under_way.load(std::memory_order_relaxed)) return;
  count(begun_puts);
  reads_shared_ |= is_shared(source);
  puts_.add({here, there, pe, dense(bytes), by});
}

namespace {

windrow_comm_transfers* begin_get(windrow_comm_transfers* begun, void* dest, const void* source,
                                  const windrow::detail::strides& form, int pe, windrow::detail::caller by,
                                  windrow_comm_transfers::start when) {
  auto* const all = form.blocks == 0 || must_block(form.block) ? nullptr : take(begun);
  if (all == nullptr) {
    block(dest, source, form, pe, by);
    return begun;
  }
  all->get(dest, source, form, pe, by, when);
  return keep_if_under_way(all);
}

} // namespace

void windrow::shmem::report_begun_transfers() {
  const auto all =
      cold.job->world().allgather(transfer_counts{begun_gets.load(), begun_puts.load(), waits.load()});
  const auto any = [](const transfer_counts& one) { return one.gets + one.puts > 0; };
  if (hot.pe != 0 || std::none_of(all.begin(), all.end(), any)) return;
  std::string text = "bulk transfers begun by -fcomm\n  PE     gets     puts    waits";
  for (std::size_t pe = 0; pe < all.size(); ++pe)
    text += fmt::format("\n{:>4} {:>8} {:>8} {:>8}", pe, all[pe].gets, all[pe].puts, all[pe].waits);
  base::say(text);
}

extern "C" {

struct windrow_comm_transfers* windrow_comm_begin_get(struct windrow_comm_transfers* begun,
                                                      const char* routine, void* dest, const void* source,
                                                      size_t bytes, int pe) {
  return begin_get(begun, dest, source, dense(bytes), pe, {routine, __builtin_return_address(0)},
                   windrow_comm_transfers::start::now);
}

struct windrow_comm_transfers* windrow_comm_begin_get_later(struct windrow_comm_transfers* begun,
                                                            const char* routine, void* dest,
                                                            const void* source, size_t bytes, int pe) {
  return begin_get(begun, dest, source, dense(bytes), pe, {routine, __builtin_return_address(0)},
                   windrow_comm_transfers::start::later);
}

struct windrow_comm_transfers* windrow_comm_begin_iget(struct windrow_comm_transfers* begun,
                                                       const char* routine, void* dest, const void* source,
                                                       size_t dest_stride, size_t source_stride, size_t bytes,
                                                       size_t number, int pe, int later) {
  const auto to = static_cast<std::ptrdiff_t>(dest_stride), from = static_cast<std::ptrdiff_t>(source_stride);
  return begin_get(begun, dest, source, {to, from, bytes, number}, pe, {routine, __builtin_return_address(0)},
                   later != 0 ? windrow_comm_transfers::start::later : windrow_comm_transfers::start::now);
}

void windrow_comm_start(struct windrow_comm_transfers* begun) {
  begun->start_gets();
}

struct windrow_comm_transfers* windrow_comm_begin_put(struct windrow_comm_transfers* begun,
                                                      const char* routine, void* dest, const void* source,
                                                      size_t bytes, int pe) {
  const windrow::detail::caller by{routine, __builtin_return_address(0)};
  auto* const all = must_block(bytes) ? nullptr : take(begun);
  if (all == nullptr) {
    put_anywhere(dest, source, bytes, pe, until::copied, by);
    return begun;
  }
  all->put(dest, source, bytes, pe, by);
  return keep_if_under_way(all);
}

struct windrow_comm_transfers* windrow_comm_before_access(struct windrow_comm_transfers* begun,
                                                          const void* at, size_t bytes, int writes) {
  begun->access(at, bytes, writes != 0);
  return keep_if_under_way(begun);
}

void windrow_comm_complete(struct windrow_comm_transfers* begun) {
  begun->complete();
  unused_transfers.reset(begun);
}
}
