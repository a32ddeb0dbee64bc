// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/defer/plan/effects.hpp"

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/BasicAliasAnalysis.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/Dominators.h>

#include "compiler/common/api/calls.hpp"

namespace windrow::compiler::defer {

namespace {

class recorder {
 public:
  recorder(Instruction& instruction, const variables& vars, effects& to)
      : instruction_(instruction), vars_(vars), to_(to) {}

  void touch(const Value* address, bool reads, bool writes) {
    auto* var = vars_.of_address(address);
    if (var && reads) to_.reads.insert(var);
    if (var && writes) to_.writes.insert(var);
    if (!var || var->escapes) memory(reads, writes);
  }

  void memory(bool reads, bool writes) {
    if (!reads && !writes) return;
    to_.reads_memory |= reads;
    to_.writes_memory |= writes;
    to_.memory.push_back(&instruction_);
  }

  // A callee may use what its arguments point to.
  void pointed_to(const CallBase& call, bool writes) {
    for (const auto& argument : call.args())
      if (argument->getType()->isPointerTy())
        if (auto* var = vars_.of_address(argument)) {
          to_.reads.insert(var);
          if (writes) to_.writes.insert(var);
        }
  }

 private:
  Instruction& instruction_;
  const variables& vars_;
  effects& to_;
};

bool without_effects(const Instruction& instruction) {
  if (const auto* intrinsic = dyn_cast<IntrinsicInst>(&instruction);
      intrinsic && intrinsic->getIntrinsicID() == Intrinsic::annotation)
    return true;
  return is_commentary(instruction) || is_query(callee_name(instruction));
}

void add_call(const CallBase& call, recorder& record) {
  const auto name = callee_name(call);
  record.pointed_to(call, true);
  // Fetches are ordered by nothing but quiet; what they fetch from is the programmer's promise.
  if (is_fetch(call) || is_runtime_call(name) || call.doesNotAccessMemory() || touches_only_own_frame(call))
    return;
  if (is_unordered_update(name)) return record.memory(reads_its_source(name), false);
  record.memory(true, !call.onlyReadsMemory());
}

} // namespace

void add_effects(Instruction& instruction, const variables& vars, effects& to) {
  recorder record(instruction, vars, to);
  if (without_effects(instruction)) return;
  if (is_instrumentation(instruction)) // MC/DC coverage notes what a variable has collected
    return record.pointed_to(cast<CallBase>(instruction), false);
  if (const auto* load = dyn_cast<LoadInst>(&instruction))
    record.touch(load->getPointerOperand(), true, load->isVolatile() || load->isAtomic());
  else if (const auto* store = dyn_cast<StoreInst>(&instruction))
    record.touch(store->getPointerOperand(), store->isVolatile() || store->isAtomic(), true);
  else if (const auto* memory = dyn_cast<MemIntrinsic>(&instruction)) {
    record.touch(memory->getRawDest(), false, true);
    if (const auto* copy = dyn_cast<MemTransferInst>(memory)) record.touch(copy->getRawSource(), true, false);
  } else if (const auto* call = dyn_cast<CallBase>(&instruction))
    add_call(*call, record);
  else if (instruction.mayReadOrWriteMemory())
    record.memory(true, true);
}

struct memory_oracle::analysis {
  DominatorTree dominators;
  BasicAAResult basic;
  AAResults results;

  analysis(Function& function, const TargetLibraryInfo& library, AssumptionCache& assumptions)
      : dominators(function),
        basic(function.getParent()->getDataLayout(), function, library, assumptions, &dominators),
        results(library) {
    results.addAAResult(basic);
  }
};

memory_oracle::memory_oracle(Function& function, FunctionAnalysisManager& analyses)
    : analysis_(std::make_unique<analysis>(function, analyses.getResult<TargetLibraryAnalysis>(function),
                                           analyses.getResult<AssumptionAnalysis>(function))) {}

memory_oracle::~memory_oracle() = default;

bool memory_oracle::may_conflict(Instruction& first, Instruction& second) const {
  if (!first.mayWriteToMemory() && !second.mayWriteToMemory()) return false;
  auto& results = analysis_->results;
  const auto one = MemoryLocation::getOrNone(&first), other = MemoryLocation::getOrNone(&second);
  if (one && other) return !results.isNoAlias(*one, *other);
  if (other && isa<CallBase>(first)) return isModOrRefSet(results.getModRefInfo(&first, *other));
  if (one && isa<CallBase>(second)) return isModOrRefSet(results.getModRefInfo(&second, *one));
  return true;
}

bool memory_oracle::may_conflict(const effects& first, const effects& second) const {
  if (!(first.writes_memory && (second.reads_memory || second.writes_memory)) &&
      !(first.reads_memory && second.writes_memory))
    return false;
  return any_of(first.memory, [&](Instruction* one) {
    return any_of(second.memory, [&](Instruction* other) { return may_conflict(*one, *other); });
  });
}

bool memory_oracle::must_conflict(const Instruction& first, const Instruction& second) const {
  if (!isa<LoadInst, StoreInst>(first) || !isa<LoadInst, StoreInst>(second)) return false;
  if (!first.mayWriteToMemory() && !second.mayWriteToMemory()) return false;
  const auto alias = analysis_->results.alias(MemoryLocation::get(&first), MemoryLocation::get(&second));
  return alias == AliasResult::MustAlias || alias == AliasResult::PartialAlias;
}

bool memory_oracle::must_conflict(const effects& first, const effects& second) const {
  return any_of(first.memory, [&](Instruction* one) {
    return any_of(second.memory, [&](Instruction* other) { return must_conflict(*one, *other); });
  });
}

} // namespace windrow::compiler::defer
