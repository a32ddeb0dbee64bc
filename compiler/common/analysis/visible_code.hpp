// SPDX-License-Identifier: BSD-3-Clause
// Questions about all code of a function, that of the functions it calls included.
#pragma once

#include <optional>

#include "compiler/common/llvm/names.hpp"

namespace windrow::compiler {

/// Whether the function's code is here to see, and what is called.
bool is_visible(const Function* function);

/// An answer about one instruction; empty if it is that about the function which it calls.
using judgement = function_ref<std::optional<bool>(const Instruction&)>;

/// Whether what the instruction or function does is here to see, and `judge` says yes to all of it. A
/// function that calls itself does nothing by that.
bool holds_for(const Instruction& instruction, judgement judge);
bool holds_in(const Function& function, judgement judge);

} // namespace windrow::compiler
