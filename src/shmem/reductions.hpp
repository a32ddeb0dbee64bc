// SPDX-License-Identifier: BSD-3-Clause
// Reductions and scans over a team. What differs between types and operations is one small loop; all else is
// compiled once.
#pragma once

#include <cstddef>
#include <type_traits>

#include "shmem/collectives.hpp"
#include "windrow/detail/verbs.hpp"

namespace windrow::shmem {

// How two elements become one.
struct by_and {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(a & b);
  }
};
struct by_or {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(a | b);
  }
};
struct by_xor {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(a ^ b);
  }
};
struct by_max {
  template <class T>
  T operator()(T a, T b) const {
    return a < b ? b : a;
  }
};
struct by_min {
  template <class T>
  T operator()(T a, T b) const {
    return b < a ? b : a;
  }
};
struct by_sum {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(a + b);
  }
};
struct by_prod {
  template <class T>
  T operator()(T a, T b) const {
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(1U * a * b); // the product of two short ones may be more than an int holds
    else
      return a * b;
  }
};

/// The type by whose operations elements of type T are combined: integers by those of unsigned ones, which
/// wrap, unless their order matters.
template <class Op, class T>
struct combined_as {
  using type = T;
};
template <class Op, class T>
  requires std::is_integral_v<T>
struct combined_as<Op, T> {
  using word = detail::bits_of<T>;
  static constexpr bool ordered = std::is_same_v<Op, by_max> || std::is_same_v<Op, by_min>;
  using type = std::conditional_t<ordered && std::is_signed_v<T>, std::make_signed_t<word>, word>;
};

/// into[i] = op(a[i], b[i]). `into` overlaps nothing else.
template <class Op, class T>
[[gnu::always_inline]] inline void combine_all(void* into, const void* a, const void* b, std::size_t count) {
  T* const __restrict results = static_cast<T*>(into);
  const T *const first = static_cast<const T*>(a), *const second = static_cast<const T*>(b);
  for (std::size_t i = 0; i < count; ++i) results[i] = Op()(first[i], second[i]);
}

#ifdef __x86_64__
/// Values that AVX2 has instructions for.
template <class T>
inline constexpr bool in_vectors = std::is_arithmetic_v<T> && sizeof(T) <= 8;
inline const bool has_avx2 = __builtin_cpu_supports("avx2") != 0;

template <class Op, class T>
__attribute__((target("avx2"))) void combine_by_avx2(void* into, const void* a, const void* b,
                                                     std::size_t count) {
  combine_all<Op, T>(into, a, b, count);
}
#endif

/// As `combine_all`, with the widest vectors of the processor.
template <class Op, class T>
void combine(void* into, const void* a, const void* b, std::size_t count) {
#ifdef __x86_64__
  if constexpr (in_vectors<T>)
    if (has_avx2) return combine_by_avx2<Op, T>(into, a, b, count);
#endif
  combine_all<Op, T>(into, a, b, count);
}

/// How elements of one type are combined.
struct combining {
  std::size_t size; ///< bytes of an element: 1, 2, 4, 8, 16 or 32
  void (*all)(void* into, const void* a, const void* b, std::size_t count); ///< `combine`
};
template <class Op, class T>
inline constexpr combining combining_by{sizeof(T), combine<Op, typename combined_as<Op, T>::type>};

/// The elements of all members. A source may be its dest. In order of PE number, so results are the same in
/// every run.
void reduce(const group&, void* dest, const void* source, std::size_t count, const combining&);

/// The elements of the members before this one, and of this one too if `inclusive`; zeros where there are
/// none.
void scan(const group&, void* dest, const void* source, std::size_t count, const combining&, bool inclusive);

} // namespace windrow::shmem
