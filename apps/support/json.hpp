// SPDX-License-Identifier: BSD-3-Clause
// JSON as Windrow writes and reads it.
#pragma once

#include <nlohmann/json.hpp>

namespace windrow {

/// Members stay in the order in which they were added. The only kind of value, because each kind is compiled
/// anew.
using json = nlohmann::ordered_json;

} // namespace windrow

/// In the namespace of `type`: it is written as an object with these members, and read from one that has them
/// all.
#define WINDROW_JSON_MEMBERS(type, ...)                                                \
  inline void to_json(windrow::json& nlohmann_json_j, const type& nlohmann_json_t) {   \
    NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(NLOHMANN_JSON_TO, __VA_ARGS__))           \
  }                                                                                    \
  inline void from_json(const windrow::json& nlohmann_json_j, type& nlohmann_json_t) { \
    NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(NLOHMANN_JSON_FROM, __VA_ARGS__))         \
  }
