// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <ranges>
#include <span>
#include <type_traits>
#include <vector>

#include "windrow/ragged_array.hpp"
#include "windrow/types.hpp"

namespace windrow {

namespace pgas {
class team_state;
}

/// An ordered set of PEs with barriers and collectives of its own. `job::world()` is all PEs; `split_strided`
/// makes smaller ones. A cheap handle; the last copy on each PE releases the team there, before the job ends.
///
/// Every member calls every collective of a team, in the same order, with matching arguments. With
/// WINDROW_DEBUG=1 (and in debug builds) a mismatch ends the job with a sentence that says who called what;
/// without it the result of a mismatch is undefined, but a PE that waits for one that has left the job is
/// always diagnosed. Collectives serve aggregated traffic while they wait. They do not complete this PE's
/// outstanding operations (`complete_own` does), but direct operations are complete when they return. One
/// thread of a PE at a time may use its teams.
class team {
 public:
  /// No team: what PEs outside a new team get from `split_strided`.
  team() = default;

  explicit operator bool() const { return state_ != nullptr; }
  pe_t pe() const;  ///< this PE's number in the team
  pe_t pes() const; ///< members

  /// The number in `other` of this team's member `pe`, or -1 if it is no member there.
  pe_t translate(pe_t pe, const team& other) const;

  /// Members start, start + stride, … (`size` of them, numbered as in this team) form a new team. Collective
  /// over this team; the others get an empty handle. At most 64 teams, counting the world, can include the
  /// same PE at a time (a team counts until its last member has released it): one more throws windrow::error
  /// on all members.
  team split_strided(pe_t start, pe_t stride, pe_t size) const;

  /// Returns when every member has entered. What members wrote directly to symmetric memory before it is
  /// visible after it.
  void barrier() const;
  /// The two halves of a barrier: `barrier_wait` returns when every member has called `barrier_notify`. No
  /// other collective of this team may come between the two; anything else may.
  void barrier_notify() const;
  void barrier_wait() const;

  /// Copies `data` of `root` to `data` of all. Equal sizes everywhere. Returns when this member has the data:
  /// the root may be gone before the others have come.
  template <transferable T>
  void broadcast(std::span<T> data, pe_t root) const {
    broadcast_bytes(std::as_writable_bytes(data), root);
  }
  template <transferable T>
  [[nodiscard("this is the value of the root; a std::span is filled in its place")]] T broadcast(
      T value, pe_t root) const {
    broadcast(std::span<T>(&value, 1), root);
    return value;
  }

  /// Element by element over all members, in order of PE number, the result on every member (so
  /// floating-point results are the same everywhere and in every run). `in` and `out` have equal sizes; they
  /// may be the same memory. `op` is the same on all members, since of many elements each combines a share.
  /// What it throws, here or in a scan, comes out on the members where it does.
  template <transferable T, class Op>
  void reduce(std::span<const std::type_identity_t<T>> in, std::span<T> out, Op op) const {
    combine(std::as_bytes(in), std::as_writable_bytes(out), sizeof(T), fold<T, Op>, &op, span_of::all);
  }
  template <transferable T, class Op>
  T reduce(T value, Op op) const {
    T result = value;
    reduce(std::span<const T>(&value, 1), std::span<T>(&result, 1), op);
    return result;
  }
  template <transferable T>
  T sum(T value) const {
    return reduce(value, std::plus<T>{});
  }
  template <transferable T>
  T max(T value) const {
    return reduce(value, [](T a, T b) { return a < b ? b : a; });
  }
  template <transferable T>
  T min(T value) const {
    return reduce(value, [](T a, T b) { return b < a ? b : a; });
  }

  /// The reduction over members 0 … this one (inclusive), or 0 … the one before (exclusive; `identity` on
  /// member 0).
  template <transferable T, class Op>
  T scan(T value, Op op) const {
    T result = value;
    combine(std::as_bytes(std::span<const T>(&value, 1)), std::as_writable_bytes(std::span<T>(&result, 1)),
            sizeof(T), fold<T, Op>, &op, span_of::up_to_me);
    return result;
  }
  template <transferable T, class Op>
  T exclusive_scan(T value, T identity, Op op) const {
    T result = identity;
    combine(std::as_bytes(std::span<const T>(&value, 1)), std::as_writable_bytes(std::span<T>(&result, 1)),
            sizeof(T), fold<T, Op>, &op, span_of::before_me);
    return result;
  }

  /// `out` gets every member's `in`, in order of PE number; out.size() == in.size() * pes(). Equal sizes
  /// everywhere.
  template <transferable T>
  void allgather(std::span<const std::type_identity_t<T>> in, std::span<T> out) const {
    allgather_bytes(std::as_bytes(in), std::as_writable_bytes(out));
  }
  template <transferable T>
  std::vector<T> allgather(T value) const {
    const auto members = static_cast<std::size_t>(pes());
    if constexpr (std::same_as<T, bool>) { // those of a std::vector are bits
      const auto all = std::make_unique<bool[]>(members);
      allgather(std::span<const bool>(&value, 1), std::span(all.get(), members));
      return std::vector<T>(all.get(), all.get() + members);
    } else {
      std::vector<T> all(members, value);
      allgather(std::span<const T>(&value, 1), std::span<T>(all));
      return all;
    }
  }

  /// Part p of `in` goes to member p, where it becomes part `this PE` of `out`. Both consist of pes() equal
  /// parts and must not overlap.
  template <transferable T>
  void alltoall(std::span<const std::type_identity_t<T>> in, std::span<T> out) const {
    alltoall_bytes(std::as_bytes(in), std::as_writable_bytes(out));
  }

  /// The parts of all members, in order of PE number, each of its own size: part p is what member p calls
  /// `mine`. An exception for want of memory comes out on the members where it does, which must not go on.
  template <std::ranges::contiguous_range Range, class T = std::ranges::range_value_t<Range>>
  ragged_array<T> allgatherv(const Range& mine) const {
    ragged_array<T> all(allgather(static_cast<std::size_t>(std::ranges::size(mine))));
    allgatherv_bytes(std::as_bytes(std::span<const T>(mine)), std::as_writable_bytes(all.elements()),
                     all.begins(), sizeof(T));
    return all;
  }
  /// Part p of `in`, which has pes() parts of any sizes, goes to member p, where it becomes part `this PE` of
  /// the result. Takes as many rounds as the largest part of all needs: for few parts among many members, or
  /// one that is much larger than the others, a `mailbox<std::span<const T>>` is the better way. An exception
  /// for want of memory is as in allgatherv.
  template <transferable T>
  ragged_array<T> alltoallv(const ragged_array<T>& in) const {
    ragged_array<T> out(counts_for_me(in.begins()));
    alltoallv_bytes(std::as_bytes(in.elements()), in.begins(), std::as_writable_bytes(out.elements()),
                    out.begins(), sizeof(T));
    return out;
  }

  /// For the rooms of the library.
  explicit team(std::shared_ptr<pgas::team_state> state) : state_(std::move(state)) {}
  pgas::team_state& state() const { return *state_; }
  /// Ends the job, naming `call`, on a PE that is no member.
  pgas::team_state& member(const char* call) const;

 private:
  enum class span_of { all, up_to_me, before_me };
  static constexpr std::size_t largest_element = 32 * 1024; ///< of a reduction or scan, in bytes
  using fold_function = void (*)(std::byte* into, const std::byte* from, std::size_t count, void* op);

  template <class T, class Op>
  static void fold(std::byte* into, const std::byte* from, std::size_t count, void* op) {
    static_assert(sizeof(T) <= largest_element, "elements of a reduction or scan have at most 32 KiB");
    auto* a = reinterpret_cast<T*>(into);
    const auto* b = reinterpret_cast<const T*>(from);
    for (std::size_t i = 0; i < count; ++i) a[i] = (*static_cast<Op*>(op))(a[i], b[i]);
  }

  void broadcast_bytes(std::span<std::byte> data, pe_t root) const;
  void combine(std::span<const std::byte> in, std::span<std::byte> out, std::size_t element, fold_function,
               void* op, span_of) const;
  void allgather_bytes(std::span<const std::byte> in, std::span<std::byte> out) const;
  void alltoall_bytes(std::span<const std::byte> in, std::span<std::byte> out) const;
  // Where parts begin is counted in elements of that many bytes, as in a ragged_array.
  void allgatherv_bytes(std::span<const std::byte> in, std::span<std::byte> out,
                        std::span<const std::size_t> begins, std::size_t element) const;
  std::vector<std::size_t> counts_for_me(std::span<const std::size_t> begins) const;
  void alltoallv_bytes(std::span<const std::byte> in, std::span<const std::size_t> in_begins,
                       std::span<std::byte> out, std::span<const std::size_t> out_begins,
                       std::size_t element) const;

  std::shared_ptr<pgas::team_state> state_;
};

} // namespace windrow
