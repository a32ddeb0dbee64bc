// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "compiler/common/llvm/names.hpp"

namespace windrow::compiler::defer {

/// Puts the bodies of small functions into the statements behind directives in `function` that call them, so
/// that the fetches in them, and what they do with fetched values, are seen as if they stood there. Whether
/// there were any.
bool inline_callees(Function& function);

} // namespace windrow::compiler::defer
