// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>

#include "apps/graph/facts.hpp"

namespace windrow::tools {

/// 1612010 as "1,612,010".
std::string grouped(std::uint64_t number);

/// What a graph looks like, in lines for people, with its degrees as a histogram.
std::string describe(const graph::facts&);

} // namespace windrow::tools
