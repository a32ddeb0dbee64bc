// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/defer/prepare/normalise.hpp"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include "compiler/common/api/calls.hpp"
#include "compiler/common/llvm/versions.hpp"
#include "compiler/defer/plan/variables.hpp"
#include "compiler/defer/prepare/callees.hpp"
#include "compiler/defer/prepare/forward.hpp"

namespace windrow::compiler::defer {

namespace {

// ---- calls

const Value* stored_to(const Value& alloca) {
  const StoreInst* only = nullptr;
  for (const auto* user : alloca.users())
    if (const auto* store = dyn_cast<StoreInst>(user)) {
      if (only) return nullptr;
      only = store;
    }
  return only ? only->getValueOperand() : nullptr;
}

// Whether `value` is the parameter, or its copy in memory as clang makes it.
bool is_parameter(const Value* value, const Argument& parameter) {
  if (const auto* load = dyn_cast<LoadInst>(value))
    if (const auto* alloca = dyn_cast<AllocaInst>(load->getPointerOperand())) value = stored_to(*alloca);
  return value == &parameter;
}

// What a function does with its own copies of its parameters.
bool handles_own_copies(const Instruction& instruction) {
  if (const auto* load = dyn_cast<LoadInst>(&instruction)) return isa<AllocaInst>(load->getPointerOperand());
  if (const auto* store = dyn_cast<StoreInst>(&instruction))
    return isa<AllocaInst>(store->getPointerOperand());
  return isa<AllocaInst>(instruction) || is_commentary(instruction) || instruction.isTerminator();
}

// The routine of OpenSHMEM that an overload of C++ passes its arguments on to, if it does nothing else.
Function* forwarded_to(const Function& overload) {
  if (overload.size() != 1 || overload.isVarArg() || overload.isInterposable()) return nullptr;
  const CallInst* only = nullptr;
  for (const auto& instruction : overload.front()) {
    if (handles_own_copies(instruction)) continue;
    const auto* call = dyn_cast<CallInst>(&instruction);
    if (only || !call) return nullptr;
    only = call;
  }
  auto* routine = only ? only->getCalledFunction() : nullptr;
  const auto* result = dyn_cast<ReturnInst>(overload.front().getTerminator());
  if (!routine || !result || !routine->getName().starts_with("shmem_")) return nullptr;
  if (routine->getFunctionType() != overload.getFunctionType()) return nullptr;
  if (result->getReturnValue() && result->getReturnValue() != only) return nullptr;
  for (const auto& parameter : overload.args())
    if (!is_parameter(only->getArgOperand(parameter.getArgNo()), parameter)) return nullptr;
  return routine;
}

void call_routines_directly(Function& function) {
  for (auto& instruction : make_early_inc_range(instructions(function))) {
    auto* call = dyn_cast<CallBase>(&instruction);
    auto* callee = call ? call->getCalledFunction() : nullptr;
    if (!callee) continue;
    if (auto* routine = callee->isDeclaration() ? nullptr : forwarded_to(*callee))
      call->setCalledFunction(routine);
    // No routine of the library throws; C++ cannot know.
    if (auto* invoke = dyn_cast<InvokeInst>(call);
        invoke && invoke->getCalledFunction()->getName().starts_with("shmem_"))
      changeToCall(invoke);
  }
}

// ---- fetches in the arms of expressions

bool comes_of_fetch(const Value* value, unsigned steps = 0) {
  const auto* instruction = dyn_cast<Instruction>(value);
  if (!instruction || steps == 8 || isa<PHINode, LoadInst>(instruction)) return false;
  if (isa<CallBase>(instruction)) return is_fetch(*instruction);
  return any_of(instruction->operand_values(),
                [&](const Value* operand) { return comes_of_fetch(operand, steps + 1); });
}

// condition ? fetch : other: a variable that the arms write, so that what uses it can wait for it.
void keep_results_of_arms(Function& function) {
  SmallVector<PHINode*, 4> results;
  for (auto& block : function)
    for (auto& phi : block.phis())
      if (any_of(phi.incoming_values(), [](const Use& value) { return comes_of_fetch(value.get()); }))
        results.push_back(&phi);
  for (auto* phi : results) {
    const auto location = phi->getDebugLoc();
    auto* result = DemotePHIToStack(phi);
    result->setName("result");
    for (auto* user : result->users()) cast<Instruction>(user)->setDebugLoc(location);
  }
}

// ---- structure

void own_copy(BasicBlock& block, BasicBlock& predecessor) {
  ValueToValueMapTy mapped;
  auto* copy = CloneBasicBlock(&block, mapped, ".own", block.getParent());
  for (auto& instruction : *copy)
    remap(instruction, mapped, RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
  for (auto& phi : make_early_inc_range(copy->phis())) {
    phi.replaceAllUsesWith(phi.getIncomingValueForBlock(&predecessor));
    phi.eraseFromParent();
  }
  predecessor.getTerminator()->replaceSuccessorWith(&block, copy);
  block.removePredecessor(&predecessor, true);
}

// Checks share the block that reports a failure and ends the program. It would tie unrelated statements
// together.
void separate_dead_ends(Function& function) {
  SmallVector<BasicBlock*, 8> shared;
  for (auto& block : function)
    if (isa<UnreachableInst>(block.getTerminator()) && block.hasNPredecessorsOrMore(2))
      shared.push_back(&block);
  for (auto* block : shared) {
    SmallSetVector<BasicBlock*, 8> before(pred_begin(block), pred_end(block));
    for (auto* predecessor : drop_begin(before)) own_copy(*block, *predecessor);
  }
}

// A loop is entered from one block, which does nothing but enter it.
void add_preheaders(Function& function) {
  DominatorTree dominators(function);
  LoopInfo loops(dominators);
  for (auto* loop : loops.getLoopsInPreorder())
    if (!loop->getLoopPreheader()) InsertPreheaderForLoop(loop, &dominators, &loops, nullptr, false);
}

} // namespace

void normalise(Function& function) {
  call_routines_directly(function);
  if (inline_callees(function)) call_routines_directly(function);
  removeUnreachableBlocks(function);
  forward_copies(function);
  separate_dead_ends(function);
  keep_results_of_arms(function);
  add_preheaders(function);
  separate_address_computations(function);
}

} // namespace windrow::compiler::defer
