// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace windrow::tools {

/// Writes `content` to a file as JSON. Throws windrow::error if that cannot be done.
void write_json(const std::string& file, const nlohmann::json& content);

} // namespace windrow::tools
