// SPDX-License-Identifier: BSD-3-Clause
// The code of inlined/, as bitcode in the plug-in, and what functions are made of that use it. Such functions
// are made once per module, and inlined at every level.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include "compiler/common/llvm/names.hpp"

namespace windrow::compiler {

/// Whether modules for this target can have such functions at all.
bool can_inline(const Module& module);

/// What the names of the functions in inlined/ begin with.
inline constexpr StringRef inlined_prefix = "windrow_inlined_";

/// A runtime function.
FunctionCallee runtime_function(Module& module, StringRef name, Type* result, ArrayRef<Type*> parameters);

/// Calls it with the types that the arguments have.
CallInst* call_inlined(IRBuilder<>& builder, StringRef name, Type* result, ArrayRef<Value*> arguments);

/// An internal function of the module that is inlined whatever it costs; empty if it is new.
Function* make_inlined_function(Module& module, const Twine& name, Type* result, ArrayRef<Type*> parameters);

SmallVector<Value*, 16> arguments_of(Function& function);

/// The address `offset` bytes behind `base`, in the same object.
Value* field(IRBuilder<>& builder, Value& base, uint64_t offset);

/// if (result) goto taken; otherwise: the builder's new place. Returns the block of the test.
BasicBlock* branch_on(IRBuilder<>& builder, Value* result, BasicBlock* taken);

/// Takes what has been used of the bitcode into the module.
void link_inlined_calls(Module& module);

} // namespace windrow::compiler
