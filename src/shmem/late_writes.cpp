// SPDX-License-Identifier: BSD-3-Clause
#include "shmem/late_writes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/fatal.hpp"
#include "base/options.hpp"
#include "pgas/core.hpp"
#include "shmem/remote_access.hpp"
#include "transport/collected_writes.hpp"
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
  static constexpr std::size_t most = 16384;

  void make_at_once(const windrow_comm_routine&, const atomic_change&, void* place, int pe,
                    windrow::detail::caller);

  windrow::transport::collected_writes kept_;
  bool must_complete_ = false;
  windrow::detail::caller by_{}; ///< of the last one
};

namespace windrow::shmem {

namespace {

struct write_counts {
  std::uint64_t together, messages, at_once;
};
std::atomic<std::uint64_t> writes_together, messages_sent, writes_at_once;

constexpr std::array verbs = {verb::put, verb::add, verb::inc, verb::bit_and, verb::bit_or, verb::bit_xor};
static_assert(verbs.size() == windrow_comm_xor + 1);
static_assert(detail::carrier_number<std::uint8_t> == 0 && detail::carrier_number<std::uint64_t> == 3);

// What the thread has used before. A task may end what it has begun on another thread.
thread_local std::unique_ptr<windrow_comm_writes> unused;

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
  if (!base::flag_option("WINDROW_STATS", false)) return;
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
  if (kept_.size() == most) flush();
}

void windrow_comm_writes::make_at_once(const windrow_comm_routine& routine, const atomic_change& change,
                                       void* place, int pe, windrow::detail::caller by) {
  const auto bytes = bytes_of(change);
  writes_at_once.fetch_add(1, std::memory_order_relaxed);
  if (change.what == verb::put && reinterpret_cast<std::uintptr_t>(place) % bytes != 0)
    return put_anywhere(place, &change.operand, bytes, pe, until::copied, by);
  if (change.what == verb::put && routine.completes == 0)
    return put_now(place, change.operand, bytes, pe, by);
  const auto at = place_of(place, bytes, pe, by.operation);
  if (routine.completes == 0)
    hot.map->change_later(at.pe, at.offset, change, nullptr, bytes, by);
  else
    hot.map->change_slowly(at.pe, at.offset, change, by);
}

void windrow_comm_writes::flush() {
  if (kept_.empty()) return;
  kept_.each_target([this](int pe, std::span<const placed_change> changes) {
    hot.map->change_many_later(pe, changes, by_);
  });
  writes_together.fetch_add(kept_.size(), std::memory_order_relaxed);
  messages_sent.fetch_add(kept_.targets().size(), std::memory_order_relaxed);
  if (std::exchange(must_complete_, false)) complete_direct(); // before those of the next flush
  kept_.clear();
}

extern "C" {

struct windrow_comm_writes* windrow_comm_begin_writes(void) {
  auto late = std::move(unused);
  if (!late) late.reset(new (std::nothrow) windrow_comm_writes);
  return late && late->prepare() ? late.release() : nullptr;
}

void windrow_comm_write(struct windrow_comm_writes* late, const struct windrow_comm_routine* by, void* place,
                        int pe, uint64_t operand) {
  late->add(*by, place, pe, operand, __builtin_return_address(0));
}

void windrow_comm_end_writes(struct windrow_comm_writes* late) {
  late->flush();
  unused.reset(late);
}
}
