// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "compiler/common/api/marker.hpp"
#include "compiler/defer/rules.hpp"

namespace windrow::compiler::defer {

/// In the directive's statement, a `get` of one element into a scalar local variable becomes the fetch that
/// it is: variable = shmem_ctx_TYPE_g(…). So its value is there where it is used, as the name of `get` says.
/// Whether there were any.
bool make_fetches_of_gets(Function& function, const marker& mark, const rules& switches);

} // namespace windrow::compiler::defer
