// SPDX-License-Identifier: BSD-3-Clause
#include "tools/surroundings.hpp"

#include <fmt/format.h>

#include "windrow/error.hpp"

namespace windrow::tools {

std::string surroundings::existing(const std::filesystem::path& path) {
  if (!std::filesystem::exists(path))
    throw error(
        fmt::format("{} is missing: build and install Windrow with -DWINDROW_DEVELOPER=ON", path.string()));
  return path.string();
}

} // namespace windrow::tools
