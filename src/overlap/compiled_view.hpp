// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace windrow::overlap {

/// Where compiled code asks whether something is under way.
struct compiled_view {
  unsigned char* pages;
  unsigned char* open;
  unsigned char* begun;
  const unsigned char* has_pointers;
};

} // namespace windrow::overlap
