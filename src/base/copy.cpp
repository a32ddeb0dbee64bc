// SPDX-License-Identifier: BSD-3-Clause
// Why not memcpy alone: for copies from a few KiB up to the size of a core's second-level cache, C libraries
// use the processor's string instruction (rep movsb). AMD's Zen 3 and Zen 4 carry it out 16 times slower than
// a loop of vector instructions when the destination is not aligned and lies a few bytes behind the source
// within the page, and 10 % slower when only the source is not aligned to a cache line, as memory from malloc
// never is. A loop of vectors, with aligned stores, is as fast as the best of both in all cases; those of
// 64 bytes are up to a third faster than those of 32 in the first-level cache, and nowhere slower.
//
// Intel's processors of the last years (with "fast short rep mov") are another matter: from the size of half
// the first-level cache on, the string instruction is as fast as vectors in the caches and faster beyond (2
// to 40 %), where it need not read what it overwrites, if only the destination is aligned. C libraries do not
// align it, and leave it for other ways from 1 MiB on, which are slower up to at least 16 MiB.
//
// All other long copies are left to memcpy: it knows the sizes of the caches, and from some size on writes
// past them.
#include "windrow/detail/copy.hpp"

#ifdef __x86_64__
#include <cpuid.h>
#include <immintrin.h>
#endif

#include <cstdint>

#include "windrow/detail/thread_sanitizer.hpp"

namespace windrow::detail {

#ifdef __x86_64__

namespace {

constexpr std::size_t longest_by_vectors = 1024 * 1024; // the second-level cache of these processors, or less
constexpr std::size_t shortest_by_string = 16 * 1024;
constexpr std::size_t line = 64, step = 128, wide_step = 256;
static_assert(wide_step <= shortest_long_copy - line);

std::size_t to_next_line(const char* at) {
  return line - reinterpret_cast<std::uintptr_t>(at) % line;
}

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
  std::memcpy(to, from, line);
  auto at = to_next_line(to);
  for (; at + step <= bytes; at += step) copy_step(to + at, from + at);
  std::memcpy(to + at, from + at, bytes - at);
}

__attribute__((target("avx512f"))) void copy_wide_step(char* to, const char* from) {
  const auto a = _mm512_loadu_si512(from), b = _mm512_loadu_si512(from + line),
             c = _mm512_loadu_si512(from + 2 * line), d = _mm512_loadu_si512(from + 3 * line);
  _mm512_store_si512(to, a);
  _mm512_store_si512(to + line, b);
  _mm512_store_si512(to + 2 * line, c);
  _mm512_store_si512(to + 3 * line, d);
}

__attribute__((target("avx512f"))) void copy_by_wide_vectors(char* to, const char* from, std::size_t bytes) {
  std::memcpy(to, from, line);
  auto at = to_next_line(to);
  for (; at + wide_step <= bytes; at += wide_step) copy_wide_step(to + at, from + at);
  std::memcpy(to + at, from + at, bytes - at);
}

void copy_by_string(char* to, const char* from, std::size_t bytes) {
  const auto head = to_next_line(to);
  const auto middle = (bytes - head) / line * line;
  std::memcpy(to, from, line);
  std::memcpy(to + bytes - line, from + bytes - line, line);
  auto* target = to + head;
  const auto* source = from + head;
  auto left = middle;
  asm volatile("rep movsb" : "+D"(target), "+S"(source), "+c"(left) : : "memory");
}

/// The string instruction looks at the lower half of addresses only, and takes its time when these seem to
/// overlap so.
bool suits_string(const char* to, const char* from) {
  const auto distance = reinterpret_cast<std::uintptr_t>(to) - reinterpret_cast<std::uintptr_t>(from);
  return static_cast<std::uint32_t>(distance) < static_cast<std::uint32_t>(-line);
}

bool has_fast_string() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  constexpr unsigned fast_short_rep_mov = 1U << 4;
  return __builtin_cpu_is("intel") != 0 && __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 &&
         (d & fast_short_rep_mov) != 0;
}

/// What this processor is good at. Early processors with AVX-512 lower their clock for it. ThreadSanitizer
/// sees what memcpy does, but nothing of the rest.
struct abilities {
  bool vectors = !thread_sanitizer && __builtin_cpu_supports("avx") != 0;
  bool wide_vectors =
      vectors && __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512vbmi2") != 0;
  bool string = !thread_sanitizer && has_fast_string();
};

void copy_as_able(const abilities& able, char* to, const char* from, std::size_t bytes) {
  if (able.string && bytes >= shortest_by_string && suits_string(to, from))
    return copy_by_string(to, from, bytes);
  if (bytes > longest_by_vectors || !able.vectors)
    std::memcpy(to, from, bytes);
  else if (able.wide_vectors)
    copy_by_wide_vectors(to, from, bytes);
  else
    copy_by_vectors(to, from, bytes);
}

} // namespace

void copy_long(void* to, const void* from, std::size_t bytes) {
  static const abilities able;
  copy_as_able(able, static_cast<char*>(to), static_cast<const char*>(from), bytes);
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
