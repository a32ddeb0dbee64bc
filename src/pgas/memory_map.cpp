// SPDX-License-Identifier: BSD-3-Clause
#include "windrow/detail/memory_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <list>

#include "base/fatal.hpp"
#include "base/options.hpp"
#include "pgas/begun.hpp"
#include "pgas/core.hpp"
#include "pgas/owner_process.hpp"
#include "trace/recorder.hpp"
#include "transport/hosts/other_hosts.hpp"
#include "transport/remote_memory.hpp"
#include "windrow/array.hpp"

namespace windrow::detail {

namespace {

std::atomic<std::uint64_t> begun = 0;

// `site` is that of the operation's call if the caller does not know it.
trace::event event_of(pe_t owner, std::size_t offset, std::size_t size, caller by, const void* site) {
  return {by.operation, trace::category::direct, by.site != nullptr ? by.site : site, owner, offset, size};
}

} // namespace

bool memory_map::remote_hosts_have(pe_t owner) const {
  return static_cast<unsigned>(owner) < static_cast<unsigned>(pes) && remote_hosts->has(owner);
}

// That it exists, and that the job has not ended.
void memory_map::require(pe_t at, std::size_t offset, std::size_t size, caller by) const {
  if (bytes == 0) bad_access(at, offset, size, by.operation);
  address(at, offset, size, by.operation);
}

strided_extent extent_of(std::ptrdiff_t stride, std::size_t block, std::size_t blocks,
                         const char* operation) {
  std::ptrdiff_t last = 0; // where the last block begins
  std::size_t reach = 0;
  const auto distance = [&] {
    return last < 0 ? -static_cast<std::size_t>(last) : static_cast<std::size_t>(last);
  };
  if (__builtin_mul_overflow(blocks - 1, stride, &last) || __builtin_add_overflow(distance(), block, &reach))
    base::fatal(
        fmt::format("{}: {} blocks whose beginnings are {} bytes apart are more than any memory holds",
                    operation, blocks, stride));
  return {std::min<std::ptrdiff_t>(last, 0), reach};
}

std::ptrdiff_t stride_in_bytes(std::ptrdiff_t elements, std::size_t size, const char* operation) {
  std::ptrdiff_t bytes = 0;
  if (__builtin_mul_overflow(elements, size, &bytes))
    base::fatal(fmt::format("{}: a stride of {} elements of {} bytes is more than any memory holds",
                            operation, elements, size));
  return bytes;
}

void memory_map::require_strided(pe_t owner, std::size_t offset, std::ptrdiff_t stride, const strides& s,
                                 caller by) const {
  const auto extent = extent_of(stride, s.block, s.blocks, by.operation);
  require(owner, offset + static_cast<std::size_t>(extent.lowest), extent.reach, by);
}

// Of an operation that was carried out, or is under way.
void memory_map::note(pe_t owner, bool under_way_now) {
  if (under_way_now) {
    under_way.store(true, std::memory_order_relaxed);
    begun.fetch_add(1, std::memory_order_relaxed);
  } else if (!is_addressable(owner)) {
    pgas::count(stats.round_trips);
  }
}

void memory_map::put_slowly(pe_t to, std::size_t offset, const void* from, std::size_t size, until when,
                            caller by) {
  require(to, offset, size, by);
  if (size == 0) return; // nobody need be asked
  const trace::span event(trace, event_of(to, offset, size, by, __builtin_return_address(0)));
  note(to, remote->put(to, offset, from, size, when));
}

void memory_map::get_slowly(pe_t from, std::size_t offset, void* to, std::size_t size, until when,
                            caller by) {
  require(from, offset, size, by);
  if (size == 0) return;
  const trace::span event(trace, event_of(from, offset, size, by, __builtin_return_address(0)));
  note(from, remote->get(from, offset, to, size, when));
}

void memory_map::put_strided_slowly(pe_t to, std::size_t offset, const void* from, const strides& s,
                                    until when, caller by) {
  require_strided(to, offset, s.to, s, by);
  const trace::span event(trace, event_of(to, offset, s.block * s.blocks, by, __builtin_return_address(0)));
  note(to, remote->put_strided(to, offset, from, s, when));
}

void memory_map::get_strided_slowly(pe_t from, std::size_t offset, void* to, const strides& s, until when,
                                    caller by) {
  require_strided(from, offset, s.from, s, by);
  const trace::span event(trace, event_of(from, offset, s.block * s.blocks, by, __builtin_return_address(0)));
  note(from, remote->get_strided(from, offset, to, s, when));
}

std::uint64_t memory_map::change_slowly(pe_t at, std::size_t offset, const atomic_change& change, caller by) {
  require(at, offset, bytes_of(change), by);
  const trace::span event(trace, event_of(at, offset, bytes_of(change), by, __builtin_return_address(0)));
  announce_atomics(*this);
  note(at, false);
  return remote->change(at, offset, change);
}

void memory_map::change_later(pe_t at, std::size_t offset, const atomic_change& change, void* before,
                              std::size_t size, caller by) {
  require(at, offset, bytes_of(change), by);
  const trace::span event(trace, event_of(at, offset, bytes_of(change), by, __builtin_return_address(0)));
  announce_atomics(*this);
  note(at, remote->begin_change(at, offset, change, before, size));
}

// A caller that does not wait for each write waits at most once, for all of them.
void memory_map::write_together(std::span<const transport::write_batch> batches, caller by) {
  if (batches.empty()) return;
  std::list<trace::span> events; // all at the same time
  for (const auto& batch : batches) {
    const auto [first, size] = require_batch(batch, by);
    if (trace != nullptr)
      events.emplace_back(trace, event_of(batch.to, first, size, by, __builtin_return_address(0)));
  }
  const auto far = std::ranges::find_if(
      batches, [&](pe_t to) { return !is_addressable(to); }, &transport::write_batch::to);
  note(far == batches.end() ? batches.front().to : far->to, remote->write_together(batches));
}

// Where it begins, and how many bytes it writes.
std::pair<std::size_t, std::size_t> memory_map::require_batch(const transport::write_batch& batch,
                                                              caller by) {
  if (batch.changes.empty()) {
    require(batch.to, batch.offset, batch.bytes.size(), by);
    return {batch.offset, batch.bytes.size()};
  }
  std::size_t size = 0;
  bool atomic = false;
  for (const auto& one : batch.changes) {
    const auto bytes_of_one = bytes_of(one.change());
    require(batch.to, one.offset, bytes_of_one, by);
    size += bytes_of_one;
    atomic |= one.change().what != verb::put;
  }
  if (atomic) announce_atomics(*this);
  return {batch.changes.front().offset, size};
}

void memory_map::settle_slowly() {
  if (!remote->settle() && !keep_announced) under_way.store(false, std::memory_order_relaxed);
}

void memory_map::fence_slowly() {
  remote->fence();
}

// Where there are several threads, another one may have begun something meanwhile.
void memory_map::complete_slowly() {
  if (!keep_announced) under_way.store(false, std::memory_order_relaxed);
  if (remote->complete()) pgas::count(stats.round_trips);
}

void memory_map::bad_access(pe_t owner, std::size_t offset, std::size_t size, const char* operation) const {
  if (bytes == 0) base::fatal(fmt::format("{}: {}", operation, pgas::why_closed()));
  if (owner < 0 || owner >= pes)
    base::fatal(fmt::format("{}: PE {} does not exist; this job has PEs 0 to {}", operation, owner, pes - 1));
  base::fatal(fmt::format("{}: {} bytes at offset {} are outside the symmetric heap of {} per PE", operation,
                          size, offset, base::format_size(bytes)));
}

} // namespace windrow::detail

std::uint64_t windrow::pgas::operations_begun() {
  return detail::begun.load(std::memory_order_relaxed);
}
