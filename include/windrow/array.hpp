// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <ranges>
#include <span>
#include <vector>

#include "windrow/distribution.hpp"
#include "windrow/global_ptr.hpp"
#include "windrow/types.hpp"

namespace windrow {

class job;

namespace detail {

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
  using layout = typename Distribution::layout;

  array() = default;
  /// For `job::array`: `storage` is this PE's part, at the same offset on every PE.
  array(std::uint64_t size, pe_t pes, global_ptr<T> storage, T* local, job* of = nullptr)
      : layout_(size, pes), storage_(storage), local_(local), job_(of) {}

  std::uint64_t size() const { return layout_.size(); }

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
  std::uint64_t global_index(pe_t owner, std::uint64_t k) const { return layout_.global_index(owner, k); }
  /// Elements that `owner` holds.
  std::uint64_t local_size(pe_t owner) const { return layout_.local_size(owner); }
  /// The most elements that any PE holds: what each PE's part has room for.
  static std::uint64_t capacity(std::uint64_t size, pe_t pes) { return layout::capacity(size, pes); }

  /// This PE's part as a global pointer.
  global_ptr<T> storage() const { return storage_; }
  /// Where elements are, by arithmetic alone.
  const layout& places() const { return layout_; }

  // Many elements by one call (array_operations.hpp). They travel in bulk, as on an aggregated context, and
  // the call returns when all of them have happened, and what this PE had begun before on other aggregated
  // contexts. Not collective; needs the owners to keep calling the library. In a task it completes that
  // task's own. Not in handlers and continuations, which cannot wait. `indices` is a range of integers, in
  // any order, in which an index may occur more than once.

  /// Adds `value` to each of these elements, atomically; as often as its index occurs.
  template <std::ranges::forward_range Indices>
    requires atomic_value<T>
  void add(Indices&& indices, T value) const;
  /// The elements, in the order of the indices.
  template <std::ranges::forward_range Indices>
  std::vector<T> gather(Indices&& indices) const;
  /// Gathers the elements into `out`, which has as many places as there are indices; else the job ends.
  template <std::ranges::forward_range Indices>
  void gather(Indices&& indices, std::span<T> out) const;
  /// Stores values[k] in element indices[k]. Of an index that occurs more than once, any one of its values
  /// stays. There are as many values as indices; else the job ends. Values of more than 224 bytes are stored
  /// one after the other.
  template <std::ranges::forward_range Indices>
  void scatter(Indices&& indices, std::span<const T> values) const;

 private:
  detail::element_place locate(std::uint64_t i) const {
    if (i >= size()) [[unlikely]]
      detail::index_out_of_range(i, size());
    return layout_.place(i);
  }

  layout layout_;
  global_ptr<T> storage_;
  T* local_ = nullptr;
  job* job_ = nullptr;
};

} // namespace windrow
