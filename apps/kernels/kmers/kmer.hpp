// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string_view>

#include "apps/graph/mix.hpp"

namespace windrow::apps {

/// A sequence of `kmer_length` bases, two bits for each (A, C, G, T are 0 … 3), the first one highest. The
/// length is odd, so that no sequence is its own reverse complement.
using kmer = std::uint64_t;
inline constexpr unsigned kmer_length = 31;
inline constexpr kmer no_kmer = std::numeric_limits<kmer>::max(); ///< more bits than any has

/// 0 … 3, or 4 for a letter that is no base.
constexpr unsigned base_code(char letter) {
  switch (letter) {
    case 'A':
    case 'a':
      return 0;
    case 'C':
    case 'c':
      return 1;
    case 'G':
    case 'g':
      return 2;
    case 'T':
    case 't':
      return 3;
    default:
      return 4;
  }
}

/// Calls `visit` for every k-mer of a read, in order: the smaller one of itself and its reverse complement,
/// because nobody knows which strand was read. There is none across a letter that is no base.
template <class Visit>
constexpr void for_each_kmer(std::string_view bases, Visit visit) {
  constexpr kmer mask = (kmer{1} << 2 * kmer_length) - 1;
  kmer forward = 0, backward = 0;
  unsigned length = 0;
  for (const char letter : bases) {
    const auto code = base_code(letter);
    length = code < 4 ? length + 1 : 0;
    forward = (forward << 2 | (code & 3)) & mask;
    backward = backward >> 2 | kmer{3 - (code & 3)} << 2 * (kmer_length - 1);
    if (length >= kmer_length) visit(std::min(forward, backward));
  }
}

/// For places in tables and for checksums.
constexpr std::uint64_t kmer_hash(kmer k) {
  return graph::mix(k + graph::golden);
}

} // namespace windrow::apps
