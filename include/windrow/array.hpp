// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <span>
#include <type_traits>
#include <vector>

#include "windrow/global_ptr.hpp"
#include "windrow/types.hpp"

namespace windrow {

class job;

/// Element i is on PE i / ceil(size / pes): neighbours stay together.
struct block_distribution {};
/// Element i is on PE i % pes: load is spread evenly.
struct cyclic_distribution {};

inline constexpr block_distribution block;
inline constexpr cyclic_distribution cyclic;

namespace detail {

/// Divides 63-bit numbers by a divisor fixed at run time with one multiplication and one shift
/// (Granlund and Montgomery, "Division by invariant integers using multiplication", PLDI 1994).
class divider {
 public:
  constexpr divider() = default;
  constexpr explicit divider(std::uint64_t divisor) : divisor_(divisor) {
    // With b = ceil(log2 divisor), ceil(2^(63 + b) / divisor) is below 2^64 and exact for every 63-bit
    // dividend.
    shift_ = divisor == 1 ? 0 : 64 - std::countl_zero(divisor - 1);
    factor_ = static_cast<std::uint64_t>(((static_cast<wide>(1) << (63 + shift_)) + divisor - 1) / divisor);
  }

  constexpr std::uint64_t divisor() const { return divisor_; }
  /// The quotient of n is the upper half of 2n times the factor, shifted to the right.
  constexpr std::uint64_t factor() const { return factor_; }
  constexpr int shift() const { return shift_; }
  constexpr std::uint64_t quotient(std::uint64_t n) const {
    return static_cast<std::uint64_t>((static_cast<wide>(2 * n) * factor_) >> 64) >> shift_;
  }

 private:
  __extension__ using wide = unsigned __int128;
  std::uint64_t divisor_ = 1;
  std::uint64_t factor_ = std::uint64_t{1} << 63;
  int shift_ = 0;
};

[[noreturn]] void index_out_of_range(std::uint64_t index, std::uint64_t size);
/// Of `call`: there are not as many values as indices.
[[noreturn]] void different_sizes(const char* call, std::size_t indices, std::size_t values);
/// Of `call`: the array was not made by a job.
[[noreturn]] void no_array(const char* call);

} // namespace detail

/// A distributed array: `size` elements of T spread over all PEs of the job, addressed by global index. Made
/// collectively by `job::array`; all PEs see the same array. A handle: copies refer to the same elements, and
/// the memory is released by `job::free` or with the job. Looking up an element costs a multiplication and a
/// bounds check and touches no memory. An index out of range ends the job with a sentence.
template <transferable T, class Distribution = block_distribution>
class array {
 public:
  using value_type = T;

  array() = default;
  /// For `job::array`: `storage` is this PE's part, at the same offset on every PE.
  array(std::uint64_t size, pe_t pes, global_ptr<T> storage, T* local, job* of = nullptr)
      : size_(size), divide_(parts(size, pes)), storage_(storage), local_(local), pes_(pes), job_(of) {}

  std::uint64_t size() const { return size_; }

  global_ref<T> operator[](std::uint64_t i) const {
    const auto at = locate(i);
    return global_ref<T>(global_ptr<T>(at.owner, storage_.offset() + at.index * sizeof(T)), true);
  }

  /// The PE that owns element i.
  pe_t owner(std::uint64_t i) const { return locate(i).owner; }
  /// Where element i is among its owner's: `global_index(owner(i), local_index(i)) == i`.
  std::uint64_t local_index(std::uint64_t i) const { return locate(i).index; }

  /// This PE's elements, contiguous. Element k of it has the global index `global_index(k)`.
  std::span<T> local() const { return {local_, static_cast<std::size_t>(local_size(storage_.owner()))}; }
  std::uint64_t global_index(std::uint64_t k) const { return global_index(storage_.owner(), k); }

  /// The global index of element k of the part of `owner`.
  std::uint64_t global_index(pe_t owner, std::uint64_t k) const {
    if constexpr (is_cyclic)
      return k * static_cast<std::uint64_t>(pes_) + static_cast<std::uint64_t>(owner);
    else
      return static_cast<std::uint64_t>(owner) * divide_.divisor() + k;
  }

  /// Elements that `owner` holds.
  std::uint64_t local_size(pe_t owner) const {
    const auto at = static_cast<std::uint64_t>(owner);
    const auto pes = static_cast<std::uint64_t>(pes_);
    if constexpr (is_cyclic) return size_ / pes + (at < size_ % pes ? 1 : 0);
    const auto begin = at * divide_.divisor();
    return begin >= size_ ? 0 : (size_ - begin < divide_.divisor() ? size_ - begin : divide_.divisor());
  }

  /// The most elements that any PE holds: what each PE's part has room for.
  static std::uint64_t capacity(std::uint64_t size, pe_t pes) {
    const auto n = static_cast<std::uint64_t>(pes);
    return size / n + (size % n != 0 ? 1 : 0);
  }

  /// This PE's part as a global pointer.
  global_ptr<T> storage() const { return storage_; }

  // Many elements by one call (array_operations.hpp). They travel in bulk, as on an aggregated context, and
  // the call returns when all of them have happened, and what this PE had begun before on other aggregated
  // contexts. Not collective; needs the owners to keep calling the library. In a task it completes that
  // task's own. Not in handlers and continuations, which cannot wait. `indices` is a range of integers, in
  // any order, in which an index may occur more than once.

  /// Adds `value` to each of these elements, atomically; as often as its index occurs.
  template <std::ranges::forward_range Indices>
    requires atomic_value<T>
  void add(const Indices& indices, T value) const;
  /// The elements, in the order of the indices.
  template <std::ranges::forward_range Indices>
  std::vector<T> gather(const Indices& indices) const;
  /// Gathers the elements into `out`, which has as many places as there are indices; else the job ends.
  template <std::ranges::forward_range Indices>
  void gather(const Indices& indices, std::span<T> out) const;
  /// Stores values[k] in element indices[k]. Of an index that occurs more than once, any one of its values
  /// stays. There are as many values as indices; else the job ends.
  template <std::ranges::forward_range Indices>
  void scatter(const Indices& indices, std::span<const T> values) const;

 private:
  static constexpr bool is_cyclic = std::is_same_v<Distribution, cyclic_distribution>;
  static_assert(is_cyclic || std::is_same_v<Distribution, block_distribution>);

  struct place {
    pe_t owner;
    std::uint64_t index;
  };

  static detail::divider parts(std::uint64_t size, pe_t pes) {
    if constexpr (is_cyclic) return detail::divider(static_cast<std::uint64_t>(pes));
    const auto each = capacity(size, pes);
    return detail::divider(each == 0 ? 1 : each);
  }

  place locate(std::uint64_t i) const {
    if (i >= size_) [[unlikely]]
      detail::index_out_of_range(i, size_);
    const auto quotient = divide_.quotient(i);
    const auto remainder = i - quotient * divide_.divisor();
    if constexpr (is_cyclic)
      return {static_cast<pe_t>(remainder), quotient};
    else
      return {static_cast<pe_t>(quotient), remainder};
  }

  std::uint64_t size_ = 0;
  detail::divider divide_; ///< by elements per PE (block) or by PEs (cyclic)
  global_ptr<T> storage_;
  T* local_ = nullptr;
  pe_t pes_ = 1;
  job* job_ = nullptr;
};

} // namespace windrow
