// SPDX-License-Identifier: BSD-3-Clause
// Ranges of memory by the pages that they lie on: what meets a range is found in a time that does not depend
// on how many there are elsewhere.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "overlap/recording.hpp"

namespace windrow::overlap {

class range_index {
 public:
  static constexpr unsigned page_bits = 12;

  /// `once`: what is there already is not added again. Of memory that a loop sends again and again there
  /// would else be as many ranges as rounds, which each access of its page looks at.
  explicit range_index(bool once = false) : once_(once) {}

  /// `written`: loads of it are in conflict too. `on_page` is told of each page that had none before.
  template <class Act>
  void add(const range& memory, bool written, Act on_page) {
    if (once_ && !known_.insert(key_of({memory, written})).second) return;
    const auto number = free_place();
    held_[number] = {memory, written};
    ++count_;
    for_pages(memory, [&](std::uintptr_t page) {
      auto& on = by_page_[page];
      if (on.numbers.empty()) on_page(page);
      on.numbers.push_back(number);
      on.begin = std::min(on.begin, memory.begin);
      on.end = std::max(on.end, memory.end());
    });
  }
  void add(const range& memory, bool written) {
    add(memory, written, [](std::uintptr_t) {});
  }

  /// The numbers of those that a store to the memory, or a load of it, is in conflict with.
  std::vector<std::uint32_t> in_conflict_with(const range& memory, bool store) const {
    std::vector<std::uint32_t> met;
    const auto meet = [&](std::uint32_t number) {
      const auto& one = held_[number];
      if ((store || one.written) && one.memory.bytes != 0 && one.memory.meets(memory)) met.push_back(number);
    };
    if (count_ == 0 || memory.bytes == 0) return met;
    if (memory.bytes > most_pages << page_bits) {
      for (std::uint32_t i = 0; i < held_.size(); ++i) meet(i);
      return met;
    }
    for (auto page = memory.begin >> page_bits; page <= (memory.end() - 1) >> page_bits; ++page)
      if (const auto found = by_page_.find(page); found != by_page_.end() && found->second.may_meet(memory))
        std::ranges::for_each(found->second.numbers, meet);
    std::ranges::sort(met);
    met.erase(std::unique(met.begin(), met.end()), met.end());
    return met;
  }

  /// `off_page` is told of each page that has none any more.
  template <class Act>
  void remove(std::uint32_t number, Act off_page) {
    for_pages(held_[number].memory, [&](std::uintptr_t page) {
      const auto on = by_page_.find(page);
      std::erase(on->second.numbers, number);
      if (!on->second.numbers.empty()) return;
      by_page_.erase(on);
      off_page(page);
    });
    known_.erase(key_of(held_[number]));
    held_[number] = {};
    free_.push_back(number);
    --count_;
  }

  template <class Act>
  void clear(Act off_page) {
    for (const auto& [page, list] : by_page_) off_page(page);
    by_page_ = {}; // clear() would pass over the buckets of the most that there have ever been
    known_.clear();
    held_.clear();
    free_.clear();
    count_ = 0;
  }
  void clear() {
    clear([](std::uintptr_t) {});
  }

  std::size_t size() const { return count_; }

 private:
  static constexpr std::uint64_t longest_access = 64; // that compiled code asks the pages about, in bytes
  static constexpr std::uint64_t most_pages = 64;     // that are looked up one by one

  struct held {
    range memory;
    bool written = false;
  };
  using key = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t, bool>;
  static key key_of(const held& one) {
    return {one.memory.begin, one.memory.bytes, one.memory.block, one.memory.stride, one.written};
  }

  /// Transfers mostly go through memory in one direction, so that the next one is beyond those before.
  struct page_list {
    std::vector<std::uint32_t> numbers;
    std::uint64_t begin = UINT64_MAX, end = 0; ///< of all that have been here, at least

    bool may_meet(const range& other) const { return begin < other.end() && other.begin < end; }
  };

  // The one before where an access may begin that reaches into it: compiled code asks for the page that an
  // access begins on.
  static std::uintptr_t first_page(std::uint64_t begin) {
    return (begin - std::min(begin, longest_access - 1)) >> page_bits;
  }

  std::uint32_t free_place() {
    if (free_.empty()) {
      held_.emplace_back();
      return static_cast<std::uint32_t>(held_.size() - 1);
    }
    const auto number = free_.back();
    free_.pop_back();
    return number;
  }

  // Those of the blocks, each once.
  template <class Act>
  static void for_pages(const range& memory, Act act) {
    const auto step = memory.has_gaps() ? memory.stride : memory.bytes;
    std::uint64_t next = 0;
    for (auto block = memory.begin; block < memory.end(); block += step) {
      for (next = std::max(next, first_page(block)); next <= (block + memory.block_bytes() - 1) >> page_bits;
           ++next)
        act(next);
    }
  }

  bool once_;
  std::set<key> known_;    ///< what is held, if it is to be there once
  std::vector<held> held_; ///< without bytes: the place is free
  std::vector<std::uint32_t> free_;
  std::unordered_map<std::uintptr_t, page_list> by_page_;
  std::size_t count_ = 0;
};

} // namespace windrow::overlap
