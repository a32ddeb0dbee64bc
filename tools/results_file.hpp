// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "apps/support/json.hpp"

namespace windrow::tools {

/// As text of several lines. Names of files need not be UTF-8: what is not becomes U+FFFD.
std::string json_text(const json& content);

/// Throws windrow::error if such a file cannot be written, unless the name is empty: to be asked before
/// measuring, which takes long.
void require_results_file(const std::string& file);

/// Writes `content` to a file as JSON. Throws windrow::error if that cannot be done.
void write_json(const std::string& file, const json& content);

} // namespace windrow::tools
