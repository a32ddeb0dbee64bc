// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

#include "overlap/recording.hpp"

namespace windrow::overlap {

/// What the text of a windrow_overlap_site says.
site frames_of(std::string_view text);

} // namespace windrow::overlap
