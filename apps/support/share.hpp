// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "windrow/job.hpp"

namespace windrow::apps {

/// A part of a list that is spread over the PEs, in their order, in shares that differ by one at most.
struct share {
  std::uint64_t first;
  std::uint64_t size;
};

inline share share_of(const job& j, std::uint64_t size) {
  const auto pe = static_cast<std::uint64_t>(j.pe()), pes = static_cast<std::uint64_t>(j.pes());
  const auto first = size * pe / pes;
  return {first, size * (pe + 1) / pes - first};
}

} // namespace windrow::apps
