// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/comm/polling.hpp"

#include <llvm/Analysis/MemoryLocation.h>
#include <llvm/Analysis/ValueTracking.h>

#include "compiler/comm/late_writes.hpp"
#include "compiler/comm/options.hpp"
#include "compiler/common/api/routines.hpp"

namespace windrow::compiler::comm {

namespace {

/// Follows a value through the outermost loop: through expressions, memory, and what it decides about.
class follower {
 public:
  follower(const Loop& innermost, const PostDominatorTree& behind, AAResults& aliases)
      : innermost_(innermost),
        outermost_(*innermost.getOutermostLoop()),
        behind_(behind),
        aliases_(aliases) {}

  bool reaches_an_exit(const plain_access& read) {
    if (read.local)
      spread_to_readers([&](const MemoryLocation& place) { return !aliases_.isNoAlias(read.here(), place); });
    else
      spread_to_users(*read.call);
    return follow();
  }

  bool plainly_reaches_an_exit(const bulk_access& read) {
    const auto* object = getUnderlyingObject(read.local);
    spread_to_readers([&](const MemoryLocation& place) { return getUnderlyingObject(place.Ptr) == object; });
    return follow();
  }

 private:
  bool follow() {
    while (!found_ && !pending_.empty()) visit(*pending_.pop_back_val());
    return found_;
  }

  void add(Instruction& instruction) {
    if (outermost_.contains(&instruction) && seen_.insert(&instruction).second)
      pending_.push_back(&instruction);
  }

  void spread_to_users(Instruction& value) {
    for (auto* user : value.users()) add(*cast<Instruction>(user));
  }

  void visit(Instruction& instruction) {
    if (instruction.isTerminator() && !isa<InvokeInst>(instruction))
      return visit_decision(*instruction.getParent());
    if (instruction.mayWriteToMemory() && !is_of_library(instruction))
      spread_to_readers(
          [&](const MemoryLocation& place) { return isModSet(aliases_.getModRefInfo(&instruction, place)); });
    spread_to_users(instruction);
  }

  // What is sent to other PEs is not followed there.
  static bool is_of_library(const Instruction& instruction) {
    const auto name = callee_name(instruction);
    return routine_of(name) || order_of(name) != order::none || place_of_collected(instruction);
  }

  // To all that may read a place that is written.
  template <class IsWritten>
  void spread_to_readers(IsWritten is_written) {
    for (auto* block : outermost_.blocks())
      for (auto& reader : *block) {
        if (!reader.mayReadFromMemory() || is_of_library(reader) || seen_.contains(&reader)) continue;
        const auto place = MemoryLocation::getOrNone(&reader);
        if (!place || is_written(*place)) add(reader);
      }
  }

  // Blocks that run or do not, as the end of `block` says: up to where all ways meet again.
  void visit_decision(BasicBlock& block) {
    const auto* node = behind_.getNode(&block);
    const auto* meeting = node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
    if (!meeting) {
      found_ = true;
      return;
    }
    check_exit(block);
    SmallVector<BasicBlock*, 8> decided(successors(&block));
    SmallPtrSet<BasicBlock*, 8> met;
    while (!decided.empty() && !found_) {
      auto* one = decided.pop_back_val();
      if (!outermost_.contains(one) || !met.insert(one).second) continue;
      for (auto& phi : one->phis()) add(phi);
      if (one == meeting) continue;
      check_exit(*one);
      for (auto& instruction : *one)
        if (instruction.mayWriteToMemory()) add(instruction);
      append_range(decided, successors(one));
    }
  }

  void check_exit(BasicBlock& block) {
    for (const auto* loop = &innermost_; loop; loop = loop->getParentLoop())
      found_ |= loop->contains(&block) && loop->isLoopExiting(&block);
  }

  const Loop &innermost_, &outermost_;
  const PostDominatorTree& behind_;
  AAResults& aliases_;
  SmallPtrSet<Instruction*, 32> seen_;
  SmallVector<Instruction*, 32> pending_;
  bool found_ = false;
};

} // namespace

bool may_poll(const plain_access& read, const Loop* innermost, const PostDominatorTree& behind,
              AAResults& aliases) {
  if (!innermost || !active_options().hold("polling")) return false;
  return follower(*innermost, behind, aliases).reaches_an_exit(read);
}

bool plainly_polls(const bulk_access& read, const Loop* innermost, const PostDominatorTree& behind,
                   AAResults& aliases) {
  if (!innermost || !active_options().hold("polling")) return false;
  return follower(*innermost, behind, aliases).plainly_reaches_an_exit(read);
}

} // namespace windrow::compiler::comm
