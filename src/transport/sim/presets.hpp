// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string_view>

namespace windrow::transport {

/// A model of the folder models/, as text.
struct preset {
  std::string_view name;
  std::string_view text;
};

/// Made from the folder when the library is built.
extern const std::span<const preset> presets;

} // namespace windrow::transport
