// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/comm/ahead.hpp"

#include <llvm/Analysis/LoopIterator.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include "compiler/comm/options.hpp"
#include "compiler/common/api/calls.hpp"
#include "compiler/common/report/diagnostics.hpp"

namespace windrow::compiler::comm {

namespace {

constexpr uint64_t largest_value = 1024; // bytes, of a read that is made ahead

std::string line_of(const Instruction& instruction) {
  const auto where = place_outside_library(instruction.getDebugLoc());
  return where ? " at line " + std::to_string(where.getLine()) : "";
}

/// What holds in whichever rounds the two run: types, and where pointers come from. Not what was promised for
/// a round (scopes of `restrict`).
MemoryLocation in_any_round(const MemoryLocation& place) {
  AAMDNodes tags;
  tags.TBAA = place.AATags.TBAA;
  return MemoryLocation::getBeforeOrAfter(place.Ptr, tags);
}

} // namespace

std::string ahead_finder::obstacle_of(Instruction& instruction) const {
  if (isa<PHINode>(instruction))
    return instruction.getParent() == loop_.getHeader() ? "" : "its place depends on a condition";
  if (!facts_.dominators.dominates(instruction.getParent(), loop_.getLoopLatch()))
    return "its place depends on a condition";
  if (const auto* load = dyn_cast<LoadInst>(&instruction))
    return load->isSimple() && !isa<ScalableVectorType>(load->getType())
               ? ""
               : "its place is read from volatile or atomic memory";
  if (plain_access_of(instruction)) return "its place depends on what the loop reads" + line_of(instruction);
  if (const auto* call = dyn_cast<CallInst>(&instruction)) {
    const bool computes = call->doesNotAccessMemory() && call->doesNotThrow() && !call->isConvergent() &&
                          call->hasFnAttr(Attribute::WillReturn);
    return computes ? "" : "its place is computed by " + callee_name(*call).str();
  }
  return isa<AllocaInst>(instruction) || instruction.mayReadOrWriteMemory() || instruction.isTerminator()
             ? "its place cannot be computed ahead"
             : "";
}

std::string ahead_finder::add(const plain_access& read) {
  if (read.bytes > largest_value) return "what it reads is large";
  auto needed = needed_;
  SmallVector<Value*, 16> pending{read.remote, read.pe};
  while (!pending.empty()) {
    auto* one = dyn_cast<Instruction>(pending.pop_back_val());
    if (!one || !loop_.contains(one) || !needed.insert(one).second) continue;
    if (auto obstacle = obstacle_of(*one); !obstacle.empty()) return obstacle;
    append_range(pending, one->operand_values());
  }
  needed_ = std::move(needed);
  reads_.push_back(read);
  return "";
}

std::string ahead_finder::finish(ahead& found) {
  found_.reads = reads_;
  LoopBlocksRPO order(&loop_);
  order.perform(&facts_.loops);
  for (auto* block : order)
    for (auto& instruction : *block)
      if (auto* phi = dyn_cast<PHINode>(&instruction); phi && needed_.contains(phi))
        found_.phis.push_back(phi);
      else if (needed_.contains(&instruction))
        found_.computed.push_back(&instruction);
  for (auto* block : order)
    for (auto& instruction : *block) {
      if (!instruction.mayWriteToMemory() || isa<AssumeInst>(instruction)) continue;
      if (is_query(callee_name(instruction)) || is_commentary(instruction)) continue;
      const auto access = plain_access_of(instruction);
      if (access && (!access->reads || !access->local))
        continue; // writes of the loop are looked at elsewhere
      const auto* store = dyn_cast<StoreInst>(&instruction);
      if (store && isa<ScalableVectorType>(store->getValueOperand()->getType()))
        return "the loop writes memory that is not known" + line_of(instruction);
      const auto written =
          access ? std::optional(MemoryLocation(access->local, LocationSize::precise(access->bytes)))
                 : MemoryLocation::getOrNone(&instruction);
      auto obstacle = written ? compare(instruction, *written)
                              : "the loop writes memory that is not known" + line_of(instruction);
      if (!obstacle.empty()) return obstacle;
    }
  found = std::move(found_);
  return "";
}

bool ahead_finder::never_share(const MemoryLocation& one, const MemoryLocation& other) const {
  return facts_.aliases.isNoAlias(in_any_round(one), in_any_round(other));
}

std::optional<stepping_place> ahead_finder::follow(const Value& pointer, LocationSize bytes) const {
  auto& evolution = facts_.evolution;
  const auto* place = evolution.getSCEV(const_cast<Value*>(&pointer));
  if (!bytes.isPrecise()) return std::nullopt;
  const SCEVExpander expander(evolution, loop_.getHeader()->getModule()->getDataLayout(), "comm");
  const auto expands = [&](const SCEV* value) {
    return expander.isSafeToExpandAt(value, loop_.getLoopPreheader()->getTerminator());
  };
  if (evolution.isLoopInvariant(place, &loop_) && expands(place))
    return stepping_place{place, 0, bytes.getValue()};
  const auto* moving = dyn_cast<SCEVAddRecExpr>(place);
  if (!moving || moving->getLoop() != &loop_ || !moving->isAffine() || !expands(moving->getStart()))
    return std::nullopt;
  const auto* step = dyn_cast<SCEVConstant>(moving->getStepRecurrence(evolution));
  if (!step || step->getAPInt().getSignificantBits() > 32) return std::nullopt;
  return stepping_place{moving->getStart(), step->getAPInt().getSExtValue(), bytes.getValue()};
}

namespace {

// A round stores only what it and the rounds before it load, so that loading ahead sees nothing that is
// stored later than it should.
bool stores_behind(const stepping_place& store, const stepping_place& load, ScalarEvolution& evolution) {
  if (store.step != load.step || store.step == 0) return false;
  const auto* apart = dyn_cast<SCEVConstant>(evolution.getMinusSCEV(store.start, load.start));
  if (!apart || apart->getAPInt().getSignificantBits() > 62) return false;
  const auto by = apart->getAPInt().getSExtValue(), step = store.step;
  return step > 0 ? by + static_cast<int64_t>(store.bytes) <= step
                  : by >= step + static_cast<int64_t>(load.bytes);
}

} // namespace

std::string ahead_finder::compare(Instruction& writer, const MemoryLocation& written) {
  const auto store = follow(*written.Ptr, written.Size);
  const auto told = "the loop writes" + line_of(writer);
  if (auto obstacle = compare_with_loads(written, store, told); !obstacle.empty()) return obstacle;
  bool may_be_read = false;
  for (const auto& read : reads_)
    may_be_read |= !never_share(written, MemoryLocation(read.remote, LocationSize::precise(read.bytes)));
  if (!may_be_read || !active_options().hold("near-stores")) return "";
  if (!store) return told + ", and that may be what is read";
  found_.stores.push_back(*store);
  return "";
}

std::string ahead_finder::compare_with_loads(const MemoryLocation& written,
                                             const std::optional<stepping_place>& store,
                                             const std::string& told) {
  if (!active_options().hold("ahead")) return "";
  for (auto* instruction : found_.computed) {
    auto* load = dyn_cast<LoadInst>(instruction);
    if (!load || never_share(written, MemoryLocation::get(load))) continue;
    const auto loaded = follow(*load->getPointerOperand(), MemoryLocation::get(load).Size);
    if (!store || !loaded) return told + ", and that may be what names the place";
    if (!stores_behind(*store, *loaded, facts_.evolution)) found_.apart.emplace_back(*store, *loaded);
  }
  return "";
}

} // namespace windrow::compiler::comm
