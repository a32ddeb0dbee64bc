// SPDX-License-Identifier: BSD-3-Clause
// Memory of this PE that transfers under way read or write, and the table of pages that says to compiled code
// where to look closer.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "overlap/range_index.hpp"

namespace windrow::overlap {

/// By address.
class tracked_memory {
  static constexpr unsigned char tracked = 1, watched = 2;

  auto no_more() {
    return [this](std::uintptr_t page) { pages_[page] &= static_cast<unsigned char>(~tracked); };
  }

 public:
  static constexpr unsigned page_bits = range_index::page_bits;

  /// `pages` has a byte for each page. `once`: of the same bytes there need be one range.
  explicit tracked_memory(unsigned char* pages, bool once = false) : pages_(pages), index_(once) {}

  /// Pages that are looked at closer whatever is tracked.
  void watch(std::uintptr_t begin, std::size_t bytes) {
    for (auto page = begin >> page_bits; page <= (begin + bytes - 1) >> page_bits; ++page)
      pages_[page] |= watched;
  }

  /// Remembers the bytes until something touches them: a store, or a load too if `on_loads`.
  void add(const range& memory, bool on_loads) {
    if (memory.bytes == 0) return;
    index_.add(memory, on_loads, [this](std::uintptr_t page) { pages_[page] |= tracked; });
  }

  /// Whether the access is in conflict with something.
  bool meets(const range& memory, bool store) const {
    return !index_.in_conflict_with(memory, store).empty();
  }

  /// Forgets all that the access is in conflict with; whether there was something. The memory ends at
  /// `begin + bytes`, or nobody knows where if that is beyond all memory.
  bool touch(range memory, bool store) {
    if (index_.size() == 0) return false;
    memory.bytes = std::min(memory.bytes, UINT64_MAX - memory.begin);
    const auto met = index_.in_conflict_with(memory, store);
    for (const auto number : met) index_.remove(number, no_more());
    return !met.empty();
  }

  void clear() { index_.clear(no_more()); }
  std::size_t size() const { return index_.size(); }

 private:
  unsigned char* pages_;
  range_index index_;
};

} // namespace windrow::overlap
