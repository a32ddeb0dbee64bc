// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <span>
#include <utility>

#include "windrow/detail/continuations.hpp"
#include "windrow/detail/inline.hpp"
#include "windrow/detail/lanes.hpp"
#include "windrow/detail/notes.hpp"
#include "windrow/global_ptr.hpp"
#include "windrow/job.hpp"
#include "windrow/one_sided.hpp"
#include "windrow/team.hpp"
#include "windrow/types.hpp"

namespace windrow {

/// How a context carries out its operations. The verbs, and the results after completion, are the same.
enum class style : std::uint8_t {
  blocking, ///< each operation is complete when the call returns
  /// Each operation is started at once, and complete at `complete_own` or `barrier`. Many are under way
  /// to other hosts at a time; where PEs share memory, the same as blocking.
  nonblocking,
  aggregated, ///< small operations travel in bulk and are complete at `complete_own` or `barrier`
};
inline constexpr style blocking = style::blocking;
inline constexpr style nonblocking = style::nonblocking;
inline constexpr style aggregate = style::aggregated;

template <aggregation::verb V, transferable T>
class fetch_handle;
template <transferable T>
class range_handle;

/// A set of one-sided operations that are completed together. On an aggregated context an operation is
/// appended to a block of equal operations for the target PE; the owner carries out whole blocks. That makes
/// scattered updates many times faster, and costs the certainty of when each one happens: some time between
/// the call and the return of `complete_own` or `barrier`, in any order (but deferred.hpp says which
/// operations that continuations follow keep theirs), atomically with respect to every other operation of any
/// PE, direct or aggregated. Results of fetching operations are written to `*out`, which must stay valid
/// until then and be read only after it. The extension is that of aggregation contexts for OpenSHMEM (Welch,
/// Hernandez, Poole and Poole, "Scalable Small Message Aggregation on Modern Interconnects", 2025).
///
/// Where PEs share memory, loads (`get`, `atomic_fetch`) are not sent to the owner but pipelined: with the
/// cache misses of 64 of them under way together they are faster than any message. While they go to little
/// memory again and again, which is in the caches then, they are carried out at once. So are copies of
/// ranges. Where they do not (or pretend not to: WINDROW_DIRECT_LOADS=0, WINDROW_DELAY), loads and ranges
/// travel as items like everything else. Values that are not of 1, 2, 4 or 8 bytes are always copied at once,
/// unless a fetching operation without a place for the result asks for them.
///
/// Memory is bounded: a PE that sends faster than others handle waits, and serves its own inbox meanwhile.
/// Every operation may do so, and blocks of others are handled inside any call of this class, of `stream` and
/// of the collectives, never elsewhere. All tasks of a PE may use its aggregated contexts at a time, on any
/// worker (task.hpp), but for `barrier` and for what defers code; other contexts, and other threads, may not.
/// Contexts may be used in handlers of streams, except for `complete_own`, `barrier` and `fence`. Misuse (no
/// such PE, outside symmetric memory, after `finalize`; of what is aggregated a misaligned place, too) ends
/// the job with a sentence.
class context {
 public:
  /// A context whose `barrier` spans all PEs of the job. Local and cheap: contexts share the engine's lanes.
  context(job& j, style s) : context(j, j.world(), s) {}
  /// A context whose `barrier` spans the members of `members`. Operations may still go to any PE of the job.
  context(job& j, const team& members, style s);

  style how() const { return style_; }

  /// Stores `value`.
  template <transferable T>
  WINDROW_INLINE void put(global_ref<T> at, std::type_identity_t<T> value) {
    if constexpr (fits_item<T>)
      issue<aggregation::verb::put>(
          at, none<T>, [&]() WINDROW_INLINE_LAMBDA { put_directly(at, value); }, carry(value));
    else
      put_directly(at, value);
  }
  /// Loads the value into `*out`.
  template <transferable T>
  WINDROW_INLINE void get(global_ref<T> at, T* out) {
    if constexpr (fits_item<T>)
      load(at, out, [&]() WINDROW_INLINE_LAMBDA { get_directly(at, out); });
    else
      get_directly(at, out);
  }
  /// Copies a range to consecutive elements of one PE.
  template <transferable T>
  void put(global_ptr<T> at, std::span<const std::type_identity_t<T>> values) {
    if (!sends_ranges<T>()) return detail::put_direct(*job_, at, values, puts_until());
    for (const auto& value : values) put(*at, value), at += 1;
  }
  /// Copies consecutive elements of one PE to `out`.
  template <transferable T>
  void get(global_ptr<T> at, std::span<std::type_identity_t<T>> out) {
    if (!sends_ranges<T>()) return detail::get_direct(*job_, at, out, gets_until());
    for (auto& value : out) get(*at, &value), at += 1;
  }
  /// Copies `count` elements, every `from_stride`-th of `values`, to every `to_stride`-th place from `at` on.
  template <transferable T>
  void put_strided(global_ptr<T> at, std::ptrdiff_t to_stride, const T* values, std::ptrdiff_t from_stride,
                   std::size_t count) {
    detail::put_strided_direct(*job_, at, to_stride, values, from_stride, count, puts_until());
  }
  /// Copies `count` elements, every `from_stride`-th from `at` on, to every `to_stride`-th place of `out`.
  template <transferable T>
  void get_strided(global_ptr<T> at, std::ptrdiff_t from_stride, T* out, std::ptrdiff_t to_stride,
                   std::size_t count) {
    detail::get_strided_direct(*job_, at, from_stride, out, to_stride, count, gets_until());
  }

  // Atomic updates without a result.

  template <atomic_value T>
  WINDROW_INLINE void atomic_set(global_ref<T> at, std::type_identity_t<T> value) {
    change<aggregation::verb::put>(at, none<T>, carry(value));
  }
  template <atomic_value T>
  WINDROW_INLINE void add(global_ref<T> at, std::type_identity_t<T> value) {
    if (atomic_integer<T> && __builtin_constant_p(value) && value == T{1}) return inc(at);
    change<aggregation::verb::add>(at, none<T>, carry(value));
  }
  template <atomic_value T>
  WINDROW_INLINE void inc(global_ref<T> at) {
    change<aggregation::verb::inc>(at, none<T>);
  }
  template <atomic_integer T>
  WINDROW_INLINE void bit_and(global_ref<T> at, std::type_identity_t<T> value) {
    change<aggregation::verb::bit_and>(at, none<T>, carry(value));
  }
  template <atomic_integer T>
  WINDROW_INLINE void bit_or(global_ref<T> at, std::type_identity_t<T> value) {
    change<aggregation::verb::bit_or>(at, none<T>, carry(value));
  }
  template <atomic_integer T>
  WINDROW_INLINE void bit_xor(global_ref<T> at, std::type_identity_t<T> value) {
    change<aggregation::verb::bit_xor>(at, none<T>, carry(value));
  }
  /// Stores `value` if it is less than what is there.
  template <atomic_value T>
  WINDROW_INLINE void min(global_ref<T> at, std::type_identity_t<T> value) {
    change<aggregation::min_of<T>>(at, none<T>, carry(value));
  }
  /// Stores `value` if it is greater than what is there.
  template <atomic_value T>
  WINDROW_INLINE void max(global_ref<T> at, std::type_identity_t<T> value) {
    change<aggregation::max_of<T>>(at, none<T>, carry(value));
  }

  // Atomic operations that leave the value before them in `*out`.

  template <atomic_value T>
  WINDROW_INLINE void atomic_fetch(global_ref<T> at, T* out) {
    load(at, out, [&]() WINDROW_INLINE_LAMBDA { change_directly<aggregation::verb::fetch>(at, out); });
  }
  template <atomic_value T>
  WINDROW_INLINE void fetch_add(global_ref<T> at, std::type_identity_t<T> value, T* out) {
    change<aggregation::verb::fetch_add>(at, out, carry(value));
  }
  template <atomic_value T>
  WINDROW_INLINE void fetch_inc(global_ref<T> at, T* out) {
    change<aggregation::verb::fetch_inc>(at, out);
  }
  template <atomic_integer T>
  WINDROW_INLINE void fetch_and(global_ref<T> at, std::type_identity_t<T> value, T* out) {
    change<aggregation::verb::fetch_and>(at, out, carry(value));
  }
  template <atomic_integer T>
  WINDROW_INLINE void fetch_or(global_ref<T> at, std::type_identity_t<T> value, T* out) {
    change<aggregation::verb::fetch_or>(at, out, carry(value));
  }
  template <atomic_integer T>
  WINDROW_INLINE void fetch_xor(global_ref<T> at, std::type_identity_t<T> value, T* out) {
    change<aggregation::verb::fetch_xor>(at, out, carry(value));
  }
  template <atomic_value T>
  WINDROW_INLINE void fetch_min(global_ref<T> at, std::type_identity_t<T> value, T* out) {
    change<aggregation::fetch_min_of<T>>(at, out, carry(value));
  }
  template <atomic_value T>
  WINDROW_INLINE void fetch_max(global_ref<T> at, std::type_identity_t<T> value, T* out) {
    change<aggregation::fetch_max_of<T>>(at, out, carry(value));
  }
  template <atomic_value T>
  WINDROW_INLINE void swap(global_ref<T> at, std::type_identity_t<T> value, T* out) {
    change<aggregation::verb::swap>(at, out, carry(value));
  }
  /// Stores `desired` if the value is `expected`, bit for bit.
  template <atomic_value T>
  WINDROW_INLINE void compare_swap(global_ref<T> at, std::type_identity_t<T> expected,
                                   std::type_identity_t<T> desired, T* out) {
    change<aggregation::verb::compare_swap>(at, out, carry(expected), carry(desired));
  }

  // Fetching operations without a place for the result: what is returned says what to do with the value.
  //
  //   ctx.fetch_add(next[column], 1).then([=, &ctx](std::uint64_t place) { ctx.put(rows[place], row); });
  //
  // Nothing happens before `then`, `then_at_owner`, `when_all` or `co_await` is called on it. deferred.hpp
  // has all about these.

  template <transferable T>
  fetch_handle<aggregation::verb::fetch, T> get(global_ref<T> at) {
    return {*this, at};
  }
  /// `count` elements of one PE's memory, one behind the other, as a std::span<const T>. Each is read whole
  /// (if it is of 1, 2, 4 or 8 bytes), at some time before the continuation runs, not all at one time.
  template <transferable T>
  range_handle<T> get(global_ptr<T> at, std::size_t count) {
    return {*this, at, count};
  }
  template <atomic_value T>
  fetch_handle<aggregation::verb::fetch, T> atomic_fetch(global_ref<T> at) {
    return {*this, at};
  }
  template <atomic_value T>
  fetch_handle<aggregation::verb::fetch_add, T> fetch_add(global_ref<T> at, std::type_identity_t<T> value) {
    return {*this, at, value};
  }
  template <atomic_value T>
  fetch_handle<aggregation::verb::fetch_inc, T> fetch_inc(global_ref<T> at) {
    return {*this, at};
  }
  template <atomic_integer T>
  fetch_handle<aggregation::verb::fetch_and, T> fetch_and(global_ref<T> at, std::type_identity_t<T> value) {
    return {*this, at, value};
  }
  template <atomic_integer T>
  fetch_handle<aggregation::verb::fetch_or, T> fetch_or(global_ref<T> at, std::type_identity_t<T> value) {
    return {*this, at, value};
  }
  template <atomic_integer T>
  fetch_handle<aggregation::verb::fetch_xor, T> fetch_xor(global_ref<T> at, std::type_identity_t<T> value) {
    return {*this, at, value};
  }
  template <atomic_value T>
  fetch_handle<aggregation::fetch_min_of<T>, T> fetch_min(global_ref<T> at, std::type_identity_t<T> value) {
    return {*this, at, value};
  }
  template <atomic_value T>
  fetch_handle<aggregation::fetch_max_of<T>, T> fetch_max(global_ref<T> at, std::type_identity_t<T> value) {
    return {*this, at, value};
  }
  template <atomic_value T>
  fetch_handle<aggregation::verb::swap, T> swap(global_ref<T> at, std::type_identity_t<T> value) {
    return {*this, at, value};
  }
  template <atomic_value T>
  fetch_handle<aggregation::verb::compare_swap, T> compare_swap(global_ref<T> at,
                                                                std::type_identity_t<T> expected,
                                                                std::type_identity_t<T> desired) {
    return {*this, at, expected, desired};
  }

  /// Collective over the context's team: returns when every operation issued by any member (and what their
  /// handlers issued in turn) has happened at its target, this PE's results are there, and all tasks have
  /// ended (task.hpp). What handlers of PEs outside the team issue in turn may happen later. The context
  /// stays usable. (For operations alone this is `shmem_barrier` on the context.)
  void barrier();
  /// Not collective: returns when this PE's operations have happened and their results are there. In a task
  /// that was not given to the communication worker: those of that task. Needs the targets to keep calling
  /// the library. (What OpenSHMEM calls `shmem_ctx_quiet`.)
  void complete_own();
  /// Does not compile: `quiet` is local in OpenSHMEM, and was collective here.
  template <class Deleted = void>
  auto quiet() {
    static_assert(
        !std::same_as<Deleted, void>,
        "context::quiet() is now barrier(), which is collective and completes the operations of all "
        "PEs; this PE's own are completed by complete_own(), as by shmem_ctx_quiet");
  }
  /// This PE's operations before it happen before those after it; in a task, that task's.
  void fence() { complete_own(); }

 private:
  template <aggregation::verb V, transferable T>
  friend class fetch_handle;
  template <transferable T>
  friend class range_handle;

  /// `complete_own` of code that may wait: no handler, no continuation.
  void complete_if_allowed();

  template <class T>
  static constexpr bool fits_item =
      sizeof(T) <= 8 && std::has_single_bit(sizeof(T)) && alignof(T) == sizeof(T);
  /// Whether ranges travel as items, element by element.
  template <class T>
  bool sends_ranges() const {
    return fits_item<T> && style_ == aggregate && loads_from_ == nullptr;
  }
  template <class T>
  static constexpr aggregation::carrier<T>* none = nullptr;

  /// Where the calling thread stores what is sent.
  static aggregation::lanes& lanes() { return *aggregation::lanes_of_thread; }

  template <class T>
  static aggregation::carrier<T> carry(const T& value) {
    return std::bit_cast<aggregation::carrier<T>>(value);
  }
  template <aggregation::verb V, class T, class Out, class... Operands>
  WINDROW_INLINE void change(global_ref<T> at, Out* out, Operands... operands) {
    issue<V>(at, out, [&]() WINDROW_INLINE_LAMBDA { change_directly<V>(at, out, operands...); }, operands...);
  }
  template <aggregation::verb V, class T, class Out, class Direct, class... Operands>
  WINDROW_INLINE void issue(global_ref<T> at, Out* out, Direct direct, Operands... operands) {
    if (sending_) [[likely]]
      append<V>(lanes(), at, out, operands...);
    else if (changing_ != nullptr) [[likely]]
      change_own<V>(at, out, operands...);
    else
      direct();
  }
  template <aggregation::verb V, class T, class Out, class... Operands>
  WINDROW_INLINE void append(aggregation::lanes& to, global_ref<T> at, Out* out, Operands... operands) {
    append_note<V>(to, at, reinterpret_cast<aggregation::carrier<T>*>(out), operands...);
  }
  template <aggregation::verb V, class T, class... Operands>
  WINDROW_INLINE void append_note(aggregation::lanes& to, global_ref<T> at, aggregation::carrier<T>* note,
                                  Operands... operands) {
    using carrier = aggregation::carrier<T>;
    if (at.checked())
      to.append_checked<V, carrier>(at.owner(), at.offset(), note, operands...);
    else
      to.append<V, carrier>(at.owner(), at.offset(), note, operands...);
  }
  template <aggregation::verb V, class T, class Out, class... Operands>
  WINDROW_INLINE void change_own(global_ref<T> at, Out* out, Operands... operands) {
    if (!try_change_own<V>(at, out, operands...)) [[unlikely]]
      append<V>(*changing_, at, out, operands...);
  }
  template <aggregation::verb V, class T, class Out, class... Operands>
  WINDROW_INLINE bool try_change_own(global_ref<T> at, Out* out, Operands... operands) {
    auto* reply = reinterpret_cast<aggregation::carrier<T>*>(out);
    if (at.checked()) return changing_->template change_own_checked<V>(at.offset(), reply, operands...);
    return at.owner() == 0 && changing_->template change_own<V>(at.offset(), reply, operands...);
  }
  template <class T, class Direct>
  WINDROW_INLINE void load(global_ref<T> at, T* out, Direct direct) {
    if (style_ != aggregate) [[unlikely]]
      direct();
    else if (loads_from_ != nullptr)
      lanes().loads().add(detail::loadable_place(*loads_from_, at, "get"), out);
    else
      append<aggregation::verb::fetch>(lanes(), at, out);
  }

  // Without aggregation.

  detail::until puts_until() const {
    return style_ == nonblocking ? detail::until::copied : detail::until::complete;
  }
  detail::until gets_until() const {
    return style_ == nonblocking ? detail::until::begun : detail::until::complete;
  }
  template <class T>
  WINDROW_INLINE void put_directly(global_ref<T> at, const T& value) {
    detail::put_direct(*job_, at, value, puts_until());
  }
  template <class T>
  WINDROW_INLINE void get_directly(global_ref<T> at, T* out) {
    detail::get_direct(*job_, at, out, gets_until());
  }
  template <aggregation::verb V, class T, class Out, class... Operands>
  WINDROW_INLINE void change_directly(global_ref<T> at, Out* out, Operands... operands) {
    if constexpr (V == aggregation::verb::fetch) {
      detail::fetch_direct(*job_, at, out, gets_until());
    } else if (style_ == nonblocking) {
      detail::begin_change<V>(*job_, at, reinterpret_cast<T*>(out), std::bit_cast<T>(operands)...);
    } else {
      const T before = detail::change<V>(*job_, at, std::bit_cast<T>(operands)...);
      if (out != nullptr) *out = std::bit_cast<Out>(before);
    }
  }

  job* job_;
  bool sending_;                         ///< updates are sent to their owners
  aggregation::lanes* changing_;         ///< null unless they are carried out at once, by a PE alone
  const detail::memory_map* loads_from_; ///< null unless loads are not sent but carried out here
  team members_;
  style style_;
  std::uint32_t number_; ///< for diagnosis
};

} // namespace windrow

#include "windrow/array_operations.hpp"
#include "windrow/detail/fetch_handle.hpp"
#include "windrow/detail/range_handle.hpp"
