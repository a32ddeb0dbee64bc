// SPDX-License-Identifier: BSD-3-Clause
// Memory of this PE that transfers under way read or write, and the table of pages that says to compiled code
// where to look closer.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace windrow::overlap {

class tracked_memory {
 public:
  static constexpr unsigned page_bits = 12;

  /// `pages` has a byte for each page.
  explicit tracked_memory(unsigned char* pages) : pages_(pages) {}

  /// Pages that are looked at closer whatever is tracked.
  void watch(std::uintptr_t begin, std::size_t bytes) {
    for (auto page = begin >> page_bits; page <= (begin + bytes - 1) >> page_bits; ++page)
      pages_[page] |= watched;
  }

  /// Remembers the bytes until something touches them: a store, or a load too if `on_loads`.
  void add(std::uintptr_t begin, std::size_t bytes, bool on_loads) {
    const auto index = free_place();
    ranges_[index] = {begin, begin + bytes, on_loads};
    ++count_;
    for_pages(ranges_[index], [&](std::uintptr_t page) {
      by_page_[page].push_back(index);
      pages_[page] |= tracked;
    });
  }

  /// Forgets all that the access is in conflict with; whether there was something. The memory ends at
  /// `begin + bytes`, or nobody knows where if that is beyond all memory.
  bool touch(std::uintptr_t begin, std::uint64_t bytes, bool store) {
    if (count_ == 0 || bytes == 0) return false;
    const auto end = bytes > UINTPTR_MAX - begin ? UINTPTR_MAX : begin + bytes;
    std::vector<std::uint32_t> met;
    const auto meet = [&](std::uint32_t index) {
      const auto& one = ranges_[index];
      if (one.begin < end && begin < one.end && (store || one.on_loads)) met.push_back(index);
    };
    if (end - begin > most_pages << page_bits) {
      for (std::uint32_t i = 0; i < ranges_.size(); ++i) meet(i);
    } else {
      for (auto page = begin >> page_bits; page <= (end - 1) >> page_bits; ++page)
        if (const auto found = by_page_.find(page); found != by_page_.end())
          std::ranges::for_each(found->second, meet);
    }
    std::ranges::sort(met);
    met.erase(std::unique(met.begin(), met.end()), met.end());
    for (const auto index : met) remove(index);
    return !met.empty();
  }

  void clear() {
    for (const auto& [page, indices] : by_page_) pages_[page] &= static_cast<unsigned char>(~tracked);
    by_page_.clear();
    ranges_.clear();
    free_.clear();
    count_ = 0;
  }

  std::size_t size() const { return count_; }

 private:
  static constexpr unsigned char tracked = 1, watched = 2;
  static constexpr std::uintptr_t longest_access = 64; // that compiled code asks the pages about, in bytes
  static constexpr std::uint64_t most_pages = 64;      // that are looked up one by one

  struct memory_range {
    std::uintptr_t begin = 0, end = 0; ///< equal: the place is free
    bool on_loads = false;
  };

  std::uint32_t free_place() {
    if (free_.empty()) {
      ranges_.emplace_back();
      return static_cast<std::uint32_t>(ranges_.size() - 1);
    }
    const auto index = free_.back();
    free_.pop_back();
    return index;
  }

  // Compiled code asks for the page that an access begins on.
  template <class Act>
  static void for_pages(const memory_range& one, Act act) {
    for (auto page = (one.begin - std::min(one.begin, longest_access - 1)) >> page_bits;
         page <= (one.end - 1) >> page_bits; ++page)
      act(page);
  }

  void remove(std::uint32_t index) {
    for_pages(ranges_[index], [&](std::uintptr_t page) {
      auto& on_page = by_page_[page];
      std::erase(on_page, index);
      if (!on_page.empty()) return;
      by_page_.erase(page);
      pages_[page] &= static_cast<unsigned char>(~tracked);
    });
    ranges_[index] = {};
    free_.push_back(index);
    --count_;
  }

  unsigned char* pages_;
  std::vector<memory_range> ranges_;
  std::vector<std::uint32_t> free_;
  std::unordered_map<std::uintptr_t, std::vector<std::uint32_t>> by_page_;
  std::size_t count_ = 0;
};

} // namespace windrow::overlap
