// SPDX-License-Identifier: BSD-3-Clause
// What src/tasks/task.cpp uses of include/windrow/task.hpp.
#pragma once

#include "windrow/detail/task.hpp"

namespace windrow {

int workers();
int this_worker();

} // namespace windrow
