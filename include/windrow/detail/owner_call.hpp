// SPDX-License-Identifier: BSD-3-Clause
// A fetching operation that takes what follows along: the owner carries it out and calls the closure with the
// value, in place, a block at a time.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

#include "windrow/detail/apply.hpp"
#include "windrow/detail/code_address.hpp"
#include "windrow/detail/run.hpp"
#include "windrow/detail/writer.hpp"
#include "windrow/global_ptr.hpp"

namespace windrow {

/// Where an object of the symmetric heap is, on whichever PE: 8 bytes that mean the same everywhere.
template <transferable T>
class symmetric {
 public:
  /// Of no object; only assignment makes sense.
  constexpr symmetric() = default;
  explicit constexpr symmetric(global_ptr<T> p) : offset_(p.offset()) {}
  constexpr std::uint64_t offset() const { return offset_; }

 private:
  std::uint64_t offset_ = 0;
};
template <transferable T>
inline constexpr bool is_transferable<symmetric<T>> = true;

/// What a closure that runs at the owner can ask for there.
class owner {
 public:
  owner(std::byte* segment, pe_t from) : segment_(segment), from_(from) {}

  /// The owner's copy of a symmetric object. `p` may name any PE.
  template <class T>
  T* local(global_ptr<T> p) const {
    return reinterpret_cast<T*>(segment_ + p.offset());
  }
  template <class T>
  T* local(symmetric<T> p) const {
    return reinterpret_cast<T*>(segment_ + p.offset());
  }
  /// The PE that has sent the call.
  pe_t from() const { return from_; }

 private:
  std::byte* segment_;
  pe_t from_;
};

namespace aggregation {

/// A number that no other function of this process has.
std::uint32_t next_function_number();

template <class F, class T>
inline constexpr bool takes_place =
    std::conjunction_v<std::bool_constant<atomic_value<T>>, std::is_invocable<F&, T, T&, const owner&>>;
template <class F, class T>
inline constexpr bool runs_at_owner =
    takes_place<F, T> || std::is_invocable_v<F&, T, const owner&> || std::is_invocable_v<F&, T>;

template <class F, class T>
WINDROW_INLINE void call_at_owner(F& f, T value, carrier<T>& place, const owner& here) noexcept {
  if constexpr (takes_place<F, T>)
    f(value, reinterpret_cast<T&>(place), here);
  else if constexpr (std::is_invocable_v<F&, T, const owner&>)
    f(value, here);
  else
    f(value);
}

/// A closure of values alone: calls a function that captures nothing, with them behind its other arguments.
template <class F, class... Args>
auto with_arguments(const Args&... args) {
  static_assert(!std::is_pointer_v<F>,
                "a pointer to a function means nothing elsewhere: write a lambda that calls the function");
  static_assert(std::is_pointer_v<F> || (std::is_empty_v<F> && std::is_default_constructible_v<F>),
                "what runs elsewhere captures nothing: pass the values that it needs as arguments");
  return [args...]<class... Given>(Given&&... given)
    requires std::is_invocable_v<F, Given..., const Args&...>
  { return F{}(std::forward<Given>(given)..., args...); };
}

/// Where what a closure captures travels: with each item, or, if it is the same for many and small enough,
/// once for all items of a run.
enum class captures : bool { in_items, in_header };

/// Whether closures of this type may travel in headers.
template <class F>
inline constexpr bool fits_header = !std::is_empty_v<F> && sizeof(F) <= sizeof(run_header::argument);

template <class F>
std::uint64_t to_argument(const F& f) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, &f, sizeof f);
  return bits;
}

/// An item: the place, the operands, the closure, one behind the other.
template <verb V, class T, class F, class Index, captures Where>
struct owner_call {
  using carried = carrier<T>;
  static constexpr unsigned operands = operands_of(V);
  static constexpr std::uint32_t operands_at = sizeof(Index);
  static constexpr std::uint32_t closure_at = operands_at + operands * sizeof(T);
  static constexpr std::uint32_t closure_bytes =
      std::is_empty_v<F> || Where == captures::in_header ? 0 : sizeof(F);
  static constexpr std::uint32_t bytes = closure_at + closure_bytes;

  template <class... Operands>
  static void write(std::byte* item, std::uint64_t index, [[maybe_unused]] const F& f, Operands... values) {
    const auto narrow = static_cast<Index>(index);
    std::memcpy(item, &narrow, sizeof narrow);
    if constexpr (operands > 0) {
      const carried all[] = {values...};
      std::memcpy(item + operands_at, all, sizeof all);
    }
    if constexpr (closure_bytes > 0) std::memcpy(item + closure_at, &f, closure_bytes);
  }

  [[gnu::visibility("hidden")]] static void run(run_header& r, const work& w, void*) {
    with_access(w, [&](auto access) { run_with<typename decltype(access)::type>(r, w); });
  }

  static inline const remote_function function{next_function_number(), bytes, 0,
                                               portable_address(reinterpret_cast<const void*>(&run)), 0};

 private:
  static Index index_of(const std::byte* item) {
    Index index;
    std::memcpy(&index, item, sizeof index);
    return index;
  }
  template <class Access>
  static void run_with(run_header& r, const work& w) {
    auto* places = reinterpret_cast<carried*>(w.segment);
    const owner here(w.segment, w.from);
    const auto argument = r.argument;
    const auto place_of = [=](const std::byte* item) { return &places[index_of(item)]; };
    for_each_item<V>(r.items(), r.count, bytes, place_of, [&](const std::byte* item) WINDROW_INLINE_LAMBDA {
      one<Access>(places[index_of(item)], item, argument, here);
    });
  }
  template <class Access>
  WINDROW_INLINE static void one(carried& place, const std::byte* item,
                                 [[maybe_unused]] std::uint64_t argument, const owner& here) {
    carried values[operands + 1]{};
    if constexpr (operands > 0) std::memcpy(values, item + operands_at, operands * sizeof(T));
    bytes_of_closure raw{};
    if constexpr (Where == captures::in_header)
      std::memcpy(&raw, &argument, sizeof raw);
    else
      std::memcpy(&raw, item + closure_at, closure_bytes);
    auto f = std::bit_cast<F>(raw);
    const auto before = apply_to<Access, V, carried>(place, values);
    call_at_owner(f, std::bit_cast<T>(before), place, here);
  }
  struct bytes_of_closure {
    std::byte content[sizeof(F)];
  };
};

} // namespace aggregation

} // namespace windrow
