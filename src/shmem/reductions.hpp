// SPDX-License-Identifier: BSD-3-Clause
// Reductions and scans over a team.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <type_traits>
#include <vector>

#include "shmem/collectives.hpp"
#include "transport/host/host_memory.hpp"

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
    return static_cast<T>(a * b);
  }
};

// How elements are combined, with the widest vectors of the processor. `into` overlaps nothing else.
template <class T, class Op>
[[gnu::always_inline]] inline void combine_all(T* __restrict into, const T* a, const T* b, std::size_t count,
                                               Op op) {
  for (std::size_t i = 0; i < count; ++i) into[i] = op(a[i], b[i]);
}
template <class T, class Op>
[[gnu::always_inline]] inline void fold_all(T* __restrict into, const T* from, std::size_t count, Op op) {
  for (std::size_t i = 0; i < count; ++i) into[i] = op(into[i], from[i]);
}

#ifdef __x86_64__
/// Values that AVX2 has instructions for.
template <class T>
inline constexpr bool in_vectors = std::is_arithmetic_v<T> && sizeof(T) <= 8;
inline const bool has_avx2 = __builtin_cpu_supports("avx2") != 0;

template <class T, class Op>
__attribute__((target("avx2"))) void combine_by_avx2(T* into, const T* a, const T* b, std::size_t count,
                                                     Op op) {
  combine_all(into, a, b, count, op);
}
template <class T, class Op>
__attribute__((target("avx2"))) void fold_by_avx2(T* into, const T* from, std::size_t count, Op op) {
  fold_all(into, from, count, op);
}
#endif

/// into[i] = op(a[i], b[i])
template <class T, class Op>
void combine(std::span<T> into, const T* a, const T* b, Op op) {
#ifdef __x86_64__
  if constexpr (in_vectors<T>)
    if (has_avx2) return combine_by_avx2(into.data(), a, b, into.size(), op);
#endif
  combine_all(into.data(), a, b, into.size(), op);
}
/// into[i] = op(into[i], from[i])
template <class T, class Op>
void fold(std::span<T> into, const T* from, Op op) {
#ifdef __x86_64__
  if constexpr (in_vectors<T>)
    if (has_avx2) return fold_by_avx2(into.data(), from, into.size(), op);
#endif
  fold_all(into.data(), from, into.size(), op);
}

/// Bytes of results that are kept in the first cache until all members have them. Larger ones are written by
/// ways that do not read what they overwrite (base/copy.cpp), which pays when that is no longer in a cache.
inline std::size_t piece_bytes(std::size_t bytes) {
  constexpr std::size_t cached = 1024 * 1024;
  return bytes <= cached ? 8 * 1024 : 16 * 1024;
}
inline constexpr std::size_t largest_piece_bytes = 16 * 1024;

/// Each member, of at least two, reduces its share of the elements and writes the results to all. A source
/// may be its dest, since a place is read and written by one member only. In order of PE number, so results
/// are the same in every run.
template <class T, class Op>
void reduce_share(const group& g, T* dest, const T* source, std::size_t count, Op op) {
  constexpr std::size_t line = std::max<std::size_t>(64 / sizeof(T), 1),
                        most = largest_piece_bytes / sizeof(T);
  const auto piece = piece_bytes(count * sizeof(T)) / sizeof(T);
  const auto members = static_cast<std::size_t>(g.size());
  const auto share = ((count + members - 1) / members + line - 1) / line * line;
  const auto begin = std::min(count, share * static_cast<std::size_t>(g.me()));
  const auto end = std::min(count, begin + share);
  alignas(64) T results[most], far[2][most];
  for (auto at = begin; at < end; at += piece) {
    const std::span<T> part(results, std::min(piece, end - at));
    const auto bytes = part.size_bytes();
    combine(part, g.look(0, source + at, bytes, far[0]), g.look(1, source + at, bytes, far[1]), op);
    for (int pe = 2; pe < g.size(); ++pe) fold(part, g.look(pe, source + at, bytes, far[0]), op);
    for (int pe = 0; pe < g.size(); ++pe) g.put(pe, dest + at, results, bytes);
  }
}

template <class T, class Op>
void reduce(const group& g, T* dest, const T* source, std::size_t count, Op op) {
  const auto bytes = total_bytes(count, sizeof(T), g.by().operation);
  g.require_symmetric(dest, bytes);
  g.require_symmetric(source, bytes);
  if (bytes <= transport::inline_bytes)
    return g.team().reduce(std::span<const T>(source, count), std::span<T>(dest, count), op);
  g.meet_for({pgas::collective::reduce, 0, bytes});
  if (g.size() == 1)
    g.get(0, dest, source, bytes);
  else
    reduce_share(g, dest, source, count, op);
  g.meet();
}

/// The sum over the members before this one, and this one too if `inclusive`.
template <class T>
void scan(const group& g, T* dest, const T* source, std::size_t count, bool inclusive) {
  const auto bytes = total_bytes(count, sizeof(T), g.by().operation);
  g.require_symmetric(dest, bytes);
  if (count != 0) symmetric_offset(source, bytes, g.by().operation); // before memory is taken for so many
  std::vector<T> results(count), far(group::needs_scratch() ? count : 0);
  g.meet_for({inclusive ? pgas::collective::scan : pgas::collective::exclusive_scan, 0, bytes});
  const int end = g.me() + (inclusive ? 1 : 0);
  for (int pe = 0; pe < end; ++pe)
    fold(std::span<T>(results), g.look(pe, source, bytes, far.data()), by_sum());
  g.meet(); // all have read, so that a dest that is a source may be written
  std::copy(results.begin(), results.end(), dest);
}

} // namespace windrow::shmem
