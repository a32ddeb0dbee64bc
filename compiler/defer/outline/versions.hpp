// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "compiler/common/llvm/names.hpp"

namespace windrow::compiler::defer {

/// Where the function begins it asks whether code may be deferred, and runs `written`, itself as it was
/// written, if not: it may be called by deferred code of any file.
void choose_version(Function& function, Function& written);

} // namespace windrow::compiler::defer
