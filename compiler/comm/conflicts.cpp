// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/comm/conflicts.hpp"

#include <llvm/Analysis/ValueTracking.h>

#include "compiler/comm/accesses.hpp"
#include "compiler/comm/objects.hpp"
#include "compiler/comm/obstacles.hpp"
#include "compiler/comm/options.hpp"
#include "compiler/common/api/calls.hpp"

namespace windrow::compiler::comm {

namespace {

// Not what was promised for a round (scopes of `restrict`).
MemoryLocation without_promises(const MemoryLocation& place) {
  return MemoryLocation(place.Ptr, place.Size);
}

SmallVector<MemoryLocation, 2> places_of(const MemoryLocation& place) {
  if (!active_options().hold("split-rounds")) return {place};
  return in_any_round(without_promises(place));
}

need wait_if(bool holds) {
  return holds ? need::wait : need::nothing;
}

// Leaves the function, or its variables of variable size. Nothing may stand between a call that takes the
// function's place and its return.
bool ends_frames(const Instruction& instruction) {
  if (isa<ReturnInst, ResumeInst, CleanupReturnInst>(instruction)) return true;
  if (const auto* call = dyn_cast<CallInst>(&instruction); call && call->isMustTailCall())
    return active_options().hold("split-tails");
  const auto* intrinsic = dyn_cast<IntrinsicInst>(&instruction);
  return intrinsic && intrinsic->getIntrinsicID() == Intrinsic::stackrestore;
}

// Not where other PEs may write.
bool is_own_variable(const Value& place) {
  SmallVector<const Value*, 4> objects;
  getUnderlyingObjects(&place, objects);
  return all_of(objects, [](const Value* one) { return isa<AllocaInst>(one); });
}

} // namespace

conflict_finder::conflict_finder(known_facts& facts) : loops_(facts.loops), aliases_(facts.aliases) {
  if (active_options().hold("split-rounds")) aliases_.enableCrossIterationMode();
}

bool conflict_finder::is_apart(const MemoryLocation& one, const MemoryLocation& other) {
  return all_of(places_of(other), [&](const MemoryLocation& place) {
    return aliases_.alias(without_promises(one), place) == AliasResult::NoAlias;
  });
}

bool conflict_finder::may_meet(const used_memory& one, const bulk_access& begun) {
  return (begun.reads || one.writes) && !is_apart(one.place, begun.here());
}

// What others may use before this PE's next synchronisation: that a put has read it, or a get has filled it.
// A loop that does not begin any transfer stores what it computes.
bool conflict_finder::may_tell(const used_memory& one, const Instruction& by,
                               const bulk_access& begun) const {
  if (!active_options().hold("split-stores") || !one.writes) return false;
  return !is_own_variable(*one.at) && !is_own_variable(*begun.local) &&
         !(begun.reads && is_in_loop_behind(by, begun));
}

bool conflict_finder::may_tell(const CallBase& call, const bulk_access& begun) const {
  if (!active_options().hold("split-stores") || !call.mayWriteToMemory()) return false;
  if (begun.reads && is_in_loop_behind(call, begun)) return false;
  return !is_own_variable(*begun.local) && any_of(call.args(), [](const Use& one) {
    return one->getType()->isPointerTy() && !is_own_variable(*one);
  });
}

bool conflict_finder::is_in_loop_behind(const Instruction& one, const bulk_access& begun) const {
  const auto* loop = loops_.getLoopFor(one.getParent());
  return loop && !loop->contains(begun.call);
}

bool conflict_finder::may_matter(const used_memory& one, const Instruction& by, const bulk_access& begun) {
  return may_meet(one, begun) || may_tell(one, by, begun);
}

SmallVector<used_memory, 2> conflict_finder::used_by(Instruction& instruction) {
  SmallVector<used_memory, 2> found;
  if (isa<LoadInst, StoreInst>(instruction)) {
    if (isa<ScalableVectorType>(getLoadStoreType(&instruction))) return {};
    auto* at = getLoadStorePointerOperand(&instruction);
    found.push_back({MemoryLocation::get(&instruction), at, nullptr, isa<StoreInst>(instruction)});
  }
  if (auto* memory = dyn_cast<MemIntrinsic>(&instruction)) {
    found.push_back({MemoryLocation::getForDest(memory), memory->getRawDest(), memory->getLength(), true});
    if (auto* copy = dyn_cast<MemTransferInst>(memory))
      found.push_back({MemoryLocation::getForSource(copy), copy->getRawSource(), copy->getLength(), false});
  }
  return found;
}

need conflict_finder::of(Instruction& instruction, const bulk_access& begun) {
  const auto& rules = active_options();
  if (ends_frames(instruction)) return wait_if(rules.hold("split-ends"));
  if (instruction.isVolatile() || instruction.isAtomic()) return wait_if(rules.hold("split-volatile"));
  if (is_blocking_access(instruction)) return of_access(instruction, begun);
  const bool ends_life = instruction.isLifetimeStartOrEnd();
  if ((changes_nothing(instruction) && !ends_life) || is_query(callee_name(instruction)))
    return need::nothing;
  if (const auto used = used_by(instruction); !used.empty()) {
    if (!rules.hold("split-memory")) return need::nothing;
    const bool matters =
        any_of(used, [&](const used_memory& one) { return may_matter(one, instruction, begun); });
    return matters ? need::look : need::nothing;
  }
  if (auto* call = dyn_cast<CallBase>(&instruction)) return of_call(*call, begun);
  return by_effect(instruction, begun);
}

// What stays a call of the library. A write may be how others learn that what was got before is there, or
// that they may overwrite what was put before.
need conflict_finder::of_access(Instruction& instruction, const bulk_access& begun) {
  const auto& rules = active_options();
  const auto access = *access_of(instruction);
  if (!isa<CallInst>(instruction)) return need::wait;
  if (is_strict(cast<CallInst>(instruction))) return wait_if(rules.hold("split-strict"));
  const bool reads = access->does == verb::read;
  if (!reads && (begun.reads || !is_own_variable(*begun.local))) return wait_if(rules.hold("split-writes"));
  const auto behind = [](const Value* at) { return MemoryLocation::getAfter(at); };
  const auto remote = behind(access.argument(role::remote));
  // The PE may be this one.
  if (rules.hold("split-own") && !is_apart(remote, begun.here())) return need::wait;
  if (!begun.reads && rules.hold("split-order") && !is_apart(remote, begun.there())) return need::wait;
  const auto* local = access.argument(role::local);
  const bool uses = local && (begun.reads || reads);
  return wait_if(uses && rules.hold("split-memory") && !is_apart(behind(local), begun.here()));
}

need conflict_finder::of_call(CallBase& call, const bulk_access& begun) {
  const auto name = callee_name(call);
  if (call.isLifetimeStartOrEnd()) return by_effect(call, begun);
  if (isa<IntrinsicInst>(call) && call.getIntrinsicID() == Intrinsic::stacksave) return need::nothing;
  if (!active_options().hold("split-calls")) return need::nothing;
  if (routine_of(name) || order_of(name) != order::none || !only_computes(call)) return need::wait;
  return may_tell(call, begun) ? need::wait : by_effect(call, begun);
}

need conflict_finder::by_effect(Instruction& instruction, const bulk_access& begun) {
  if (!instruction.mayReadOrWriteMemory() || !active_options().hold("split-memory")) return need::nothing;
  return wait_if(any_of(places_of(begun.here()), [&](const MemoryLocation& place) {
    const auto does = aliases_.getModRefInfo(&instruction, place);
    return begun.reads ? isModOrRefSet(does) : isModSet(does);
  }));
}

} // namespace windrow::compiler::comm
