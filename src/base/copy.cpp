// SPDX-License-Identifier: BSD-3-Clause
// Why not memcpy alone: for copies from a few KiB up to the size of a core's second-level cache, C libraries
// use the processor's string instruction (rep movsb). AMD's Zen 3 and Zen 4 carry it out 16 times slower than
// a loop of vector instructions when the destination is not aligned and lies a few bytes behind the source
// within the page, and 10 % slower when only the source is not aligned to a cache line, as memory from malloc
// never is. A loop of 32-byte vectors, with aligned stores, is as fast as the best of both in all cases.
//
// Longer copies are left to memcpy: it knows the sizes of the caches, and from some size on writes past them.
#include "windrow/detail/copy.hpp"

#ifdef __x86_64__
#include <immintrin.h>
#endif

#include <cstdint>

#include "windrow/detail/thread_sanitizer.hpp"

namespace windrow::detail {

#ifdef __x86_64__

namespace {

constexpr std::size_t longest = 1024 * 1024; // the second-level cache of these processors, or less
constexpr std::size_t line = 64, step = 128;
static_assert(step <= shortest_long_copy - line);

__attribute__((target("avx"))) void copy_step(char* to, const char* from) {
  const auto* source = reinterpret_cast<const __m256i*>(from);
  auto* target = reinterpret_cast<__m256i*>(to);
  const auto a = _mm256_loadu_si256(source), b = _mm256_loadu_si256(source + 1),
             c = _mm256_loadu_si256(source + 2), d = _mm256_loadu_si256(source + 3);
  _mm256_store_si256(target, a);
  _mm256_store_si256(target + 1, b);
  _mm256_store_si256(target + 2, c);
  _mm256_store_si256(target + 3, d);
}

// A line that is not aligned at each end, and aligned steps between them; neighbours overlap.
__attribute__((target("avx"))) void copy_by_vectors(char* to, const char* from, std::size_t bytes) {
  const auto head = line - reinterpret_cast<std::uintptr_t>(to) % line;
  std::memcpy(to, from, line);
  auto at = head;
  for (; at + step <= bytes; at += step) copy_step(to + at, from + at);
  std::memcpy(to + at, from + at, bytes - at);
}

} // namespace

void copy_long(void* to, const void* from, std::size_t bytes) {
  // ThreadSanitizer sees what memcpy does, but nothing of accesses by vectors.
  static const bool by_vectors = !thread_sanitizer && __builtin_cpu_supports("avx") != 0;
  if (by_vectors && bytes <= longest)
    copy_by_vectors(static_cast<char*>(to), static_cast<const char*>(from), bytes);
  else
    std::memcpy(to, from, bytes);
}

#else

void copy_long(void* to, const void* from, std::size_t bytes) {
  std::memcpy(to, from, bytes);
}

#endif

namespace {

template <class Copy>
void for_blocks(std::byte* to, const std::byte* from, const strides& s, Copy copy) {
  for (std::size_t i = 0; i < s.blocks; ++i, to += s.to, from += s.from) copy(to, from);
}

template <std::size_t Bytes>
void copy_elements(std::byte* to, const std::byte* from, const strides& s) {
  for_blocks(to, from, s, [](std::byte* t, const std::byte* f) { std::memcpy(t, f, Bytes); });
}

} // namespace

void copy_strided(std::byte* to, const std::byte* from, const strides& s) {
  if (s.block == 4) return copy_elements<4>(to, from, s);
  if (s.block == 8) return copy_elements<8>(to, from, s);
  for_blocks(to, from, s, [&](std::byte* t, const std::byte* f) { copy_bytes(t, f, s.block); });
}

} // namespace windrow::detail
