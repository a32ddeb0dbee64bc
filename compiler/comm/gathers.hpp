// SPDX-License-Identifier: BSD-3-Clause
// The code that computes places ahead, and has them read (windrow/detail/comm_calls.h).
#pragma once

#include <llvm/ADT/MapVector.h>
#include <llvm/IR/IRBuilder.h>

#include "compiler/comm/ahead.hpp"
#include "compiler/comm/inspector.hpp"
#include "compiler/comm/loop_plan.hpp"

namespace windrow::compiler::comm {

/// Where that code goes, and what it must not meet.
struct gather_site {
  BasicBlock* strip;                          ///< ends with a branch to the header
  BasicBlock* stop;                           ///< where to go if there is no memory, or something meets
  Value* most;                                ///< rounds of the strip
  ArrayRef<std::pair<Value*, Value*>> stores; ///< in memory of this PE: from where to where, as integers
  ArrayRef<std::pair<Value*, Value*>> writes; ///< by bulk transfers, to symmetric addresses
};

class gather_code {
 public:
  gather_code(Loop& loop, const loop_plan& plan, Function& function, IRBuilder<>& builder)
      : loop_(loop),
        plan_(plan.gathered),
        places_ahead_(plan.places_ahead),
        is_nest_(plan.is_nest),
        function_(function),
        builder_(builder) {}

  bool any() const { return !plan_.reads.empty(); }
  Value* has_far_pes();
  /// Of the arrays for so many rounds.
  Value* bytes_for(Value& rounds);
  /// Where the arrays begin.
  void place(Value& memory);
  /// The rounds whose values are here, and the branch to the header.
  std::pair<Value*, Instruction*> read(const gather_site& site);
  /// What the read was, in the rounds that have the values.
  void use_value(size_t number);
  /// A put that stays changes what has been read ahead, too.
  void tell_of_put(CallInst& put);
  void release();
  /// When all else is in its place.
  void promote_counters();

 private:
  void make_variables(BasicBlock& entry);
  void reset_counters();
  void inspect(const gather_site& site, BasicBlock& behind);
  void store_place(size_t number, CallInst& read, BasicBlock& full);
  Value* next_of(BasicBlock* block);
  void leave_where_full(Value& next, BasicBlock& full);
  Value* ask();
  Value* field(size_t number, unsigned which);
  Value* any_meets(const gather_site& site);
  Value* meets(ArrayRef<std::pair<Value*, Value*>> ranges, unsigned extent);
  BasicBlock* block(const char* name);
  FunctionCallee runtime(StringRef name, Type* result, ArrayRef<Type*> parameters);

  struct array_pair {
    Value *places, *pes;
  };

  Loop& loop_;
  const ahead& plan_;
  uint64_t places_ahead_;
  bool is_nest_;
  Function& function_;
  IRBuilder<>& builder_;
  Value* room_ = nullptr; ///< places of each read
  SmallVector<array_pair, 2> arrays_;
  SmallVector<Value*, 2> values_; ///< where those of a strip begin
  AllocaInst *descriptions_ = nullptr, *extents_ = nullptr;
  AllocaInst* rounds_ = nullptr; ///< that have been gone through ahead
  MapVector<BasicBlock*, place_counter> counters_;
  DenseMap<BasicBlock*, Value*> numbers_; ///< of a block's reads, in this execution of it
};

} // namespace windrow::compiler::comm
