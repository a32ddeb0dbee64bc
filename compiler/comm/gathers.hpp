// SPDX-License-Identifier: BSD-3-Clause
// The code that computes places ahead, and has them read (windrow/detail/comm_calls.h).
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include "compiler/comm/ahead.hpp"

namespace windrow::compiler::comm {

/// Where that code goes, and what it must not meet.
struct gather_site {
  BasicBlock* strip;  ///< ends with a branch to the header
  BasicBlock* header; ///< of the loop that uses the values
  BasicBlock* latch;
  BasicBlock* stop;                           ///< where to go if there is no memory, or something meets
  Value* count;                               ///< rounds of the strip
  ArrayRef<std::pair<Value*, Value*>> stores; ///< in memory of this PE: from where to where, as integers
  ArrayRef<std::pair<Value*, Value*>> writes; ///< by bulk transfers, to symmetric addresses
};

class gather_code {
 public:
  gather_code(const ahead& plan, Function& function, IRBuilder<>& builder)
      : plan_(plan), function_(function), builder_(builder) {}

  bool any() const { return !plan_.reads.empty(); }
  Value* has_far_pes();
  /// Of the arrays for so many rounds, and no more than `most`.
  Value* bytes_for(Value& rounds, uint64_t most);
  /// Where the arrays begin.
  void place(Value& memory) { memory_ = &memory; }
  void read(const gather_site& site);
  /// Where the value of read `number` is.
  Value* value_of(size_t number, Value& round);
  void release();

 private:
  void make_descriptions(BasicBlock& entry);
  void compute(const gather_site& site, BasicBlock& loop, BasicBlock& behind);
  void copy_into(ArrayRef<Instruction*> instructions, ValueToValueMapTy& copies);
  void store_place(size_t number, ValueToValueMapTy& copies, Value& round);
  void store_where(size_t number, Value& place, Value& pe, Value& round);
  Value* array_of(size_t number, bool pes);
  Value* field(size_t number, unsigned which);
  Value* any_meets(const gather_site& site);
  Value* meets(ArrayRef<std::pair<Value*, Value*>> ranges, unsigned extent);
  FunctionCallee runtime(StringRef name, Type* result, ArrayRef<Type*> parameters);

  const ahead& plan_;
  Function& function_;
  IRBuilder<>& builder_;
  Value *memory_ = nullptr, *room_ = nullptr;
  SmallVector<Value*, 2> values_; ///< where those of a strip begin
  AllocaInst *descriptions_ = nullptr, *extents_ = nullptr;
};

} // namespace windrow::compiler::comm
