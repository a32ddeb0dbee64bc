// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "windrow/balance.hpp"
#include "windrow/detail/object_core.hpp"

namespace windrow::mobile {

struct core::known_load {
  object_id id;
  balance::object_load load;
};

} // namespace windrow::mobile
