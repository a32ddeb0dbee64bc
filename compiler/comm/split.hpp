// SPDX-License-Identifier: BSD-3-Clause
// Blocking gets and puts that are begun, and waited for where the plan says.
#pragma once

#include "compiler/comm/wait_plan.hpp"

namespace windrow::compiler::comm {

void split_phases(Function& function, const wait_plan& plan);

} // namespace windrow::compiler::comm
