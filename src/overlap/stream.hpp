// SPDX-License-Identifier: BSD-3-Clause
// Numbers as bytes: 7 bits each, the lowest first, the last byte below 128.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "windrow/error.hpp"

namespace windrow::overlap {

/// What the file consists of: each block by itself, so that what is behind a lost one can be read.
///   magic, version, PE, bytes of the text, sum of the text: 5 numbers of 32 bits, then the text
struct block_head {
  std::uint32_t magic, version, pe, bytes, sum;
};
inline constexpr std::uint32_t block_magic = 0x4c524f57; // WORL
inline constexpr std::uint32_t format_version = 6;

/// What stands in a block: one byte, then what it stands for. Events have the number of their action.
enum class record : std::uint8_t {
  head = 64, ///< PEs, whether all accesses are recorded: the first of each block, and the time
  site,      ///< number, frames, of each: file, function, line, column, hash
  team,      ///< number, members, each as a number
  end        ///< the PE has come to its end
};

inline std::uint32_t sum_of(std::string_view text) {
  std::uint32_t sum = 2166136261; // FNV-1a
  for (const char c : text) sum = (sum ^ static_cast<unsigned char>(c)) * 16777619;
  return sum;
}

inline void append(std::string& to, std::uint64_t number) {
  for (; number >= 128; number >>= 7) to += static_cast<char>(number | 128);
  to += static_cast<char>(number);
}
inline void append(std::string& to, std::string_view text) {
  append(to, text.size());
  to += text;
}
/// Symmetric memory and small addresses take few bytes.
inline std::uint64_t folded(std::uint64_t place) {
  return place << 1 | place >> 63;
}
inline std::uint64_t unfolded(std::uint64_t number) {
  return number >> 1 | number << 63;
}

/// Reads what `append` has written; throws windrow::error behind the end.
class text_reader {
 public:
  explicit text_reader(std::string_view text) : rest_(text) {}

  bool at_end() const { return rest_.empty(); }
  std::uint8_t byte() {
    if (rest_.empty()) throw error("a block ends too early");
    const auto first = static_cast<std::uint8_t>(rest_.front());
    rest_.remove_prefix(1);
    return first;
  }
  std::uint64_t number() {
    std::uint64_t result = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const std::uint64_t part = byte();
      result |= (part & 127) << shift;
      if (part < 128) return result;
    }
    throw error("a number is too large");
  }
  std::string text() {
    const auto size = number();
    if (size > rest_.size()) throw error("a block ends too early");
    const std::string result(rest_.substr(0, size));
    rest_.remove_prefix(size);
    return result;
  }

 private:
  std::string_view rest_;
};

} // namespace windrow::overlap
