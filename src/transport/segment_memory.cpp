// SPDX-License-Identifier: BSD-3-Clause
#include "transport/segment_memory.hpp"

#include <cstring>
#include <utility>

#include "base/shared_copy.hpp"
#include "transport/hook/latency_model.hpp"
#include "transport/host/apply_change.hpp"
#include "transport/hosts/other_hosts.hpp"
#include "windrow/detail/copy.hpp"

namespace windrow::transport {

namespace {
constexpr std::size_t word_bytes = 8; // of an atomic operation, there and back

std::vector<std::byte> bytes_at(const void* from, std::size_t bytes) {
  const auto* const first = static_cast<const std::byte*>(from);
  return {first, first + bytes};
}
} // namespace

// Operations on other hosts are begun one by one, and one that must be complete waits for them all.
bool remote_memory::put_strided(pe_t to, std::uint64_t offset, const void* from, const detail::strides& s,
                                until when) {
  const auto* source = static_cast<const std::byte*>(from);
  bool under_way = false;
  for (std::size_t i = 0; i < s.blocks; ++i, offset += static_cast<std::uint64_t>(s.to), source += s.from)
    under_way |= put(to, offset, source, s.block, when == until::begun ? when : until::copied);
  if (!under_way || when != until::complete) return under_way;
  complete();
  return false;
}

bool remote_memory::get_strided(pe_t of, std::uint64_t offset, void* to, const detail::strides& s,
                                until when) {
  auto* dest = static_cast<std::byte*>(to);
  bool under_way = false;
  for (std::size_t i = 0; i < s.blocks; ++i, offset += static_cast<std::uint64_t>(s.from), dest += s.to)
    under_way |= get(of, offset, dest, s.block, until::begun);
  if (!under_way || when != until::complete) return under_way;
  complete();
  return false;
}

bool remote_memory::change_many(pe_t of, std::span<const detail::placed_change> changes) {
  bool under_way = false;
  for (const auto& one : changes) under_way |= begin_change(of, one.offset, one.change(), nullptr, 0);
  return under_way;
}

bool remote_memory::write_together(std::span<const write_batch> batches) {
  bool under_way = false;
  for (const auto& one : batches)
    under_way |= one.changes.empty()
                     ? put(one.to, one.offset, one.bytes.data(), one.bytes.size(), until::copied)
                     : change_many(one.to, one.changes);
  return under_way;
}

bool remote_memory::read_together(std::span<const read_piece> pieces) {
  bool under_way = false;
  for (const auto& one : pieces) under_way |= get(one.of, one.offset, one.to, one.bytes, until::begun);
  return under_way;
}

std::unique_ptr<remote_memory> transport::make_remote() {
  return std::make_unique<segment_memory>(symmetric(), latency(), remote_hosts());
}

bool segment_memory::is_on_other_host(pe_t pe) const {
  return remote_hosts_ != nullptr && remote_hosts_->has(pe);
}

bool segment_memory::goes_on(pe_t pe, until when) const {
  return latency_ != nullptr && latency_->begins(pe, when);
}

std::byte* segment_memory::at(pe_t pe, std::uint64_t offset) const {
  return all_.first + static_cast<std::size_t>(pe) * all_.stride + offset;
}

// Now, or after an imitated latency; or, as its result says, later.
template <class Action>
bool segment_memory::carry_out(const latency_model::message& asked, until when, Action action) const {
  if (latency_ == nullptr)
    action();
  else if (!latency_->begins(asked.owner, when))
    latency_->operate(asked, action);
  else
    return latency_->begin(asked, when, std::move(action)), true;
  return false;
}

bool segment_memory::put(pe_t to, std::uint64_t offset, const void* from, std::size_t bytes, until when) {
  if (is_on_other_host(to)) {
    if (when == until::complete) return remote_hosts_->put(to, offset, from, bytes), false;
    return remote_hosts_->put_later(to, offset, from, bytes), true;
  }
  if (when == until::copied && goes_on(to, when)) return put_copy(to, offset, bytes_at(from, bytes), when);
  return carry_out({to, bytes, 0}, when,
                   [=, to_here = at(to, offset)] { base::store_shared(to_here, from, bytes); });
}

bool segment_memory::put_copy(pe_t to, std::uint64_t offset, std::vector<std::byte> copy, until when) const {
  const latency_model::message asked{to, copy.size(), 0};
  return carry_out(asked, when, [to_here = at(to, offset), from = std::move(copy)] {
    base::store_shared(to_here, from.data(), from.size());
  });
}

bool segment_memory::get(pe_t of, std::uint64_t offset, void* to, std::size_t bytes, until when) {
  if (is_on_other_host(of)) {
    if (when == until::complete) return remote_hosts_->get(of, offset, to, bytes), false;
    return remote_hosts_->get_later(of, offset, to, bytes), true;
  }
  return carry_out({of, 0, bytes}, when, [=, from = at(of, offset)] { base::load_shared(to, from, bytes); });
}

bool segment_memory::put_strided(pe_t to, std::uint64_t offset, const void* from, const detail::strides& s,
                                 until when) {
  if (is_on_other_host(to)) {
    remote_hosts_->put_strided_later(to, offset, from, s);
    if (when == until::complete) remote_hosts_->complete();
    return when != until::complete;
  }
  const latency_model::message asked{to, s.blocks * s.block, 0};
  auto* const to_here = at(to, offset);
  const auto* const source = static_cast<const std::byte*>(from);
  if (when != until::copied || !goes_on(to, when))
    return carry_out(asked, when, [=] { detail::copy_strided(to_here, source, s); });
  const auto block = static_cast<std::ptrdiff_t>(s.block);
  std::vector<std::byte> copy(s.blocks * s.block);
  detail::copy_strided(copy.data(), source, {block, s.from, s.block, s.blocks});
  return carry_out(asked, when, [=, copy = std::move(copy)] {
    detail::copy_strided(to_here, copy.data(), {s.to, block, s.block, s.blocks});
  });
}

bool segment_memory::get_strided(pe_t of, std::uint64_t offset, void* to, const detail::strides& s,
                                 until when) {
  if (is_on_other_host(of)) {
    remote_hosts_->get_strided_later(of, offset, to, s);
    if (when == until::complete) remote_hosts_->complete();
    return when != until::complete;
  }
  return carry_out({of, 0, s.blocks * s.block}, when, [=, from = at(of, offset)] {
    detail::copy_strided(static_cast<std::byte*>(to), from, s);
  });
}

std::uint64_t segment_memory::change(pe_t of, std::uint64_t offset, const detail::atomic_change& what) {
  if (is_on_other_host(of)) return remote_hosts_->change(of, offset, what);
  std::uint64_t before = 0;
  carry_out({of, word_bytes, word_bytes}, until::complete,
            [&before, what, place = at(of, offset)] { before = apply_change(place, what); });
  return before;
}

// Others may wait for one whose result is not wanted, as for a put.
bool segment_memory::begin_change(pe_t of, std::uint64_t offset, const detail::atomic_change& what,
                                  void* before, std::size_t bytes) {
  if (is_on_other_host(of)) return remote_hosts_->change_later(of, offset, what, before, bytes), true;
  const auto when = before == nullptr ? until::copied : until::begun;
  return carry_out({of, word_bytes, word_bytes}, when, [=, place = at(of, offset)] {
    const auto value = apply_change(place, what);
    if (before != nullptr) std::memcpy(before, &value, bytes);
  });
}

bool segment_memory::change_many(pe_t of, std::span<const detail::placed_change> changes) {
  if (is_on_other_host(of)) return remote_hosts_->change_many_later(of, changes), true;
  return change_copy(of, {changes.begin(), changes.end()}, until::copied);
}

bool segment_memory::change_copy(pe_t of, std::vector<detail::placed_change> changes, until when) const {
  const latency_model::message asked{of, changes.size() * sizeof changes.front(), 0, changes.size()};
  return carry_out(asked, when, [segment = at(of, 0), changes = std::move(changes)] {
    for (const auto& one : changes) apply_change(segment + one.offset, one.change());
  });
}

// None waits for the answer to another one. Others may wait for them, so where they do not go on by
// themselves this PE waits until they have happened.
bool segment_memory::write_together(std::span<const write_batch> batches) {
  if (remote_hosts_ != nullptr) return remote_memory::write_together(batches);
  bool under_way = false, waits = false;
  for (const auto& one : batches)
    if (one.changes.empty() ? put_copy(one.to, one.offset, {one.bytes.begin(), one.bytes.end()}, until::begun)
                            : change_copy(one.to, {one.changes.begin(), one.changes.end()}, until::begun)) {
      under_way = true;
      waits |= !goes_on(one.to, until::copied);
    }
  if (waits) complete();
  return under_way && !waits;
}

bool segment_memory::complete() {
  bool any = latency_ != nullptr && latency_->complete();
  if (remote_hosts_ != nullptr) {
    remote_hosts_->complete();
    any = true; // it may have been
  }
  return any;
}

bool segment_memory::progress() {
  return latency_ != nullptr && latency_->progress();
}

} // namespace windrow::transport
