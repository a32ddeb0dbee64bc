// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/defer/lower/open_in_place.hpp"

#include "compiler/common/api/calls.hpp"
#include "compiler/common/runtime/verbs.hpp"
#include "compiler/defer/lower/block_opener.hpp"
#include "compiler/defer/lower/runs.hpp"

namespace windrow::compiler::defer {

namespace {

class in_place_opener {
 public:
  in_place_opener(const record_calls& calls, ArrayRef<unit> units, code& outer, code& callback,
                  Instruction& end, bool copies_memory)
      : record_(calls.record()),
        issued_(calls.issued()),
        units_(units),
        outer_(outer),
        callback_(callback),
        end_(&end),
        copies_memory_(copies_memory) {}

  bool run() {
    return runs_straight() && (callback_.layout.bulk ? open_range_in_place() : open_block_in_place());
  }

 private:
  bool open_block_in_place() {
    SmallVector<const CallInst*, 4> fetches;
    for (const auto& one : issued_) fetches.push_back(one.fetch);
    auto* open = open_block(*outer_.function->getParent(), fetches);
    if (!open) return false;
    IRBuilder<> builder(end_);
    builder.SetCurrentDebugLocation(record_->getDebugLoc());
    make_runs(fetches);
    auto arguments = described();
    arguments.append({callback_.lowered.run, callback_.lowered.loading_run});
    append_range(arguments, no_batch(context_));
    for (const auto& [fetch, call, offset] : issued_) {
      callback_.layout.slots.push_back(
          {fetch->getType(), may_load_later(*fetch), static_cast<unsigned>(arguments.size())});
      arguments.push_back(builder.getInt64(offset));
      append_range(arguments, drop_begin(fetch->args()));
      call->eraseFromParent();
    }
    finish_in_place(*builder.CreateCall(open, arguments), builder);
    return true;
  }

  // What the record is opened with: context, body, bytes, parent, level.
  SmallVector<Value*, 24> described() const {
    if (!issued_.empty()) return {record_->arg_begin(), record_->arg_end()};
    Value* const none = ConstantPointerNull::get(pointer_);
    return {none, record_->getArgOperand(1), record_->getArgOperand(2), record_->getArgOperand(0),
            record_->getArgOperand(3)};
  }

  // Behind a range, which is the only fetch then.
  bool open_range_in_place() {
    if (issued_.size() != 1) return false;
    auto& bulk = *callback_.layout.bulk;
    auto* open = open_range(*outer_.function->getParent(), bulk.element_bytes);
    if (!open) return false;
    IRBuilder<> builder(end_);
    builder.SetCurrentDebugLocation(record_->getDebugLoc());
    auto& made = callback_;
    made.lowered.run = made.lowered.loading_run = make_run(*made.function, ".run");
    made.helpers.push_back(made.lowered.run);
    bulk.address_at = made.add_field(*pointer_);
    bulk.outside = nullptr;
    const auto& [fetch, call, offset] = issued_.front();
    SmallVector<Value*, 24> arguments(record_->arg_begin(), record_->arg_end());
    arguments.append({made.lowered.run, made.lowered.loading_run});
    append_range(arguments, no_batch(context_));
    made.layout.slots.push_back({pointer_, false, static_cast<unsigned>(arguments.size())});
    arguments.push_back(builder.getInt64(bulk.address_at));
    append_range(arguments, drop_begin(fetch->args()));
    call->eraseFromParent();
    finish_in_place(*builder.CreateCall(open, arguments), builder);
    return true;
  }

  void finish_in_place(CallInst& opened, IRBuilder<>& builder) {
    auto* record = builder.CreateExtractValue(&opened, 0, "rec");
    auto* complete = builder.CreateExtractValue(&opened, 1);
    move_captures();
    builder.CreateCall(finish_block(*outer_.function->getParent()), {record, complete});
    record_->replaceAllUsesWith(record);
    record_->eraseFromParent();
    callback_.open = &opened;
    callback_.lowered.in_place = true;
  }

  void make_runs(ArrayRef<const CallInst*> fetches) {
    auto& made = callback_;
    made.lowered.run = made.lowered.loading_run = make_run(*made.function, ".run");
    made.helpers.push_back(made.lowered.run);
    if (none_of(fetches, [](const CallInst* fetch) { return may_load_later(*fetch); })) return;
    made.lowered.loading_run = make_run(*made.function, ".run_loading");
    made.helpers.push_back(made.lowered.loading_run);
  }

  // Nothing between the place of the record and its end that could see where it is opened.
  bool runs_straight() const {
    SmallPtrSet<const BasicBlock*, 8> seen;
    for (const Instruction* at = record_->getNextNode(); at != end_;) {
      if (at->isTerminator()) {
        if (const auto* join = join_behind(*at)) {
          if (!seen.insert(at->getParent()).second || !may_be_passed(*at, *join)) return false;
          at = &join->front();
          continue;
        }
        const auto* branch = dyn_cast<BranchInst>(at);
        if (!branch || branch->isConditional() || !branch->getSuccessor(0)->getSinglePredecessor() ||
            !seen.insert(branch->getParent()).second)
          return false;
        at = &branch->getSuccessor(0)->front();
        continue;
      }
      if (!may_be_passed(*at)) return false;
      at = at->getNextNode();
    }
    return true;
  }

  // Of the condition or loop that the terminator enters, if that stays.
  const BasicBlock* join_behind(const Instruction& terminator) const {
    const auto found = find_if(units_, [&](const unit& part) {
      return part.compound() && !part.deferred && part.at == terminator.getParent();
    });
    return found == units_.end() ? nullptr : found->join;
  }

  // All between the terminator and the join.
  bool may_be_passed(const Instruction& terminator, const BasicBlock& join) const {
    SetVector<const BasicBlock*> inside;
    const auto add_ways = [&](const BasicBlock& from) {
      for (const auto* to : successors(&from))
        if (to != &join) inside.insert(to);
    };
    add_ways(*terminator.getParent());
    for (size_t i = 0; i < inside.size(); ++i) {
      if (succ_empty(inside[i]) ||
          !all_of(*inside[i], [&](const Instruction& at) { return may_be_passed(at); }))
        return false;
      add_ways(*inside[i]);
    }
    return true;
  }

  bool may_be_passed(const Instruction& instruction) const {
    const auto* call = dyn_cast<CallBase>(&instruction);
    return !instruction.isVolatile() && !instruction.isAtomic() && (!call || may_be_passed(*call));
  }

  bool may_be_passed(const CallBase& call) const {
    if (const auto* intrinsic = dyn_cast<IntrinsicInst>(&call))
      return !call.doesNotReturn() && (!copies_memory_ || !intrinsic->isLifetimeStartOrEnd());
    return is_query(callee_name(call)) ||
           any_of(issued_, [&](const auto& one) { return &call == one.fetch || &call == one.call; });
  }

  void move_captures() {
    SmallVector<Instruction*, 16> fields;
    for (auto* user : record_->users()) fields.push_back(cast<Instruction>(user));
    for (auto* at : fields) {
      if (at->use_empty() && isa<GetElementPtrInst>(at)) { // the slot's
        at->eraseFromParent();
        continue;
      }
      at->moveBefore(end_);
      for (auto* user : at->users()) cast<Instruction>(user)->moveBefore(end_);
    }
  }

  CallInst* record_;
  ArrayRef<issued_fetch> issued_;
  ArrayRef<unit> units_;
  code& outer_;
  code& callback_;
  Instruction* end_; // the record is complete in front of it
  bool copies_memory_;
  LLVMContext& context_ = outer_.function->getContext();
  PointerType* pointer_ = PointerType::getUnqual(context_);
};

} // namespace

bool open_in_place(const record_calls& calls, ArrayRef<unit> units, code& outer, code& callback,
                   Instruction& end, bool copies_memory) {
  return in_place_opener(calls, units, outer, callback, end, copies_memory).run();
}

} // namespace windrow::compiler::defer
