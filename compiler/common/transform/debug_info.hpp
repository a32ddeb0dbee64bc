// SPDX-License-Identifier: BSD-3-Clause
// Debug information of code that has moved to another function.
#pragma once

#include "compiler/common/llvm/names.hpp"

namespace windrow::compiler {

/// Gives `callback` a description as an artificial function in the file of `outer`, if that has one.
void describe_callback(Function& callback, const Function& outer);

/// Makes the instruction, which has moved to `callback`, speak of that function. Variables are not described
/// there.
void move_debug_info(Instruction& instruction, Function& callback);

/// LLVM demands a location of every call to a function that has a description.
void complete_locations(Function& function);

/// Drops records about values that have moved to other functions.
void drop_foreign_records(Function& function);

/// Replaces the branch at the end of a block by one to `join`; which it returns. What stands there about
/// variables stays.
Instruction* pass_by(Instruction& branch, BasicBlock& join);

/// Tells the debugger where the callback has a variable: `path` leads there from `base`.
void describe_variable(Function& callback, AllocaInst& base, const DILocalVariable* description,
                       ArrayRef<uint64_t> path);

} // namespace windrow::compiler
