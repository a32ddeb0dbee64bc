// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <bit>
#include <cstdint>

namespace windrow::detail {

/// Divides 63-bit numbers by a divisor fixed at run time with one multiplication and one shift
/// (Granlund and Montgomery, "Division by invariant integers using multiplication", PLDI 1994).
class divider {
 public:
  constexpr divider() = default;
  constexpr explicit divider(std::uint64_t divisor) : divisor_(divisor) {
    // With b = ceil(log2 divisor), ceil(2^(63 + b) / divisor) is below 2^64 and exact for every 63-bit
    // dividend.
    shift_ = divisor == 1 ? 0 : 64 - std::countl_zero(divisor - 1);
    factor_ = static_cast<std::uint64_t>(((static_cast<wide>(1) << (63 + shift_)) + divisor - 1) / divisor);
  }

  constexpr std::uint64_t divisor() const { return divisor_; }
  /// The quotient of n is the upper half of 2n times the factor, shifted to the right.
  constexpr std::uint64_t factor() const { return factor_; }
  constexpr int shift() const { return shift_; }
  constexpr std::uint64_t quotient(std::uint64_t n) const {
    return static_cast<std::uint64_t>((static_cast<wide>(2 * n) * factor_) >> 64) >> shift_;
  }

 private:
  __extension__ using wide = unsigned __int128;
  std::uint64_t divisor_ = 1;
  std::uint64_t factor_ = std::uint64_t{1} << 63;
  int shift_ = 0;
};

} // namespace windrow::detail
