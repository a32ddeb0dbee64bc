// SPDX-License-Identifier: BSD-3-Clause
#include "transport/segment_memory.hpp"

#include <cstring>
#include <vector>

#include "base/shared_copy.hpp"
#include "transport/hook/latency_model.hpp"
#include "transport/host/apply_change.hpp"
#include "transport/hosts/other_hosts.hpp"
#include "windrow/detail/copy.hpp"

namespace windrow::transport {

namespace {
constexpr std::size_t word_bytes = 8; // of an atomic operation, there and back
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

// Where it is, as soon as an operation with so many bytes there and back may happen.
std::byte* segment_memory::here(pe_t pe, std::uint64_t offset, std::size_t there, std::size_t back) const {
  if (latency_ != nullptr) latency_->operate(pe, there, back);
  return all_.first + static_cast<std::size_t>(pe) * all_.stride + offset;
}

bool segment_memory::put(pe_t to, std::uint64_t offset, const void* from, std::size_t bytes, until when) {
  if (!is_on_other_host(to)) return base::store_shared(here(to, offset, bytes, 0), from, bytes), false;
  if (when == until::complete) return remote_hosts_->put(to, offset, from, bytes), false;
  remote_hosts_->put_later(to, offset, from, bytes);
  return true;
}

bool segment_memory::get(pe_t of, std::uint64_t offset, void* to, std::size_t bytes, until when) {
  if (!is_on_other_host(of)) return base::load_shared(to, here(of, offset, 0, bytes), bytes), false;
  if (when == until::complete) return remote_hosts_->get(of, offset, to, bytes), false;
  remote_hosts_->get_later(of, offset, to, bytes);
  return true;
}

bool segment_memory::put_strided(pe_t to, std::uint64_t offset, const void* from, const detail::strides& s,
                                 until when) {
  if (is_on_other_host(to)) return remote_memory::put_strided(to, offset, from, s, when);
  detail::copy_strided(here(to, offset, s.blocks * s.block, 0), static_cast<const std::byte*>(from), s);
  return false;
}

bool segment_memory::get_strided(pe_t of, std::uint64_t offset, void* to, const detail::strides& s,
                                 until when) {
  if (is_on_other_host(of)) return remote_memory::get_strided(of, offset, to, s, when);
  detail::copy_strided(static_cast<std::byte*>(to), here(of, offset, 0, s.blocks * s.block), s);
  return false;
}

std::uint64_t segment_memory::change(pe_t of, std::uint64_t offset, const detail::atomic_change& what) {
  if (is_on_other_host(of)) return remote_hosts_->change(of, offset, what);
  return apply_change(here(of, offset, word_bytes, word_bytes), what);
}

bool segment_memory::begin_change(pe_t of, std::uint64_t offset, const detail::atomic_change& what,
                                  void* before, std::size_t bytes) {
  if (is_on_other_host(of)) return remote_hosts_->change_later(of, offset, what, before, bytes), true;
  const auto value = change(of, offset, what);
  if (before != nullptr) std::memcpy(before, &value, bytes);
  return false;
}

bool segment_memory::change_many(pe_t of, std::span<const detail::placed_change> changes) {
  if (is_on_other_host(of)) return remote_hosts_->change_many_later(of, changes), true;
  if (latency_ != nullptr) latency_->handle(of, changes.size());
  auto* const segment = here(of, 0, changes.size_bytes(), 0);
  for (const auto& one : changes) apply_change(segment + one.offset, one.change());
  return false;
}

void segment_memory::write_here(const write_batch& batch) const {
  auto* const segment = all_.first + static_cast<std::size_t>(batch.to) * all_.stride;
  if (batch.changes.empty())
    base::store_shared(segment + batch.offset, batch.bytes.data(), batch.bytes.size());
  else
    for (const auto& one : batch.changes) apply_change(segment + one.offset, one.change());
}

bool segment_memory::write_together(std::span<const write_batch> batches) {
  if (latency_ == nullptr || remote_hosts_ != nullptr) return remote_memory::write_together(batches);
  std::vector<latency_model::message> messages;
  messages.reserve(batches.size());
  for (const auto& one : batches)
    messages.push_back({one.to, one.changes.size_bytes() + one.bytes.size(), 0, one.changes.size()});
  latency_->operate_together(messages, [&](std::size_t i) { write_here(batches[i]); });
  return false;
}

bool segment_memory::read_together(std::span<const read_piece> pieces) {
  if (latency_ == nullptr || remote_hosts_ != nullptr) return remote_memory::read_together(pieces);
  std::vector<latency_model::message> messages;
  messages.reserve(pieces.size());
  for (const auto& one : pieces) messages.push_back({one.of, 0, one.bytes, 0});
  latency_->operate_together(messages, [&](std::size_t i) {
    const auto& one = pieces[i];
    const auto* const segment = all_.first + static_cast<std::size_t>(one.of) * all_.stride;
    base::load_shared(one.to, segment + one.offset, one.bytes);
  });
  return false;
}

void segment_memory::complete() {
  if (remote_hosts_ != nullptr) remote_hosts_->complete();
}

} // namespace windrow::transport
