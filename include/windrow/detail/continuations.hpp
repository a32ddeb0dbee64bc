// SPDX-License-Identifier: BSD-3-Clause
// The inlined part of deferral: closures that wait for the value of a fetching operation. src/defer/README.md
// has the protocol.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#include "windrow/detail/inline.hpp"
#include "windrow/detail/memory_map.hpp"
#include "windrow/detail/round_up.hpp"
#include "windrow/types.hpp"

namespace windrow::deferral {

/// What is done with the closures of a queue.
enum class fate : bool { run, drop };

/// How far a step through a queue has come.
struct progress {
  std::byte* at;
  std::uint32_t count; ///< closures that it has dealt with
};

/// Deals with the closures of one type that lie one behind the other between `at` and `end`, at most `most`
/// of them.
using step_function = progress (*)(std::byte* at, const std::byte* end, std::uint32_t most, fate);

inline constexpr std::size_t closure_alignment = 16;
/// Larger closures are kept outside the queue.
inline constexpr std::size_t largest_closure = 512;

/// What the value of a queued closure is.
enum class source : bool { value, address };

template <class T, source S, class F>
struct queued_closure {
  explicit queued_closure(F&& f_) : f(std::move(f_)) {} // the value comes later

  T value_there() const {
    T there;
    if constexpr (S == source::value) {
      std::memcpy(&there, value.data(), sizeof there);
    } else {
      // One load instruction, so that a value which is changed meanwhile is read whole.
      const T* from;
      std::memcpy(&from, value.data(), sizeof from);
      __atomic_load(from, &there, __ATOMIC_RELAXED);
    }
    return there;
  }

  using kept = std::conditional_t<S == source::value, T, const T*>;
  alignas(kept) std::array<std::byte, sizeof(kept)> value; ///< or the address to load it from
  F f;
};

// The closure is inlined into the loop.
template <class T, source S, class F>
progress step(std::byte* at, const std::byte* end, std::uint32_t most, fate what) noexcept {
  std::uint32_t count = 0;
  do {
    auto& closure = *std::launder(reinterpret_cast<queued_closure<T, S, F>*>(at));
    if (what == fate::run) closure.f(closure.value_there());
    closure.f.~F();
    at += sizeof closure;
    ++count;
  } while (count != most && at != end);
  return {at, count};
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
  std::byte* tail = nullptr;       ///< where the next closure goes
  std::byte* limit = nullptr;      ///< of the chunk that the tail is in
  step_function step = nullptr;    ///< of the newest batch
  closure_batch* newest = nullptr; ///< the tail is in it
  closure_batch* oldest = nullptr; ///< the head is in it
  std::byte* head = nullptr;       ///< the oldest closure
};

/// A closure that waits for several values is a *record*: a body and its payload, with a count of what is
/// pending this many bytes before the payload. Adding to the count is for who issues an operation.
inline constexpr std::size_t pending_before_payload = 4;
inline std::uint32_t* pending_of(void* payload) {
  return reinterpret_cast<std::uint32_t*>(static_cast<std::byte*>(payload) - pending_before_payload);
}
/// The payload of a record that C++ code opens begins with one: destroys what is in it.
using drop_function = void (*)(void* payload);

/// The closures of this PE that wait, and the decision whether one runs now.
class continuations {
 public:
  /// A closure for the answer to the next item that is stored for `to`. Returns where the answer belongs.
  template <class T, class F>
  WINDROW_INLINE void* queue_for(pe_t to, F& f) {
    return emplace<T, source::value>(answers_[to], f);
  }
  /// `f(*from)`, when the loads of a window are under way together.
  template <class T, class F>
  WINDROW_INLINE void load(const T* from, F& f) {
    __builtin_prefetch(from);
    std::memcpy(emplace<T, source::address>(local_, f), &from, sizeof from);
    if (++local_waiting_ >= window) [[unlikely]]
      make_room_in_window();
  }
  /// `f(value)`: now, or after the handler or continuation that is running.
  template <class T, class F>
  WINDROW_INLINE void run(T value, F& f) {
    if (map_->now() != detail::running::program) [[unlikely]]
      return postpone(value, std::move(f));
    map_->begin(detail::running::continuation);
    call(f, value);
    map_->begin(detail::running::program);
    if (local_waiting_ > 0) [[unlikely]]
      run_local();
  }
  /// To be called before each of these: who has deferred too much helps.
  void keep_bound() {
    if (chunks_ > limit_) [[unlikely]]
      help();
  }

  // Records of level 0; the body destroys what is in the payload.

  std::byte* open_joined(void (*body)(void* payload), std::size_t bytes);
  void commit_joined(void* payload);
  /// `*slot = *from` and one less pending, when the loads of a window are under way together.
  void load_joined(const void* from, void* slot, std::uint32_t width_log2, std::uint32_t* pending);

 protected:
  ~continuations() = default;

  static constexpr std::uint32_t window = 64;

  closure_queue* answers_ = nullptr; ///< by PE
  closure_queue local_;              ///< what waits for no message
  std::uint32_t local_waiting_ = 0;  ///< closures in it
  std::uint32_t chunks_ = 0;         ///< in use
  std::uint32_t limit_ = 0;
  detail::memory_map* map_ = nullptr;

 private:
  /// Where the value of the new closure belongs, or its address.
  template <class T, source S, class F>
  WINDROW_INLINE std::byte* emplace(closure_queue& q, F& f) {
    using closure = F;
    static_assert(std::invocable<closure&, T>, "a continuation takes the value of the operation");
    if constexpr (sizeof(closure) > largest_closure || alignof(closure) > closure_alignment) {
      auto held = [at = std::make_unique<closure>(std::move(f))](T value) { (*at)(value); };
      return emplace<T, S>(q, held);
    } else {
      using queued = queued_closure<T, S, closure>;
      if (q.step != static_cast<step_function>(&step<T, S, closure>) ||
          static_cast<std::size_t>(q.limit - q.tail) < sizeof(queued)) [[unlikely]]
        begin_batch(q, step<T, S, closure>, sizeof(queued));
      auto* place = new (q.tail) queued(std::move(f));
      q.tail += sizeof(queued);
      return place->value.data();
    }
  }
  template <class T, class F>
  static void call(F& f, T value) noexcept {
    f(value);
  }
  template <class T, class F>
  __attribute__((noinline)) void postpone(T value, F f) {
    std::memcpy(emplace<T, source::value>(local_, f), &value, sizeof value);
    ++local_waiting_;
  }

  /// A batch for closures of that step and size at the end of the queue.
  void begin_batch(closure_queue&, step_function, std::size_t bytes);
  void make_room_in_window();
  void run_local();
  [[gnu::cold]] void help();
};

} // namespace windrow::deferral
