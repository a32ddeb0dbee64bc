// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/defer/prepare/normalise.hpp"

#include <llvm/Analysis/InstructionSimplify.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/LoopSimplify.h>
#include <llvm/Transforms/Utils/LoopUtils.h>

#include "compiler/common/api/calls.hpp"
#include "compiler/common/api/marker.hpp"
#include "compiler/common/api/routines.hpp"
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
Function* forwarded_to(const Function& overload, const rules& switches) {
  if (overload.size() != 1 || overload.isVarArg() || overload.isInterposable()) return nullptr;
  const CallInst* only = nullptr;
  for (const auto& instruction : overload.front()) {
    if (handles_own_copies(instruction)) continue;
    const auto* call = dyn_cast<CallInst>(&instruction);
    if (!call && !switches.hold("wrappers")) continue;
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

// Of the library, and not only one that the program has named so.
bool is_routine(const Function& function) {
  return function.isDeclaration() && routine_of(function.getName());
}

void call_routines_directly(Function& function, const rules& switches) {
  for (auto& instruction : make_early_inc_range(instructions(function))) {
    auto* call = dyn_cast<CallBase>(&instruction);
    auto* callee = call ? call->getCalledFunction() : nullptr;
    if (!callee) continue;
    if (auto* routine = callee->isDeclaration() ? nullptr : forwarded_to(*callee, switches))
      call->setCalledFunction(routine);
    // No routine of the library throws; C++ cannot know.
    if (auto* invoke = dyn_cast<InvokeInst>(call); invoke && is_routine(*invoke->getCalledFunction()))
      changeToCall(invoke);
  }
}

// ---- fetches in the arms of expressions

using results_of_arms = SmallSetVector<PHINode*, 4>;

bool comes_of_fetch(const Value* value, const results_of_arms& inner = {}, unsigned steps = 0) {
  const auto* instruction = dyn_cast<Instruction>(value);
  if (const auto* phi = dyn_cast<PHINode>(value)) return inner.contains(const_cast<PHINode*>(phi));
  if (!instruction || steps == 8 || isa<LoadInst>(instruction)) return false;
  if (isa<CallBase>(instruction)) return is_fetch(*instruction);
  return any_of(instruction->operand_values(),
                [&](const Value* operand) { return comes_of_fetch(operand, inner, steps + 1); });
}

// Arms may have arms.
results_of_arms find_results_of_arms(Function& function) {
  results_of_arms found;
  for (bool more = true; more;) {
    more = false;
    for (auto& block : function)
      for (auto& phi : block.phis())
        if (any_of(phi.incoming_values(),
                   [&](const Use& value) { return comes_of_fetch(value.get(), found); }))
          more |= found.insert(&phi);
  }
  return found;
}

// condition ? fetch : other: a variable that the arms write, so that what uses it can wait for it.
void keep_results_of_arms(Function& function) {
  for (auto* phi : find_results_of_arms(function)) {
    const auto location = phi->getDebugLoc();
    auto* result = DemotePHIToStack(phi);
    result->setName("result");
    for (auto* user : result->users()) cast<Instruction>(user)->setDebugLoc(location);
  }
}

// ---- structure

constexpr unsigned most_behind_arms = 40; // instructions

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

bool is_single(const BasicBlock& block) {
  return any_of(block, [](const Instruction& one) {
    const auto* call = dyn_cast<CallBase>(&one);
    return call && (call->cannotDuplicate() || is_marker(*call));
  });
}

bool may_be_copied(const BasicBlock& block) {
  const auto* way = dyn_cast<BranchInst>(block.getTerminator());
  if (!way || way->isConditional() || block.isEHPad() || block.hasAddressTaken() ||
      block.sizeWithoutDebug() > most_behind_arms || isa<PHINode>(way->getSuccessor(0)->front()) ||
      is_single(block))
    return false;
  return all_of(block, [&](const Instruction& one) {
    return all_of(one.users(),
                  [&](const User* user) { return cast<Instruction>(user)->getParent() == &block; });
  });
}

// A variable that gets the value which it has: the other arm of a sum.
void drop_idle_stores(BasicBlock& block) {
  const SimplifyQuery query(block.getModule()->getDataLayout());
  const Instruction* change = nullptr; // of memory, the last one
  for (auto& instruction : make_early_inc_range(block)) {
    if (isa<BinaryOperator, CastInst>(instruction))
      if (auto* same = simplifyInstruction(&instruction, query)) {
        instruction.replaceAllUsesWith(same);
        instruction.eraseFromParent();
        continue;
      }
    auto* store = dyn_cast<StoreInst>(&instruction);
    auto* load = store ? dyn_cast<LoadInst>(store->getValueOperand()) : nullptr;
    const bool idle = load && store->isSimple() && load->isSimple() && load->getParent() == &block &&
                      load->getPointerOperand() == store->getPointerOperand() &&
                      isa<AllocaInst>(load->getPointerOperand()) && (!change || change->comesBefore(load));
    if (idle) {
      instruction.eraseFromParent();
      if (load->use_empty()) load->eraseFromParent();
    } else if (instruction.mayWriteToMemory())
      change = &instruction;
  }
}

// condition ? fetch : -fetch, where both are the same: one fetch in front.
void share_fetches_of_arms(Function& function) {
  const auto fetches = [](const BasicBlock* arm) {
    return arm->getSinglePredecessor() && any_of(*arm, is_fetch);
  };
  for (auto& block : function) {
    auto* way = dyn_cast<BranchInst>(block.getTerminator());
    if (!way || !way->isConditional() || way->getSuccessor(0) == way->getSuccessor(1) ||
        !all_of(successors(&block), fetches))
      continue;
    auto *one = way->getSuccessor(0), *other = way->getSuccessor(1);
    while (true) {
      auto *first = one->getFirstNonPHIOrDbg(), *second = other->getFirstNonPHIOrDbg();
      if (first->isTerminator() || is_marker(*first) || !first->isIdenticalToWhenDefined(second)) break;
      first->moveBefore(way);
      first->andIRFlags(second); // that a sum does not overflow may be known of one arm only
      combineMetadataForCSE(first, second, true);
      second->replaceAllUsesWith(first);
      second->eraseFromParent();
    }
  }
}

// condition ? fetch : other, and the little behind it that uses the value: each arm has that for itself, so
// that what depends on a fetch stands behind it.
unsigned separate_ends_of_arms(Function& function) {
  unsigned separated = 0;
  SmallVector<BasicBlock*, 4> joins;
  for (auto& block : function)
    if (any_of(block.phis(),
               [](const PHINode& phi) {
                 return any_of(phi.incoming_values(),
                               [](const Use& value) { return comes_of_fetch(value.get()); });
               }) &&
        may_be_copied(block))
      joins.push_back(&block);
  for (auto* join : joins) {
    SmallSetVector<BasicBlock*, 4> arms(pred_begin(join), pred_end(join));
    if (any_of(arms, [](const BasicBlock* arm) { return arm->getTerminator()->getNumSuccessors() != 1; }))
      continue;
    for (auto* arm : drop_begin(arms)) {
      own_copy(*join, *arm);
      drop_idle_stores(*arm->getSingleSuccessor());
    }
    FoldSingleEntryPHINodes(join);
    drop_idle_stores(*join);
    ++separated;
  }
  return separated;
}

// Checks share the block that reports a failure and ends the program. It would tie unrelated statements
// together. What stands behind a directive's statement, where the way around it leads, stays there.
void separate_dead_ends(Function& function) {
  SmallPtrSet<const BasicBlock*, 8> around;
  for (const auto& mark : find_markers(function))
    if (mark.branch) around.insert({mark.branch->getParent(), mark.branch->getSuccessor(1)});
  SmallVector<BasicBlock*, 8> shared;
  for (auto& block : function)
    if (isa<UnreachableInst>(block.getTerminator()) && block.hasNPredecessorsOrMore(2) && !is_single(block) &&
        none_of(predecessors(&block), [&](const BasicBlock* before) { return around.contains(before); }))
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

void show_routines(Function& function, const rules& switches) {
  call_routines_directly(function, switches);
  if (inline_callees(function)) call_routines_directly(function, switches);
}

unsigned normalise(Function& function, const rules& switches, bool separate_ends) {
  unsigned separated = 0;
  show_routines(function, switches);
  removeUnreachableBlocks(function);
  forward_copies(function);
  separate_dead_ends(function);
  if (switches.hold("arms")) {
    share_fetches_of_arms(function);
    if (separate_ends) separated = separate_ends_of_arms(function);
    keep_results_of_arms(function);
  }
  add_preheaders(function);
  separate_address_computations(function);
  return separated;
}

} // namespace windrow::compiler::defer
