// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "windrow/types.hpp"

namespace windrow::pgas {

/// The PEs start, start + stride, …: a set of any size in three numbers. Member m is PE start + m * stride;
/// the stride is not 0, and negative for an order from high to low.
struct strided_pes {
  pe_t start;
  pe_t stride;
  pe_t size;

  pe_t at(pe_t member) const { return start + member * stride; }
  /// The member that is PE `pe`, or -1.
  pe_t member(pe_t pe) const {
    const pe_t distance = pe - start;
    const pe_t index = distance / stride;
    return distance % stride == 0 && index >= 0 && index < size ? index : -1;
  }
  bool lies_within(pe_t pes) const {
    const auto last = start + static_cast<std::int64_t>(stride) * (std::int64_t{size} - 1);
    return size >= 1 && start >= 0 && start < pes && last >= 0 && last < pes;
  }
};

} // namespace windrow::pgas
