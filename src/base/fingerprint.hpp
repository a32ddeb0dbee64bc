// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace windrow::base {

/// Tells apart, by one number, what is meant to be the same on all PEs: the hash of Fowler, Noll and Vo (1a,
/// 64 bits). No protection against malice.
class fingerprint {
 public:
  constexpr void add(std::uint64_t value) { value_ = (value_ ^ value) * 0x100000001b3; }
  constexpr void add(std::string_view text) {
    for (const char c : text) add(std::uint64_t{static_cast<unsigned char>(c)});
  }
  constexpr void add(std::span<const std::byte> bytes) {
    for (const auto b : bytes) add(std::to_integer<std::uint64_t>(b));
  }
  constexpr std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325;
};

} // namespace windrow::base
