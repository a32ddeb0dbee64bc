// SPDX-License-Identifier: BSD-3-Clause
// What all parts of the pass put into a module: places in the source, calls of the runtime, checks before
// these.
#pragma once

#include <llvm/ADT/StringMap.h>
#include <llvm/IR/IRBuilder.h>

#include "compiler/common/llvm/names.hpp"

namespace windrow::compiler::overlap {

class instruments {
 public:
  explicit instruments(Module& module);

  /// The place that the instruction stands in, as the runtime wants it.
  Constant* site_of(const Instruction& instruction);
  /// A function of the runtime, by its name behind windrow_overlap_.
  FunctionCallee runtime(StringRef name, ArrayRef<Type*> arguments);
  /// A call of it where the builder is.
  void call(IRBuilder<>& builder, StringRef name, ArrayRef<Value*> arguments);
  /// A check before the instruction that takes it for code which nobody knows: it may use all memory.
  void conflict_with_all(Instruction& before);
  // What follows splits a block, which takes as long as the rest of it is: so from the last instruction to
  // the first.

  /// Code before the instruction that runs only if something is tracked on the page of the address.
  Instruction* if_page_is_tracked(Instruction* before, Value* address);
  /// Code before the instruction that runs only if something is tracked at all.
  Instruction* if_anything_is_tracked(Instruction* before);
  /// Code before the instruction that runs only if something has begun that may not be complete everywhere.
  Instruction* if_anything_has_begun(Instruction* before);
  /// Code before the instruction that runs only if calls are followed.
  Instruction* if_calls_are_followed(Instruction* before);
  Value* are_calls_followed(IRBuilder<>& builder);
  /// Whether something is tracked, where the builder is.
  Value* is_anything_tracked(IRBuilder<>& builder);

  Module& module() { return module_; }

 private:
  Instruction* if_true(Value* condition, Instruction* before);
  void find_early_code();

  Module& module_;
  SmallPtrSet<const Function*, 8> early_; ///< may run before the table of pages is there
  GlobalVariable *pages_, *open_, *begun_, *follows_;
  StringMap<Constant*> sites_;
};

/// Whether the function, as it is in this module, gets checks.
bool has_checks(const Function&);

/// Memory that no transfer can know of, or that never changes.
bool is_private(const Value* address);

} // namespace windrow::compiler::overlap
