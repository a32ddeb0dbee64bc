// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "apps/graph/facts.hpp"

namespace windrow::tools {

/// What a graph looks like, in lines for people, with its degrees as a histogram.
std::string describe(const graph::facts&);

} // namespace windrow::tools
