// SPDX-License-Identifier: BSD-3-Clause
#include "aggregation/block_pool.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include "aggregation/sender.hpp"
#include "base/fatal.hpp"
#include "base/options.hpp"
#include "os/memory.hpp"

namespace windrow::aggregation {

namespace {
constexpr auto block_alignment = std::align_val_t{alignof(transport::block)};

constexpr std::uint64_t much = std::uint64_t{32} << 20;

// Handlers that send more than they receive need memory for what is under way, whatever the protocol: so they
// may use what there is, but for a good part of it.
std::uint64_t default_spill_limit(const detail::memory_map& map) {
  std::uint64_t here = 0;
  for (pe_t pe = 0; pe < map.pes; ++pe) here += map.is_on_other_host(pe) ? 0 : 1;
  return std::max(2 * much, os::usable_memory() / 4 / here);
}
} // namespace

block_pool::block_pool(pgas::core& c, bool shared)
    : core_(c),
      link_(c.link()),
      shared_(shared),
      capacity_(static_cast<std::uint32_t>(link_.block_capacity())),
      states_(link_.pool_size()),
      out_(static_cast<std::size_t>(c.pes())) {
  const auto limit = base::size_option("WINDROW_SPILL_LIMIT", default_spill_limit(c.map()));
  const auto block_bytes = capacity_ + sizeof(transport::block);
  spill_limit_ = std::max<std::size_t>(1, limit / block_bytes);
  much_ = std::min(limit / 2, much) / block_bytes;
}

block_pool::~block_pool() {
  for (const auto& state : states_) delete[] state.notes;
}

transport::block* block_pool::acquire() {
  const auto locked = lock();
  return link_.acquire();
}

void block_pool::discard(transport::block* b) {
  const auto locked = lock();
  link_.discard(b);
}

transport::block* block_pool::spare_block() {
  if (spilled() >= spill_limit_)
    base::fatal(
        fmt::format("handlers have produced {} of messages that cannot leave, the limit; raise "
                    "WINDROW_SPILL_LIMIT or make handlers send less than they receive",
                    base::format_size(spilled() * (capacity_ + sizeof(transport::block)))));
  auto* const memory = ::operator new(capacity_ + sizeof(transport::block), block_alignment, std::nothrow);
  if (memory == nullptr)
    base::fatal(fmt::format("no memory for what handlers send, of which {} cannot leave as yet",
                            base::format_size(spilled() * (capacity_ + sizeof(transport::block)))));
  return new (memory) transport::block{};
}

std::byte* block_pool::notes_for(const transport::block* b) {
  auto& state = state_of(b);
  if (state.notes == nullptr) state.notes = new std::byte[capacity_];
  state.has_notes = true;
  return state.notes;
}

// The one who fills a block, and those who count, may be different threads: the counts are right by then.
void block_pool::commit(const filled_block& b) {
  auto& state = state_of(b.content);
  state.mark = b.mark;
  state.from = b.from;
  state.out_since.store(b.stamp, std::memory_order_relaxed);
  b.content->brings_answers = state.has_notes ? 1 : 0;
  out_[static_cast<std::size_t>(b.to)].fetch_add(1, std::memory_order_relaxed);
  link_.commit(b.content, b.to);
  if (shared_ && b.to == core_.pe()) link_.ring(b.to); // its own thread may sleep
}

// Blocks that become free while there is a spill are given to it (`drain_spill`), so if there is one now, it
// has become free before.
void block_pool::spill(const filled_block& b) {
  const auto locked = lock();
  b.from->spills(b.to);
  spill_.push_back(b);
  spilled_.store(spill_.size(), std::memory_order_relaxed);
  if (shared_) drain_locked();
}

bool block_pool::drain_spill() {
  const auto locked = lock();
  return drain_locked();
}

bool block_pool::drain_locked() {
  bool any = false;
  while (!spill_.empty()) {
    auto* shared = link_.acquire();
    if (shared == nullptr) break;
    auto b = spill_.front();
    spill_.pop_front();
    spilled_.store(spill_.size(), std::memory_order_relaxed);
    std::memcpy(shared->payload(), b.content->payload(), b.content->used);
    shared->used = b.content->used;
    if (b.notes != nullptr) {
      delete[] std::exchange(state_of(shared).notes, b.notes);
      state_of(shared).has_notes = true;
    }
    ::operator delete(std::exchange(b.content, shared), block_alignment);
    commit(b);
    b.from->has_unspilled(b.to);
    any = true;
  }
  return any;
}

const std::byte* block_pool::notes_of(const transport::block* b) const {
  const auto& state = state_of(b);
  return state.has_notes ? state.notes : nullptr;
}

block_mark block_pool::mark_of(const transport::block* b) const {
  return state_of(b).mark;
}

sender& block_pool::come_home(transport::block* b) {
  auto& state = state_of(b);
  sender& from = *state.from;
  state.has_notes = false;
  state.out_since.store(0, std::memory_order_release);
  out_[static_cast<std::size_t>(b->target)].fetch_sub(1, std::memory_order_relaxed);
  discard(b);
  return from;
}

// Spilled ones have no state yet. Those behind the oldest are no older.
bool block_pool::are_home(std::uint64_t stamp, std::uint32_t& seen) {
  if (spilled() > 0) {
    const auto locked = lock();
    if (!spill_.empty() && spill_.front().stamp < stamp) return false;
  }
  for (; seen < size(); ++seen) {
    const auto since = states_[seen].out_since.load(std::memory_order_acquire);
    if (since != 0 && since < stamp) return false;
  }
  return true;
}

std::uint32_t block_pool::out() const {
  std::uint32_t all = 0;
  for (const auto& blocks : out_) all += blocks.load(std::memory_order_relaxed);
  return all;
}

pe_t block_pool::holder_of_most() const {
  const auto most = std::max_element(out_.begin(), out_.end(),
                                     [](const auto& a, const auto& b) { return a.load() < b.load(); });
  return static_cast<pe_t>(most - out_.begin());
}

} // namespace windrow::aggregation
