// SPDX-License-Identifier: BSD-3-Clause
// What keeps everything behind a directive from being deferred.
#pragma once

#include <string>

#include "compiler/common/llvm/names.hpp"

namespace windrow::compiler::defer {

/// Why nothing at all can be deferred in the region; empty if something may be.
std::string whole_refusal(const Function& function, const SetVector<BasicBlock*>& region);

/// Why nothing can be deferred in any region of the file; empty if something may be.
std::string file_refusal(const Module& module);

/// Whether blocks of the function have addresses.
bool has_computed_gotos(const Function& function);

} // namespace windrow::compiler::defer
