// SPDX-License-Identifier: BSD-3-Clause
// The inlined part of deferral: closures that wait for the value of a fetching operation.
// src/deferral/README.md has the protocol.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include "windrow/detail/inline.hpp"
#include "windrow/detail/load_window.hpp"
#include "windrow/detail/memory_map.hpp"
#include "windrow/detail/range_fetch.hpp"
#include "windrow/detail/round_up.hpp"
#include "windrow/detail/stretch.hpp"
#include "windrow/detail/uninitialized.hpp"
#include "windrow/types.hpp"

namespace windrow::deferral {

/// What is done with the closures of a queue.
enum class fate : std::uint8_t {
  run,         ///< on the value that is there
  run_loading, ///< on the value to load from the address that is there
  drop,
};

/// How far a step through a queue has come.
struct progress {
  std::byte* at;
  std::uint32_t count;  ///< closures that it has dealt with
  std::uint64_t loaded; ///< bytes of values that it has loaded
};

/// Deals with the closures of one type that lie one behind the other between `at` and `end`, at most `most`
/// of them, at least one.
using step_function = progress (*)(std::byte* at, std::byte* end, std::uint32_t most, fate);

inline constexpr std::size_t closure_alignment = 16;
/// Larger closures are kept outside the queue.
inline constexpr std::size_t largest_closure = 512;
template <class F>
inline constexpr bool fits_queue = sizeof(F) <= largest_closure && alignof(F) <= closure_alignment;

/// Where the value of a queued closure comes from.
enum class source : bool {
  message,         ///< stored with the closure
  load_or_message, ///< stored with it, or an address in loadable memory; of 1, 2, 4 or 8 bytes
};

template <class T, source S, class F>
struct queued_closure {
  using value_type = T;

  /// The value comes later: into `slot`, or the address to load it from.
  template <class From>
  queued_closure(std::in_place_t, From&& from) : f(std::forward<From>(from)) {}

  T value(fate what) const {
    if constexpr (std::default_initializable<T>) {
      T there;
      read(what, &there);
      return there;
    } else {
      detail::uninitialized<T> there;
      read(what, &there.value);
      return there.value;
    }
  }
  WINDROW_INLINE void read(fate what, T* there) const {
    if constexpr (S == source::load_or_message) {
      const void* from = slot.data();
      if (what == fate::run_loading) std::memcpy(&from, slot.data(), sizeof from);
      // One load instruction, so that a value which is changed meanwhile is read whole.
      __atomic_load(static_cast<const T*>(from), there, __ATOMIC_RELAXED);
    } else {
      std::memcpy(static_cast<void*>(there), slot.data(), sizeof(T));
    }
  }

  void run(fate what) { f(value(what)); }
  /// Bytes that `count` of them load from loadable memory.
  static constexpr std::uint64_t loaded(std::uint32_t count) { return count * sizeof(T); }

  using kept = std::conditional_t<S == source::load_or_message, const T*, T>; ///< the larger of both
  alignas(kept) std::array<std::byte, sizeof(kept)> slot;
  F f;
};

// The closure is inlined into the loop: nobody else calls it.
template <class Closure>
progress step(std::byte* at, std::byte* end, std::uint32_t most, fate what) noexcept {
  const auto there = static_cast<std::size_t>(end - at) / sizeof(Closure);
  const auto count = std::min(most, static_cast<std::uint32_t>(there));
  end = at + count * sizeof(Closure);
  const auto next = [&at]() -> Closure& {
    return *std::launder(reinterpret_cast<Closure*>(std::exchange(at, at + sizeof(Closure))));
  };
  if (what == fate::drop) [[unlikely]] {
    while (at != end) next().~Closure();
    return {at, count, 0};
  }
  std::uint64_t loaded = 0;
  do {
    auto& closure = next();
    if constexpr (requires { closure.bytes(); }) loaded += closure.bytes();
    closure.run(what);
    closure.~Closure();
  } while (at != end);
  if constexpr (requires { Closure::loaded(count); })
    if (what == fate::run_loading) loaded = Closure::loaded(count);
  return {at, count, loaded};
}

/// In front of closures of one type that lie one behind the other: those of one call site mostly follow one
/// another.
struct alignas(closure_alignment) closure_batch {
  step_function step;
  std::byte* end; ///< null while the batch may grow: then it ends where its queue does
};

/// Closures in the order in which they were queued, in chunks of memory that are used again. Closed: all
/// null.
struct alignas(64) closure_queue {
  /// Of items that ask for the values of the newest closures. Its slot is where the next closure goes.
  aggregation::stretch asked;
  std::byte* limit = nullptr;      ///< up to here there is room for closures of the newest batch
  step_function step = nullptr;    ///< of the newest batch
  closure_batch* newest = nullptr; ///< the tail is in it
  closure_batch* oldest = nullptr; ///< the head is in it
  std::byte* head = nullptr;       ///< the oldest closure

  std::byte*& tail() { return asked.slot; }
  std::byte* tail() const { return asked.slot; }
  bool empty() const { return head == nullptr; }
};

/// A closure that waits for several values is a *record*: a body and its payload, with a count of what is
/// pending this many bytes before the payload. Adding to the count is for who issues an operation.
inline constexpr std::size_t pending_before_payload = 4;
inline std::uint32_t* pending_of(void* payload) {
  return reinterpret_cast<std::uint32_t*>(static_cast<std::byte*>(payload) - pending_before_payload);
}
/// The payload of a record that C++ code opens begins with one: destroys what is in it.
using drop_function = void (*)(void* payload);

/// Elements of `width` bytes in loadable memory that go to a slot of a record, one less of whose values is
/// then pending.
struct counted_load {
  const void* from = nullptr;
  void* slot = nullptr;
  std::uint32_t* pending = nullptr; ///< null: none
  std::size_t bytes = 0;
  std::uint32_t width = 0;

  void prefetch() const { aggregation::prefetch_range(from, bytes); }
  void finish() const {
    if (pending != nullptr) carry_out();
  }

 private:
  void carry_out() const;
};

/// Sees to what inlined code does not: memory, its bound, and when closures run. The scheduler.
class closure_support {
 public:
  /// Room for closures of that step and size at the tail of the queue. Runs nothing.
  virtual void make_room(closure_queue&, step_function, std::size_t bytes) = 0;
  /// Room for such closures among those that load their values; may run some first.
  virtual void make_room_in_window(step_function, std::size_t bytes) = 0;
  /// Runs what waits for no message.
  virtual void run_local() = 0;
  /// Waits until less is deferred.
  virtual void help() = 0;
  /// Waits for an answer to what is under way, and runs what can go on. False if there is none, or if nothing
  /// may run or wait here.
  virtual bool help_once() = 0;

  // Memory for values of any number, which counts like other deferred work. Aligned as closures are.

  virtual std::byte* take_values(std::size_t bytes) = 0;
  virtual void give_values(std::byte* values, std::size_t bytes) = 0;

  // Records of level 0; the body destroys what is in the payload.

  virtual std::byte* open_joined(void (*body)(void* payload), std::size_t bytes) = 0;
  virtual void commit_joined(void* payload) = 0;

 protected:
  ~closure_support() = default;
};

/// The closures of this PE that wait, and the decision whether one runs now. `Closure` is a `queued_closure`.
class continuations {
 public:
  constexpr continuations(closure_support& support, detail::memory_map& map, closure_queue* answers)
      : support_(support), map_(map), answers_(answers) {}
  continuations(const continuations&) = delete;
  continuations& operator=(const continuations&) = delete;

  closure_support& support() { return support_; }
  /// What waits for the answers of each PE.
  closure_queue* answers() { return answers_; }
  /// Loads for records.
  aggregation::load_window<counted_load>& loads() { return loads_; }
  /// Whether there is room at the tail for another closure of that type.
  template <class Closure>
  WINDROW_INLINE static bool has_room(const closure_queue& q) {
    return q.step == static_cast<step_function>(&step<Closure>) && q.tail() != q.limit;
  }
  /// Makes room. Runs nothing.
  template <class Closure>
  void require_room(closure_queue& q) {
    if (!has_room<Closure>(q)) support_.make_room(q, step<Closure>, sizeof(Closure));
  }
  /// Queues a closure where there is room.
  template <class Closure, class... From>
  WINDROW_INLINE static Closure& queue(closure_queue& q, From&&... from) noexcept {
    auto* const place = new (q.tail()) Closure(std::in_place, std::forward<From>(from)...);
    q.tail() += sizeof(Closure);
    return *place;
  }

  /// `f(*from)`, when the loads of a window are under way together.
  template <class Closure, class T, class F>
  WINDROW_INLINE void load(const T* from, F&& f) {
    __builtin_prefetch(from);
    std::memcpy(queue_load<Closure>(std::forward<F>(f)).slot.data(), &from, sizeof from);
  }
  /// Queues a closure that loads its value itself, from loadable memory.
  template <class Closure, class... From>
  WINDROW_INLINE Closure& queue_load(From&&... from) {
    if (!has_room<Closure>(loading_)) [[unlikely]]
      support_.make_room_in_window(step<Closure>, sizeof(Closure));
    return queue<Closure>(loading_, std::forward<From>(from)...);
  }
  /// `f(value)`: now, or after the handler or continuation that is running.
  template <class Closure, class T, class F>
  WINDROW_INLINE void run(const T& value, F&& f) {
    alignas(Closure) std::byte room[sizeof(Closure)];
    new (room) Closure(std::in_place, std::forward<F>(f));
    std::memcpy(room, &value, sizeof value);
    run_closure<Closure>(room);
  }
  /// Runs a closure that has its value: now, or after the handler or continuation that is running.
  template <class Closure, class... From>
  void run_complete(From&&... from) {
    alignas(Closure) std::byte room[sizeof(Closure)];
    new (room) Closure(std::in_place, std::forward<From>(from)...);
    run_closure<Closure>(room);
  }
  /// Whether one runs, on this thread.
  bool run_now() const { return map_.now() == detail::running::continuation; }
  /// Memory that coroutines of one size may have before those that wait are helped.
  std::size_t frame_limit() const { return frame_limit_; }
  /// To be called before a closure takes memory: who has deferred too much helps.
  void keep_bound() {
    if (chunks_ > limit_) [[unlikely]]
      support_.help();
  }

 private:
  friend class scheduler;

  /// Runs the closure that is there, if nothing else runs.
  template <class Closure>
  WINDROW_INLINE void run_closure(std::byte* room) {
    if (map_.now() != detail::running::program) [[unlikely]]
      return postpone<Closure>(*std::launder(reinterpret_cast<Closure*>(room)));
    map_.begin(detail::running::continuation);
    step<Closure>(room, room + sizeof(Closure), 1, fate::run);
    map_.begin(detail::running::program);
    if (!postponed_.empty() || !loading_.empty()) [[unlikely]]
      support_.run_local();
  }
  template <class Closure>
  __attribute__((noinline)) void postpone(Closure& c) noexcept {
    require_room<Closure>(postponed_);
    new (postponed_.tail()) Closure(std::move(c));
    postponed_.tail() += sizeof(Closure);
    c.~Closure(); // NOLINT(bugprone-use-after-move): what was moved from ends
    ++postponed_in_all_;
  }

  closure_support& support_;
  detail::memory_map& map_;
  closure_queue* answers_;  ///< by PE
  closure_queue loading_;   ///< what waits for loads from loadable memory
  closure_queue postponed_; ///< what waits until something else has ended
  std::uint64_t postponed_in_all_ = 0;
  std::uint32_t chunks_ = 0; ///< in use
  std::uint32_t limit_ = 0;
  std::size_t frame_limit_ = SIZE_MAX;
  aggregation::load_window<counted_load> loads_;
};

/// Refuses everything with a sentence.
extern continuations no_continuations;
extern closure_queue no_answers[];
/// Those of the PE, on its own thread. (The second is a part of the first.)
inline constinit thread_local continuations* continuations_of_thread = &no_continuations;
inline constinit thread_local closure_queue* answers_of_thread = no_answers;

/// Bytes for what `take_values` gives memory for, and the first place in that memory that has the alignment.
constexpr std::size_t bytes_with_alignment(std::size_t bytes, std::size_t alignment) {
  return bytes + (alignment > closure_alignment ? alignment : 0);
}
inline std::byte* aligned_place(std::byte* memory, std::size_t alignment) {
  return memory + (0 - reinterpret_cast<std::uintptr_t>(memory)) % alignment;
}

/// Memory that counts like all that is deferred, or none.
class counted_memory {
 public:
  counted_memory() = default;
  counted_memory(continuations& from, std::size_t bytes)
      : from_(&from), bytes_(bytes), first_(from.support().take_values(bytes)) {}
  counted_memory(counted_memory&& other) noexcept
      : from_(std::exchange(other.from_, nullptr)), bytes_(other.bytes_), first_(other.first_) {}
  counted_memory& operator=(counted_memory&& other) noexcept {
    std::swap(from_, other.from_);
    std::swap(bytes_, other.bytes_);
    std::swap(first_, other.first_);
    return *this;
  }
  ~counted_memory() {
    if (from_ != nullptr) from_->support().give_values(first_, bytes_);
  }

  std::byte* aligned(std::size_t alignment) const { return aligned_place(first_, alignment); }

 private:
  continuations* from_ = nullptr;
  std::size_t bytes_ = 0;
  std::byte* first_ = nullptr;
};

/// A value that is too large for a queue or a record, or wants more alignment than these have, or none.
template <class T>
class large_value {
 public:
  large_value() = default;
  /// Room for one, which is to be filled.
  explicit large_value(continuations& from) : room_(from, bytes_with_alignment(sizeof(T), alignof(T))) {}

  T& get() const { return *std::launder(reinterpret_cast<T*>(room_.aligned(alignof(T)))); }

 private:
  counted_memory room_;
};

/// A closure that fits no queue, or wants more alignment than a record has.
template <class F, class... Values>
class kept_closure {
 public:
  template <class From>
  kept_closure(continuations& memory, From&& from)
      : room_(take_room(memory)), kept_(new(room_.aligned(alignof(F))) F(std::forward<From>(from))) {}
  kept_closure(kept_closure&& other) noexcept
      : room_(std::move(other.room_)), kept_(std::exchange(other.kept_, nullptr)) {}
  kept_closure& operator=(kept_closure&&) = delete;
  ~kept_closure() {
    if (kept_ != nullptr) kept_->~F();
  }

  void operator()(Values... values) { (*kept_)(std::forward<Values>(values)...); }

 private:
  static counted_memory take_room(continuations& memory) {
    memory.keep_bound();
    return {memory, bytes_with_alignment(sizeof(F), alignof(F))};
  }

  counted_memory room_;
  F* kept_;
};

} // namespace windrow::deferral
