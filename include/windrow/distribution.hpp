// SPDX-License-Identifier: BSD-3-Clause
// How the elements of a distributed array are dealt to PEs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "windrow/detail/divider.hpp"
#include "windrow/types.hpp"

namespace windrow {

namespace detail {

/// Where an element is: on which PE, and which of that PE's elements it is.
struct element_place {
  pe_t owner;
  std::uint64_t index;
};

constexpr std::uint64_t quotient_up(std::uint64_t a, std::uint64_t b) {
  return a / b + (a % b != 0 ? 1 : 0);
}

/// One block for each PE, of equal sizes but for the last ones.
class block_layout {
 public:
  block_layout() = default;
  block_layout(std::uint64_t size, pe_t pes)
      : size_(size), divide_(std::max<std::uint64_t>(1, capacity(size, pes))) {}

  static std::uint64_t capacity(std::uint64_t size, pe_t pes) {
    return quotient_up(size, static_cast<std::uint64_t>(pes));
  }
  element_place place(std::uint64_t i) const {
    const auto owner = divide_.quotient(i);
    return {static_cast<pe_t>(owner), i - owner * divide_.divisor()};
  }
  std::uint64_t global_index(pe_t owner, std::uint64_t k) const {
    return static_cast<std::uint64_t>(owner) * divide_.divisor() + k;
  }
  std::uint64_t local_size(pe_t owner) const {
    const auto begin = global_index(owner, 0);
    return begin >= size_ ? 0 : std::min(size_ - begin, divide_.divisor());
  }
  /// Elements of a block.
  std::uint64_t block() const { return divide_.divisor(); }
  std::uint64_t size() const { return size_; }

 private:
  std::uint64_t size_ = 0;
  divider divide_;
};

/// Blocks of `Block` elements, dealt to the PEs in turn.
template <std::uint64_t Block>
class block_cyclic_layout {
  static_assert(Block > 0, "a block has at least one element");

 public:
  block_cyclic_layout() = default;
  block_cyclic_layout(std::uint64_t size, pe_t pes) : size_(size), divide_(static_cast<std::uint64_t>(pes)) {}

  /// More than can be counted is more than there is.
  static std::uint64_t capacity(std::uint64_t size, pe_t pes) {
    constexpr auto most = std::numeric_limits<std::uint64_t>::max();
    const auto blocks = quotient_up(quotient_up(size, Block), static_cast<std::uint64_t>(pes));
    return blocks <= most / Block ? blocks * Block : most;
  }
  element_place place(std::uint64_t i) const {
    const auto number = i / Block, turn = divide_.quotient(number);
    return {static_cast<pe_t>(number - turn * divide_.divisor()), turn * Block + i % Block};
  }
  std::uint64_t global_index(pe_t owner, std::uint64_t k) const {
    return (k / Block * divide_.divisor() + static_cast<std::uint64_t>(owner)) * Block + k % Block;
  }
  std::uint64_t local_size(pe_t owner) const {
    const auto whole = size_ / Block, at = static_cast<std::uint64_t>(owner);
    const auto turns = divide_.quotient(whole), next = whole - turns * divide_.divisor();
    return turns * Block + (at < next ? Block : at == next ? size_ % Block : 0);
  }
  std::uint64_t block() const { return Block; }
  pe_t pes() const { return static_cast<pe_t>(divide_.divisor()); }
  std::uint64_t size() const { return size_; }

 private:
  std::uint64_t size_ = 0;
  divider divide_; ///< by PEs
};

} // namespace detail

/// Element i is on PE i / ceil(size / pes): neighbours stay together.
struct block_distribution {
  using layout = detail::block_layout;
};
/// Blocks of `Block` elements are dealt to the PEs in turn: element i is on PE (i / Block) % pes.
template <std::uint64_t Block>
struct block_cyclic_distribution {
  using layout = detail::block_cyclic_layout<Block>;
};
/// Element i is on PE i % pes: load is spread evenly.
struct cyclic_distribution {
  using layout = detail::block_cyclic_layout<1>;
};

inline constexpr block_distribution block;
inline constexpr cyclic_distribution cyclic;
template <std::uint64_t Block>
inline constexpr block_cyclic_distribution<Block> block_cyclic;

} // namespace windrow
