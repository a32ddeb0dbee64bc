// SPDX-License-Identifier: BSD-3-Clause
#include "pgas/heap.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <utility>

#include "base/fatal.hpp"
#include "windrow/detail/round_up.hpp"

namespace windrow::pgas {

using detail::round_up;

namespace {

std::size_t size_for(std::size_t bytes) {
  return round_up(std::max<std::size_t>(bytes, 1), heap::granule);
}

} // namespace

heap::heap(std::size_t bytes, std::function<void(std::uint64_t)> grows)
    : bytes_(bytes / granule * granule), grows_(std::move(grows)) {
  if (bytes_ > 0) add_hole(0, bytes_);
}

std::optional<std::uint64_t> heap::allocate(std::size_t bytes, std::size_t alignment) {
  if (!std::has_single_bit(alignment) || alignment > max_alignment)
    base::fatal(fmt::format("allocate: alignment {} is not a power of two up to 2 MiB", alignment));
  if (bytes > bytes_) return {};
  const auto size = size_for(bytes);
  const auto found = find(size, std::max(alignment, granule));
  if (found == by_size_.end()) return {};

  const auto [hole_size, hole_offset] = *found;
  const auto offset = round_up(hole_offset, alignment);
  const auto before = offset - hole_offset;
  remove_hole(hole_offset, hole_size);
  if (before > 0) add_hole(hole_offset, before);
  if (const auto after = hole_size - before - size; after > 0) add_hole(offset + size, after);
  allocations_.emplace(offset, size);
  in_use_ += size;
  use_up_to(offset + size);
  return offset;
}

void heap::use_up_to(std::uint64_t end) {
  if (end <= used_up_to_) return;
  used_up_to_ = end;
  if (grows_) grows_(end);
}

std::set<heap::hole>::iterator heap::find(std::size_t size, std::size_t alignment) {
  // A hole of this size has room wherever it starts: one search, and for ordinary alignments it is the best
  // fit.
  const auto certain = by_size_.lower_bound({size + alignment - granule, 0});
  if (certain != by_size_.end()) return certain;
  return std::find_if(by_size_.lower_bound({size, 0}), by_size_.end(), [&](const hole& h) {
    return round_up(h.second, alignment) + size <= h.second + h.first;
  });
}

bool heap::release(std::uint64_t offset) {
  const auto allocation = allocations_.find(offset);
  if (allocation == allocations_.end()) return false;
  const auto size = allocation->second;
  allocations_.erase(allocation);
  in_use_ -= size;
  join_hole(offset, size);
  return true;
}

bool heap::resize(std::uint64_t offset, std::size_t bytes) {
  const auto allocation = allocations_.find(offset);
  if (allocation == allocations_.end() || bytes > bytes_) return false;
  const auto size = size_for(bytes), old_size = allocation->second;
  const auto end = offset + old_size;
  if (size > old_size) {
    const auto behind = by_offset_.find(end);
    if (behind == by_offset_.end() || behind->second < size - old_size) return false;
    const auto room = behind->second;
    remove_hole(end, room);
    if (const auto after = room - (size - old_size); after > 0) add_hole(offset + size, after);
    use_up_to(offset + size);
  } else if (size < old_size) {
    join_hole(offset + size, old_size - size);
  }
  allocation->second = size;
  in_use_ += size - old_size;
  return true;
}

// With those beside it.
void heap::join_hole(std::uint64_t offset, std::size_t size) {
  auto next = by_offset_.lower_bound(offset);
  if (next != by_offset_.begin()) {
    const auto [before, before_size] = *std::prev(next);
    if (before + before_size == offset) {
      remove_hole(before, before_size);
      offset = before;
      size += before_size;
    }
  }
  if (next != by_offset_.end() && next->first == offset + size) {
    const auto [after, after_size] = *next;
    remove_hole(after, after_size);
    size += after_size;
  }
  add_hole(offset, size);
}

void heap::release_all() {
  while (!allocations_.empty()) release(allocations_.begin()->first);
}

std::optional<std::size_t> heap::size_at(std::uint64_t offset) const {
  const auto allocation = allocations_.find(offset);
  if (allocation == allocations_.end()) return {};
  return allocation->second;
}

bool heap::holds(std::uint64_t offset, std::size_t bytes) const {
  const auto after = allocations_.upper_bound(offset);
  if (after == allocations_.begin()) return false;
  const auto& [begin, size] = *std::prev(after);
  return offset - begin <= size && bytes <= size - (offset - begin);
}

void heap::add_hole(std::uint64_t offset, std::size_t size) {
  by_size_.emplace(size, offset);
  by_offset_.emplace(offset, size);
}

void heap::remove_hole(std::uint64_t offset, std::size_t size) {
  by_size_.erase({size, offset});
  by_offset_.erase(offset);
}

} // namespace windrow::pgas
