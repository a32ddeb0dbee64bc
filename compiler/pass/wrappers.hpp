// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "compiler/pass/llvm.hpp"

namespace windrow::defer {

/// Puts the bodies of small functions that fetch into the statements behind directives in `function`, so that
/// what they fetch can be deferred. Whether there were any.
bool inline_wrappers(Function& function);

} // namespace windrow::defer
