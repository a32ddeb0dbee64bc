// SPDX-License-Identifier: BSD-3-Clause
// Allocation of parts of a symmetric segment.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace windrow::pgas {

/// An allocator over the offsets 0 … `bytes` of a segment. It never touches the segment: its books are
/// private to the PE, and the same calls give the same offsets on every PE. Best fit; neighbouring holes are
/// joined at once. Not thread-safe.
class heap {
 public:
  /// Sizes are rounded up to this, so that two allocations never share a cache line.
  static constexpr std::size_t granule = 64;
  static constexpr std::size_t max_alignment = std::size_t{2} << 20;

  /// `grows` is called whenever allocations reach further than before, with the offset up to which they do.
  explicit heap(std::size_t bytes, std::function<void(std::uint64_t)> grows = nullptr);

  /// A place for `bytes` (0 counts as 1: every allocation has an offset of its own), or nothing if no hole is
  /// large enough. `alignment` is a power of two up to `max_alignment`; anything else ends the program.
  std::optional<std::uint64_t> allocate(std::size_t bytes, std::size_t alignment);
  /// False if `offset` is not the start of an allocation.
  bool release(std::uint64_t offset);
  /// Makes the allocation at `offset` one for `bytes`, where it is. False if there is no room behind it, or
  /// no such allocation.
  bool resize(std::uint64_t offset, std::size_t bytes);
  /// As if each allocation were released.
  void release_all();
  /// The bytes usable at `offset` (the request rounded up), or nothing if it is not the start of an
  /// allocation.
  std::optional<std::size_t> size_at(std::uint64_t offset) const;

  /// Whether `bytes` at `offset` lie within one allocation.
  bool holds(std::uint64_t offset, std::size_t bytes) const;

  /// No allocation has ever reached beyond this offset.
  std::uint64_t used_up_to() const { return used_up_to_; }

  std::size_t in_use() const { return in_use_; }
  /// The largest request that would succeed now, at the least alignment.
  std::size_t largest_free() const { return by_size_.empty() ? 0 : by_size_.rbegin()->first; }

 private:
  using hole = std::pair<std::size_t, std::uint64_t>; ///< size and offset

  std::set<hole>::iterator find(std::size_t size, std::size_t alignment);
  void use_up_to(std::uint64_t end);
  void add_hole(std::uint64_t offset, std::size_t size);
  void join_hole(std::uint64_t offset, std::size_t size);
  void remove_hole(std::uint64_t offset, std::size_t size);

  std::set<hole> by_size_;
  std::map<std::uint64_t, std::size_t> by_offset_;
  std::map<std::uint64_t, std::size_t> allocations_; ///< sizes by offset
  std::size_t bytes_;
  std::size_t in_use_ = 0;
  std::uint64_t used_up_to_ = 0;
  std::function<void(std::uint64_t)> grows_;
};

} // namespace windrow::pgas
