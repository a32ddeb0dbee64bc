// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/comm/coalesce.hpp"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "compiler/comm/obstacles.hpp"
#include "compiler/comm/options.hpp"
#include "compiler/comm/polling.hpp"
#include "compiler/common/api/calls.hpp"

namespace windrow::compiler::comm {

namespace {

constexpr int64_t most_together = 1024; // bytes that cost less than another way to and fro
constexpr uint64_t box_align = 16;

class group_finder {
 public:
  group_finder(ArrayRef<CallInst*> reads, known_facts& facts) : facts_(facts) {
    for (auto* read : reads)
      if (is_candidate(*read)) wanted_.insert(read);
  }

  std::vector<neighbours> run(Function& function) {
    for (auto& block : function) {
      for (auto& instruction : block) {
        if (auto* call = dyn_cast<CallInst>(&instruction); call && wanted_.contains(call))
          add(*call);
        else if (auto* store = dyn_cast<StoreInst>(&instruction); store && store->isSimple())
          for (const auto number : open_) groups_[number].stores.push_back(store);
        else if (ends_groups(instruction))
          open_.clear();
      }
      open_.clear();
    }
    erase_if(groups_, [](const neighbours& one) { return one.reads.size() < 2; });
    return std::move(groups_);
  }

 private:
  bool is_candidate(CallInst& call) const {
    const auto access = plain_access_of(call);
    if (!access || !access->reads || access->local || is_strict(call)) return false;
    if (!is_relaxed(call) && active_options().hold("promise")) return false;
    const auto* loop = facts_.loops.getLoopFor(call.getParent());
    return is_elsewhere_each_round(*access, loop) || !may_poll(*access, loop, facts_);
  }

  // As in a walk through a tree or a list, whose end such a read decides without waiting for another PE. It
  // is made again in each round, as it was.
  bool is_elsewhere_each_round(const plain_access& access, const Loop* loop) const {
    return loop && !facts_.evolution.isLoopInvariant(facts_.evolution.getSCEV(access.remote), loop);
  }

  void add(CallInst& call) {
    const auto access = *plain_access_of(call);
    for (const auto number : open_)
      if (join(groups_[number], access)) return;
    open_.push_back(groups_.size());
    groups_.push_back({{&call}, {0}, 0, static_cast<int64_t>(access.bytes), {}});
  }

  bool join(neighbours& group, const plain_access& access) {
    const auto first = *plain_access_of(*group.reads.front());
    auto& evolution = facts_.evolution;
    if (evolution.getSCEV(first.pe) != evolution.getSCEV(access.pe)) return false;
    const auto* apart = dyn_cast<SCEVConstant>(
        evolution.getMinusSCEV(evolution.getSCEV(access.remote), evolution.getSCEV(first.remote)));
    if (!apart || apart->getAPInt().getSignificantBits() > 32) return false;
    const auto offset = apart->getAPInt().getSExtValue();
    const auto low = std::min(group.low, offset);
    const auto end = std::max(group.end, offset + static_cast<int64_t>(access.bytes));
    if (end - low > most_together || is_stored_to(access, group)) return false;
    group.reads.push_back(access.call);
    group.offsets.push_back(offset);
    group.low = low;
    group.end = end;
    return true;
  }

  // The place may be one of this PE.
  bool is_stored_to(const plain_access& access, const neighbours& group) {
    return active_options().hold("between") && any_of(group.stores, [&](StoreInst* store) {
             return isModSet(facts_.aliases.getModRefInfo(store, access.there()));
           });
  }

  // Whether a read behind the instruction may have another value in front of it, or is perhaps not made at
  // all.
  static bool ends_groups(Instruction& instruction) {
    if (!active_options().hold("between")) return false;
    if (instruction.isVolatile() || instruction.isAtomic()) return true;
    if (is_query(callee_name(instruction)) || changes_nothing(instruction)) return false;
    if (const auto access = plain_access_of(instruction)) return !access->reads || access->local;
    if (may_synchronise(instruction)) return true;
    return instruction.mayWriteToMemory() || !isGuaranteedToTransferExecutionToSuccessor(&instruction);
  }

  known_facts& facts_;
  SmallPtrSet<CallInst*, 16> wanted_;
  std::vector<neighbours> groups_;
  SmallVector<size_t, 4> open_; ///< of these, those that may go on
};

class combiner {
 public:
  combiner(Function& function, AllocaInst& buffer)
      : function_(function), builder_(function.getContext()), buffer_(buffer) {}

  void run(const neighbours& group) {
    auto* first = group.reads.front();
    auto* block = first->getParent();
    auto* rest = SplitBlock(block, first);
    auto &far = *add_block("together", *rest), &near = *add_block("each", *rest);
    block->getTerminator()->eraseFromParent();
    builder_.SetInsertPoint(block);
    builder_.SetCurrentDebugLocation(first->getDebugLoc());
    auto* number = builder_.getInt32Ty();
    auto* said = builder_.CreateLoad(
        number, function_.getParent()->getOrInsertGlobal("windrow_comm_has_far_pes", number));
    builder_.CreateCondBr(builder_.CreateICmpNE(said, builder_.getInt32(0)), &far, &near);
    const auto together = read_box(group, far, *rest), each = read_each(group, near, *rest);
    builder_.SetInsertPoint(rest, rest->begin());
    for (const auto& [read, one, other] : zip(group.reads, together, each)) {
      auto* value = builder_.CreatePHI(read->getType(), 2);
      value->addIncoming(one, &far);
      value->addIncoming(other, &near);
      value->takeName(read);
      read->replaceAllUsesWith(value);
    }
    for (auto* read : group.reads) read->eraseFromParent();
  }

 private:
  BasicBlock* add_block(const char* name, BasicBlock& before) {
    return BasicBlock::Create(function_.getContext(), name, &function_, &before);
  }

  Value* place(const neighbours& group, int64_t offset) {
    return builder_.CreateGEP(builder_.getInt8Ty(), plain_access_of(*group.reads.front())->remote,
                              builder_.getInt64(static_cast<uint64_t>(offset)));
  }

  SmallVector<Value*, 4> read_box(const neighbours& group, BasicBlock& in, BasicBlock& to) {
    builder_.SetInsertPoint(&in);
    auto* pointer = builder_.getPtrTy();
    auto* type = FunctionType::get(builder_.getVoidTy(),
                                   {pointer, pointer, builder_.getInt64Ty(), builder_.getInt32Ty()}, false);
    auto* call = builder_.CreateCall(
        function_.getParent()->getOrInsertFunction("shmem_getmem", type),
        {&buffer_, place(group, group.low), builder_.getInt64(static_cast<uint64_t>(group.end - group.low)),
         plain_access_of(*group.reads.front())->pe});
    settle(*call);
    SmallVector<Value*, 4> values;
    for (const auto& [read, offset] : zip(group.reads, group.offsets)) {
      const auto at = static_cast<uint64_t>(offset - group.low);
      values.push_back(builder_.CreateAlignedLoad(
          read->getType(), builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), &buffer_, at),
          commonAlignment(Align(box_align), at)));
    }
    builder_.CreateBr(&to);
    return values;
  }

  // One after the other, as they were, but of places that are known in front of the first one.
  SmallVector<Value*, 4> read_each(const neighbours& group, BasicBlock& in, BasicBlock& to) {
    builder_.SetInsertPoint(&in);
    const auto first = *plain_access_of(*group.reads.front());
    SmallVector<Value*, 4> values;
    for (const auto& [read, offset] : zip(group.reads, group.offsets)) {
      const auto old = *plain_access_of(*read);
      auto* call = cast<CallInst>(read->clone());
      for (auto& argument : call->args())
        if (argument.get() == old.remote)
          argument.set(read == first.call ? first.remote : place(group, offset));
        else if (argument.get() == old.pe)
          argument.set(first.pe);
      builder_.Insert(call);
      call->setDebugLoc(read->getDebugLoc());
      settle(*call);
      values.push_back(call);
    }
    builder_.CreateBr(&to);
    return values;
  }

  Function& function_;
  IRBuilder<> builder_;
  AllocaInst& buffer_;
};

} // namespace

std::vector<neighbours> find_neighbours(Function& function, ArrayRef<CallInst*> reads, known_facts& facts) {
  const ReversePostOrderTraversal<const Function*> blocks(&function);
  if (containsIrreducibleCFG<const BasicBlock*>(blocks, facts.loops))
    return {}; // cycles may poll that are no loops
  return group_finder(reads, facts).run(function);
}

// Each group's values are taken from the buffer at once, so one serves all.
void read_together(Function& function, ArrayRef<neighbours> groups) {
  if (groups.empty()) return;
  int64_t largest = 0;
  for (const auto& one : groups) largest = std::max(largest, one.end - one.low);
  IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
  auto* buffer = builder.CreateAlloca(ArrayType::get(builder.getInt8Ty(), static_cast<uint64_t>(largest)),
                                      nullptr, "neighbours");
  buffer->setAlignment(Align(box_align));
  for (const auto& one : groups) combiner(function, *buffer).run(one);
}

} // namespace windrow::compiler::comm
