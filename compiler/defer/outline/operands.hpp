// SPDX-License-Identifier: BSD-3-Clause
// Operands of what runs at the owner that are made there, of less than they are: constants take nothing
// along, and what a narrower value has been widened to takes that.
#pragma once

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>

#include "compiler/common/llvm/names.hpp"

namespace windrow::compiler::defer {

/// How the operands of one fetch are computed in front of it.
class operand_sources {
 public:
  explicit operand_sources(const CallInst& fetch);

  /// What has to be there so that the operands can be made of it: numbers.
  ArrayRef<Value*> all() const { return sources_.getArrayRef(); }
  uint64_t bytes_of(const Value& value) const;
  uint64_t operand_bytes() const;

  /// A function (captured, common, operands) that makes the operands at the owner and stores them one behind
  /// the other. `arrived` loads a source there.
  Function& make_operands(const Twine& name,
                          function_ref<Value*(IRBuilder<>&, Function&, Value&)> arrived) const;

 private:
  using arrivals = DenseMap<Value*, Value*>;

  ArrayRef<Use> operands() const;
  Value& stored(Value& value) const;
  uint64_t least_bytes(Value& value, unsigned depth) const;
  uint64_t bytes_to_compute(const Instruction& instruction, unsigned depth) const;
  bool is_computed(Value& value, unsigned depth) const;
  void find_sources(Value& value, unsigned depth);
  Value* compute(IRBuilder<>& builder, Value& value, const arrivals& there) const;

  const CallInst& fetch_;
  const DominatorTree dominators_;
  SetVector<Value*> sources_;
};

} // namespace windrow::compiler::defer
