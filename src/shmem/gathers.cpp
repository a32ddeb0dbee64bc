// SPDX-License-Identifier: BSD-3-Clause
#include "shmem/gathers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "aggregation/engine.hpp"
#include "base/fatal.hpp"
#include "pgas/core.hpp"
#include "shmem/equal_steps.hpp"
#include "shmem/ordering.hpp"
#include "shmem/remote_access.hpp"
#include "shmem/remote_word.hpp"
#include "windrow/detail/comm_calls.h"
#include "windrow/detail/deferred_calls.h"
#include "windrow/detail/range_fetch.hpp"
#include "windrow/detail/round_up.hpp"

namespace windrow::shmem {

namespace {

using gathered_read = windrow_comm_read;

struct gather_counts {
  std::uint64_t together, single, near;
};
std::atomic<std::uint64_t> values_together, values_single, values_near;

void count(std::atomic<std::uint64_t>& counter, std::uint64_t more) {
  counter.fetch_add(more, std::memory_order_relaxed);
}

constexpr const char* routine_name = "shmem_g";
constexpr std::size_t value_align = 16;
constexpr std::size_t fewest_together = 4; // below, a message for each is no worse
constexpr std::uint64_t first_guess_ns = 1'000'000, least_patience_ns = 10'000'000,
                        most_patience_ns = 1'000'000'000;
constexpr std::uint32_t most_skipped = 1024; // gathers

struct freed {
  void operator()(std::byte* memory) const { std::free(memory); }
};
using values_memory = std::unique_ptr<std::byte, freed>;

/// Whether owners are asked in bulk. They answer in calls of the library only, which a program that waits for
/// nothing but single reads need not make. So nobody waits for an answer longer than reading by itself would
/// have taken, and the next gathers do not try: the more of them, the more often no answer has come in that
/// time.
class owners_answer {
 public:
  /// Memory that answers which are still to come are written to.
  void abandon(values_memory values) {
    awaited_.push_back(std::move(values));
    skips_ = penalty_;
    penalty_ = std::min(2 * penalty_, most_skipped);
  }
  void succeed_after(std::uint64_t ns) {
    penalty_ = std::max(penalty_ / 2, 1U);
    round_trip_ns_ = std::min(round_trip_ns_, ns);
  }

  /// Where everything that this PE has asked for has been answered.
  bool worth_a_try() {
    awaited_.clear();
    if (skips_ == 0) return true;
    --skips_;
    return false;
  }

  /// As long as so many round trips take, as far as that is known.
  std::uint64_t patience_ns(std::size_t values) const {
    return std::clamp(values * round_trip_ns_, least_patience_ns, most_patience_ns) + 8 * round_trip_ns_;
  }

 private:
  std::vector<values_memory> awaited_;
  std::uint64_t round_trip_ns_ = first_guess_ns;
  std::uint32_t skips_ = 0, penalty_ = 1;
} owners; // of the one thread that may use the engine

aggregation::engine& engine() {
  return cold.job->engine();
}

/// Whether this thread may wait for the engine, and nothing of the program would run meanwhile that did not
/// run in a read.
bool may_ask_owners() {
  return pgas::may_use_job() && windrow_defer_is_possible() != 0 &&
         hot.map->now() == detail::running::program && engine().carries_operations_only() &&
         engine().owes_nothing();
}

void ask(const gathered_read& read, std::size_t i, std::byte* out) {
  const void* const place = read.places[i];
  const int pe = read.pes[i];
  const auto width = std::has_single_bit(read.bytes) && read.bytes <= 8 ? read.bytes : 1;
  const bool aligned = reinterpret_cast<std::uintptr_t>(place) % width == 0;
  const auto word = [&]<class T>(T*) {
    append<aggregation::verb::fetch>(static_cast<const T*>(place), reinterpret_cast<T*>(out), pe,
                                     routine_name);
  };
  if (aligned && read.bytes == 8) return word(static_cast<std::uint64_t*>(nullptr));
  if (aligned && read.bytes == 4) return word(static_cast<std::uint32_t*>(nullptr));
  const auto offset = offset_of(place, read.bytes, routine_name);
  hot.lanes->require_range(pe, offset, read.bytes);
  aggregation::range_fetch(*hot.lanes, pe, offset, read.bytes,
                           aligned ? static_cast<std::uint32_t>(width) : aggregation::bytes_only, out)
      .append_all();
}

void get_alone(const gathered_read& read, std::size_t i, std::byte* out, until when) {
  get_anywhere(out, read.places[i], read.bytes, read.pes[i], when, {routine_name});
}

void widen(windrow_comm_extent& extent, const void* place, std::size_t bytes) {
  const auto low = reinterpret_cast<std::uintptr_t>(place);
  extent.low = std::min(extent.low, low);
  extent.end = std::max(extent.end, low + bytes);
}

class gathering {
 public:
  gathering(std::span<gathered_read> reads, windrow_comm_extents& extents)
      : reads_(reads), extents_(extents) {
    extents_ = {{~std::uintptr_t{0}, 0}, {~std::uintptr_t{0}, 0}};
  }

  /// False: there is no memory.
  bool run() {
    complete_direct(); // what is read may have been put by this PE
    if (!take_memory()) return false;
    measure();
    read_near();
    if (far_ == 0 || get_in_steps() || ask_owners()) return keep();
    if (!values_ && !take_memory()) return false;
    read_near();
    read_alone();
    return keep();
  }

 private:
  bool take_memory() {
    std::size_t bytes = value_align; // malloc(0) may give none
    for (const auto& read : reads_) bytes += detail::round_up(read.bytes * read.number, value_align);
    values_.reset(static_cast<std::byte*>(std::malloc(bytes)));
    if (values_ == nullptr) return false;
    auto* at = values_.get();
    for (auto& read : reads_) {
      read.values = at;
      at += detail::round_up(read.bytes * read.number, value_align);
    }
    return true;
  }
  bool keep() {
    [[maybe_unused]] const auto* const kept = values_.release(); // windrow_comm_release
    for (auto& read : reads_) read.index = nullptr;
    return true;
  }

  static bool is_far(int pe) { return !hot.map->is_addressable(pe); }
  static std::byte* value_of(const gathered_read& read, std::size_t i) {
    return static_cast<std::byte*>(read.values) + i * read.bytes;
  }
  template <class F>
  void each(F f) const {
    for (const auto& read : reads_)
      for (std::size_t i = 0; i < read.number; ++i) f(read, i);
  }
  template <class F>
  void each_far(F f) const {
    each([&](const gathered_read& read, std::size_t i) {
      if (is_far(read.pes[i])) f(read, i, value_of(read, i));
    });
  }

  void measure() {
    each([&](const gathered_read& read, std::size_t i) {
      if (static_cast<unsigned>(read.pes[i]) >= hot.pes) [[unlikely]]
        get_alone(read, i, value_of(read, i), until::complete); // ends the job
      widen(extents_.places, read.places[i], read.bytes);
      ++(is_far(read.pes[i]) ? far_ : near_);
      bytes_in_flight_ += read.bytes <= 8 ? sizeof(std::uint64_t) : 2 * sizeof(std::uint64_t) + read.bytes;
    });
    count(values_near, near_);
  }
  void read_near() {
    if (near_ == 0) return;
    each([&](const gathered_read& read, std::size_t i) {
      if (is_far(read.pes[i])) return;
      const auto* const at = addressable_copy(read.places[i], read.pes[i]);
      if (at == nullptr) return get_alone(read, i, value_of(read, i), until::complete); // ends the job
      detail::copy_bytes(value_of(read, i), at, read.bytes);
      widen(extents_.near_memory, at, read.bytes);
    });
  }

  // As many messages as blocks would be, if they bring several values each.
  bool get_in_steps() {
    if (hot.pes > far_) return false;
    try {
      const auto by_pe = find_equal_steps(reads_);
      const auto has_some = [](const equal_steps& one) { return one.count > 0; };
      if (by_pe.empty() || 2 * std::ranges::count_if(by_pe, has_some) > static_cast<std::ptrdiff_t>(far_))
        return false;
      get(by_pe);
    } catch (const std::bad_alloc&) {
      return false;
    }
    count(values_together, far_);
    return true;
  }
  // Those of the PEs behind this one first: not all PEs ask PE 0 at once.
  static void get(const std::vector<equal_steps>& by_pe) {
    get_all([&](until when) {
      for (unsigned distance = 1; distance < hot.pes; ++distance) {
        const auto pe = (static_cast<unsigned>(hot.pe) + distance) % hot.pes;
        if (by_pe[pe].count > 0) by_pe[pe].get(static_cast<int>(pe), when, {routine_name});
      }
    });
  }

  bool ask_owners() {
    if (far_ < fewest_together || !may_ask_owners() || !fits_blocks() || !owners.worth_a_try()) return false;
    auto& link = hot.core->link();
    const auto begin = link.now_ns();
    each_far(ask);
    if (!engine().complete_own_until(link.now_ns() + owners.patience_ns(far_))) {
      owners.abandon(std::move(values_));
      return false;
    }
    owners.succeed_after(link.now_ns() - begin);
    count(values_together, far_);
    return true;
  }
  // So that asking waits for nobody: of each PE's blocks one is not full.
  bool fits_blocks() const {
    const auto& link = hot.core->link();
    const auto largest = bytes_in_flight_ + bytes_in_flight_ / 4 + hot.pes * link.block_capacity();
    return largest <= std::uint64_t{link.pool_size()} * link.block_capacity();
  }
  void read_alone() const {
    get_all([&](until when) {
      each_far(
          [&](const gathered_read& read, std::size_t i, std::byte* out) { get_alone(read, i, out, when); });
    });
    count(values_single, far_);
  }
  // Waited for together, where code may wait.
  template <class Get>
  static void get_all(Get get) {
    const bool waits_once = hot.map->now() == detail::running::program;
    get(waits_once ? until::begun : until::complete);
    if (waits_once) complete_direct();
  }

  std::span<gathered_read> reads_;
  windrow_comm_extents& extents_;
  values_memory values_;
  std::size_t far_ = 0, near_ = 0, bytes_in_flight_ = 0;
};

/// Where a value of a gather comes from.
struct origin {
  int pe;
  std::uintptr_t low;
  std::size_t bytes;
  std::byte* value;

  void change(std::uintptr_t first, const std::byte* source, std::size_t number) const {
    const auto begin = std::max(first, low), end = std::min(first + number, low + bytes);
    if (begin < end) std::memcpy(value + (begin - low), source + (begin - first), end - begin);
  }
};

template <class F>
void each_origin(std::span<const gathered_read> reads, F f) {
  for (const auto& read : reads)
    for (std::size_t i = 0; i < read.number; ++i)
      f(origin{read.pes[i], reinterpret_cast<std::uintptr_t>(read.places[i]), read.bytes,
               static_cast<std::byte*>(read.values) + i * read.bytes});
}

/// All of a gather, in the order of PEs and places.
class origins {
 public:
  explicit origins(std::span<const gathered_read> reads) {
    each_origin(reads, [&](const origin& one) { all_.push_back(one); });
    for (const auto& read : reads) widest_ = std::max(widest_, read.bytes);
    std::sort(all_.begin(), all_.end(), [](const origin& one, const origin& other) {
      return std::tie(one.pe, one.low) < std::tie(other.pe, other.low);
    });
  }

  void change(int pe, std::uintptr_t low, const std::byte* source, std::size_t bytes) const {
    const auto first = low - std::min<std::uintptr_t>(widest_, low);
    auto one = std::lower_bound(all_.begin(), all_.end(), std::tie(pe, first),
                                [](const origin& of, const std::tuple<int&, const std::uintptr_t&>& from) {
                                  return std::tie(of.pe, of.low) < from;
                                });
    for (; one != all_.end() && one->pe == pe && one->low < low + bytes; ++one)
      one->change(low, source, bytes);
  }

 private:
  std::vector<origin> all_;
  std::size_t widest_ = 0;
};

/// Null: there is no memory.
origins* make_index(std::span<const gathered_read> reads) {
  try {
    return new origins(reads);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

} // namespace

void tell_compiled_code_of_far_pes(bool running) {
  windrow_comm_has_far_pes =
      running && hot.pes > 1 && (!hot.map->shares_addresses || hot.map->remote_hosts != nullptr);
}

void report_gathers() {
  const auto all = cold.job->world().allgather(
      gather_counts{values_together.load(), values_single.load(), values_near.load()});
  const auto any = [](const gather_counts& one) { return one.together + one.single + one.near > 0; };
  if (hot.pe != 0 || std::none_of(all.begin(), all.end(), any)) return;
  std::string text = "values read ahead by -fcomm\n  PE   in bulk one by one by loads";
  for (std::size_t pe = 0; pe < all.size(); ++pe)
    text += fmt::format("\n{:>4} {:>9} {:>10} {:>8}", pe, all[pe].together, all[pe].single, all[pe].near);
  base::say(text);
}

} // namespace windrow::shmem

using namespace windrow::shmem; // everything below is the C interface

int windrow_comm_has_far_pes = 0;

extern "C" {

int windrow_comm_gather(struct windrow_comm_read* reads, size_t count, struct windrow_comm_extents* extents) {
  return gathering({reads, count}, *extents).run();
}

void windrow_comm_change_gathered(struct windrow_comm_read* reads, size_t count, const void* place,
                                  const void* source, size_t bytes, int pe) {
  const auto low = reinterpret_cast<std::uintptr_t>(place);
  const auto* const from = static_cast<const std::byte*>(source);
  if (reads->index == nullptr) reads->index = make_index({reads, count});
  if (reads->index != nullptr) return static_cast<const origins*>(reads->index)->change(pe, low, from, bytes);
  each_origin({reads, count}, [&](const origin& one) {
    if (one.pe == pe) one.change(low, from, bytes);
  });
}

void windrow_comm_release(const struct windrow_comm_read* reads) {
  delete static_cast<const origins*>(reads->index);
  std::free(reads->values);
}
}
