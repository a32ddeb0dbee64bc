// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/comm/stores.hpp"

#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Support/Path.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include "compiler/comm/accesses.hpp"
#include "compiler/comm/invariants.hpp"
#include "compiler/comm/late_writes.hpp"
#include "compiler/comm/objects.hpp"
#include "compiler/comm/obstacles.hpp"
#include "compiler/common/api/calls.hpp"
#include "compiler/common/report/diagnostics.hpp"

namespace windrow::compiler::comm {

namespace {

// Not what was promised for a round (scopes of `restrict`).
MemoryLocation anywhere_at(const MemoryLocation& place) {
  AAMDNodes tags;
  tags.TBAA = place.AATags.TBAA;
  return MemoryLocation::getBeforeOrAfter(place.Ptr, tags);
}

bool stores(Instruction& instruction) {
  if (!instruction.mayWriteToMemory() || changes_nothing(instruction)) return false;
  if (is_query(callee_name(instruction))) return false;
  const auto access = plain_access_of(instruction);
  return !access || (access->reads && access->local);
}

std::optional<MemoryLocation> stored_by(Instruction& instruction) {
  if (const auto access = plain_access_of(instruction)) return access->here();
  if (const auto* place = place_of_collected(instruction)) return MemoryLocation::getBeforeOrAfter(place);
  const auto* store = dyn_cast<StoreInst>(&instruction);
  if (store && isa<ScalableVectorType>(store->getValueOperand()->getType())) return std::nullopt;
  return MemoryLocation::getOrNone(&instruction);
}

} // namespace

std::string line_of(const Instruction& instruction) {
  const auto where = place_outside_library(instruction.getDebugLoc());
  return where ? " at " + line_in(where, *instruction.getFunction()) : "";
}

std::string line_in(const DebugLoc& where, const Function& function) {
  const auto line = "line " + std::to_string(where.getLine());
  const auto *here = function.getSubprogram(), *there = where->getScope()->getSubprogram();
  if (!here || !there || here->getFile() == where->getFile()) return line;
  return line + " of " + sys::path::filename(where->getFilename()).str();
}

bool never_share(const MemoryLocation& one, const MemoryLocation& other, known_facts& facts) {
  return all_of(in_any_round(anywhere_at(other)), [&](const MemoryLocation& place) {
    return facts.aliases.isNoAlias(anywhere_at(one), place);
  });
}

std::optional<stepping_place> follow_place(const MemoryLocation& place, Loop& loop, known_facts& facts) {
  if (!place.Size.isPrecise()) return std::nullopt;
  auto& evolution = facts.evolution;
  const auto* at = evolution.getSCEV(const_cast<Value*>(place.Ptr));
  const auto bytes = static_cast<uint64_t>(place.Size.getValue());
  const SCEVExpander expander(evolution, loop.getHeader()->getModule()->getDataLayout(), "comm");
  const auto expands = [&](const SCEV* value) {
    return expander.isSafeToExpandAt(value, loop.getLoopPreheader()->getTerminator());
  };
  if (evolution.isLoopInvariant(at, &loop) && expands(at)) return stepping_place{at, 0, bytes};
  const auto* moving = dyn_cast<SCEVAddRecExpr>(at);
  if (!moving || moving->getLoop() != &loop || !moving->isAffine() || !expands(moving->getStart()))
    return std::nullopt;
  const auto* step = dyn_cast<SCEVConstant>(moving->getStepRecurrence(evolution));
  if (!step || step->getAPInt().getSignificantBits() > 32) return std::nullopt;
  return stepping_place{moving->getStart(), step->getAPInt().getSExtValue(), bytes};
}

bool stores_behind(const stepping_place& store, const stepping_place& load, bool loads_first,
                   ScalarEvolution& evolution) {
  if (store.step != load.step || store.step == 0) return false;
  const auto* apart = dyn_cast<SCEVConstant>(evolution.getMinusSCEV(store.start, load.start));
  if (!apart || apart->getAPInt().getSignificantBits() > 62) return false;
  const auto by = apart->getAPInt().getSExtValue(), step = store.step;
  const bool in_one_round =
      by < static_cast<int64_t>(load.bytes) && by + static_cast<int64_t>(store.bytes) > 0;
  if (in_one_round && !loads_first) return false;
  return step > 0 ? by + static_cast<int64_t>(store.bytes) <= step
                  : by >= step + static_cast<int64_t>(load.bytes);
}

loop_stores stores_of(Loop& loop, known_facts& facts) {
  loop_stores found;
  for (auto* block : loop.blocks())
    for (auto& instruction : *block) {
      if (!stores(instruction)) continue;
      auto place = stored_by(instruction);
      if (place) hoist_operands(*const_cast<Value*>(place->Ptr), loop, facts); // what is followed next
      if (place) place = stored_by(instruction);
      if (place)
        found.all.push_back({&instruction, *place, follow_place(*place, loop, facts)});
      else if (found.obstacle.empty())
        found.obstacle = "the loop writes memory that is not known" + line_of(instruction);
    }
  return found;
}

} // namespace windrow::compiler::comm
