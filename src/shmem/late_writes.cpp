// SPDX-License-Identifier: BSD-3-Clause
#include "shmem/late_writes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/fatal.hpp"
#include "pgas/core.hpp"
#include "shmem/remote_access.hpp"
#include "transport/collected_writes.hpp"
#include "transport/host/apply_change.hpp"
#include "transport/remote_memory.hpp"
#include "windrow/detail/comm_calls.h"

using windrow::detail::atomic_change;
using windrow::detail::placed_at;
using windrow::detail::placed_change;
using windrow::detail::verb;

/// Those of a loop that have not been made yet, in the order of the program.
struct windrow_comm_writes {
 public:
  /// Takes the memory that everything else needs. False: there is none.
  bool prepare();
  void add(const windrow_comm_routine& by, void* place, int pe, std::uint64_t operand, const void* site);
  /// Makes them all: they are complete at quiet, and now if one of them would have been.
  void flush();

 private:
  static constexpr std::size_t most = 16384, fewest_in_run = 64;

  void make_at_once(const windrow_comm_routine&, const atomic_change&, void* place, int pe,
                    windrow::detail::caller);
  static bool change_own(const atomic_change&, int pe, std::size_t offset);
  void add_batches(int pe, std::span<const placed_change> changes);
  std::size_t run_at_front(std::span<const placed_change> changes) const;
  std::span<const std::byte> pack(std::span<const placed_change> run);

  windrow::transport::collected_writes kept_;
  std::vector<windrow::transport::write_batch> batches_;
  std::vector<std::byte> packed_; ///< what runs write
  bool must_complete_ = false;
  bool has_sets_ = false;        ///< which are atomic one by one, and do not travel as bytes
  windrow::detail::caller by_{}; ///< of the last one
};

namespace windrow::shmem {

namespace {

struct write_counts {
  std::uint64_t together, messages, at_once;
};
std::atomic<std::uint64_t> writes_together, messages_sent, writes_at_once;

constexpr std::array verbs = {verb::put,    verb::add,     verb::inc, verb::bit_and,
                              verb::bit_or, verb::bit_xor, verb::put};
static_assert(verbs.size() == windrow_comm_set + 1);
static_assert(detail::carrier_number<std::uint8_t> == 0 && detail::carrier_number<std::uint64_t> == 3);

// What the thread has used before. A task may end what it has begun on another thread.
thread_local std::unique_ptr<windrow_comm_writes> unused_writes;

template <class T>
void store_now(void* place, std::uint64_t bits, int pe, caller by) {
  store_anywhere(static_cast<T*>(place), detail::from_bits<T>(bits), pe, by);
}

void put_now(void* place, std::uint64_t bits, std::size_t bytes, int pe, caller by) {
  if (bytes == 1) return store_now<std::uint8_t>(place, bits, pe, by);
  if (bytes == 2) return store_now<std::uint16_t>(place, bits, pe, by);
  if (bytes == 4) return store_now<std::uint32_t>(place, bits, pe, by);
  store_now<std::uint64_t>(place, bits, pe, by);
}

std::size_t offset_at(const void* place, std::size_t bytes, int pe, const char* routine) {
  const auto in_heap = reinterpret_cast<std::uintptr_t>(place) - hot.heap;
  return in_heap < hot.heap_bytes ? in_heap : place_of(place, bytes, pe, routine).offset;
}

} // namespace

void report_late_writes() {
  const auto all = cold.job->world().allgather(
      write_counts{writes_together.load(), messages_sent.load(), writes_at_once.load()});
  const auto any = [](const write_counts& one) { return one.together + one.at_once > 0; };
  if (hot.pe != 0 || std::none_of(all.begin(), all.end(), any)) return;
  std::string text = "writes collected by -fcomm\n  PE  together in transfers  at once";
  for (std::size_t pe = 0; pe < all.size(); ++pe)
    text +=
        fmt::format("\n{:>4} {:>9} {:>12} {:>8}", pe, all[pe].together, all[pe].messages, all[pe].at_once);
  base::say(text);
}

} // namespace windrow::shmem

using namespace windrow::shmem; // everything below is the C interface

bool windrow_comm_writes::prepare() try {
  kept_.prepare(most, hot.pes);
  packed_.reserve(most * sizeof(std::uint64_t));
  batches_.reserve(hot.pes + 2 * most / fewest_in_run);
  return true;
} catch (const std::bad_alloc&) {
  return false;
}

// PEs whose memory the program may use by plain loads have it as the program says, and so do misuse, which
// ends the job, and what is not aligned.
void windrow_comm_writes::add(const windrow_comm_routine& by, void* place, int pe, std::uint64_t operand,
                              const void* site) {
  const atomic_change change{verbs[by.change], by.log_size, operand, 0};
  const auto bytes = bytes_of(change);
  const bool aligned = reinterpret_cast<std::uintptr_t>(place) % bytes == 0;
  by_ = {by.name, site};
  if (static_cast<unsigned>(pe) >= hot.pes || hot.map->is_addressable(pe) || !aligned) [[unlikely]] {
    if (!aligned) flush();
    return make_at_once(by, change, place, pe, by_);
  }
  kept_.add(pe, placed_at(change, offset_at(place, bytes, pe, by.name)));
  must_complete_ |= by.completes != 0;
  has_sets_ |= by.change == windrow_comm_set;
  if (kept_.size() == most) flush();
}

void windrow_comm_writes::make_at_once(const windrow_comm_routine& routine, const atomic_change& change,
                                       void* place, int pe, windrow::detail::caller by) {
  const auto bytes = bytes_of(change);
  writes_at_once.fetch_add(1, std::memory_order_relaxed);
  if (change.what == verb::put && reinterpret_cast<std::uintptr_t>(place) % bytes != 0)
    return put_anywhere(place, &change.operand, bytes, pe, until::copied, by);
  const auto at = place_of(place, bytes, pe, by.operation);
  if (change_own(change, at.pe, at.offset)) return;
  if (change.what == verb::put && routine.completes == 0)
    return put_now(place, change.operand, bytes, pe, by);
  if (routine.completes == 0)
    hot.map->change_later(at.pe, at.offset, change, nullptr, bytes, by);
  else
    hot.map->change_slowly(at.pe, at.offset, change, by);
}

// Of its own memory a PE asks nobody, and wakes nobody by what it does there. What it has asked for before,
// and may be kept, comes first.
bool windrow_comm_writes::change_own(const atomic_change& change, int pe, std::size_t offset) {
  auto& map = *hot.map;
  if (pe != map.pe || map.trace != nullptr || map.under_way.load(std::memory_order_relaxed)) return false;
  if (change.what != verb::put) announce_atomics(map);
  windrow::transport::apply_change(map.segment(pe) + offset, change);
  return true;
}

void windrow_comm_writes::flush() {
  if (kept_.empty()) return;
  kept_.each_target([this](int pe, std::span<const placed_change> changes) { add_batches(pe, changes); });
  hot.map->write_together(batches_, by_);
  writes_together.fetch_add(kept_.size(), std::memory_order_relaxed);
  messages_sent.fetch_add(batches_.size(), std::memory_order_relaxed);
  batches_.clear();
  packed_.clear();
  has_sets_ = false;
  if (std::exchange(must_complete_, false)) complete_direct(); // before those of the next flush
  kept_.clear();
}

// Puts of which each goes behind the one before are bytes, which are fewer, and need no work there.
void windrow_comm_writes::add_batches(int pe, std::span<const placed_change> changes) {
  while (!changes.empty()) {
    auto count = run_at_front(changes);
    if (count >= fewest_in_run) {
      const auto run = changes.first(count);
      batches_.push_back({pe, {}, run.front().offset, pack(run)});
    } else {
      while (count < changes.size()) {
        const auto next = run_at_front(changes.subspan(count));
        if (next >= fewest_in_run) break;
        count += next;
      }
      batches_.push_back({pe, changes.first(count), 0, {}});
    }
    changes = changes.subspan(count);
  }
}

std::size_t windrow_comm_writes::run_at_front(std::span<const placed_change> changes) const {
  const auto& first = changes.front();
  std::size_t count = 1;
  if (has_sets_ || first.change().what != verb::put) return count;
  const auto bytes = bytes_of(first.change());
  while (count < changes.size() && changes[count].what == first.what &&
         changes[count].carrier == first.carrier && changes[count].offset == first.offset + count * bytes)
    ++count;
  return count;
}

std::span<const std::byte> windrow_comm_writes::pack(std::span<const placed_change> run) {
  const auto begin = packed_.size(), bytes = bytes_of(run.front().change());
  packed_.resize(begin + run.size() * bytes);
  auto* to = packed_.data() + begin;
  for (const auto& one : run) {
    const auto operand = one.operand; // whose low bytes come first
    std::memcpy(to, &operand, bytes);
    to += bytes;
  }
  return std::span(packed_).subspan(begin);
}

extern "C" {

struct windrow_comm_writes* windrow_comm_begin_writes(void) {
  auto late = std::move(unused_writes);
  if (!late) late.reset(new (std::nothrow) windrow_comm_writes);
  return late && late->prepare() ? late.release() : nullptr;
}

void windrow_comm_write(struct windrow_comm_writes* late, const struct windrow_comm_routine* by, void* place,
                        int pe, uint64_t operand) {
  late->add(*by, place, pe, operand, __builtin_return_address(0));
}

void windrow_comm_end_writes(struct windrow_comm_writes* late) {
  late->flush();
  unused_writes.reset(late);
}
}
