// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "windrow/balance.hpp"

namespace windrow::balance {

/// The policy in a library (WINDROW_POLICY), which stays loaded. Throws windrow::error if there is none.
policy loaded_policy(const std::string& file);

} // namespace windrow::balance
