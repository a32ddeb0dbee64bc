// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/comm/memory_readers.hpp"

#include <llvm/Analysis/MemoryLocation.h>

#include "compiler/comm/late_writes.hpp"
#include "compiler/comm/objects.hpp"
#include "compiler/comm/options.hpp"
#include "compiler/common/api/routines.hpp"

namespace windrow::compiler::comm {

namespace {

/// Of places as they are in any rounds, the one and the other: what one round writes the next may read.
class across_rounds {
 public:
  explicit across_rounds(AAResults& aliases) : aliases_(aliases) {
    if (active_options().hold("read-rounds")) aliases_.enableCrossIterationMode();
  }

  bool writes(const Instruction& by, const MemoryLocation& read) {
    return any_of(places_of(read),
                  [&](const auto& one) { return isModSet(aliases_.getModRefInfo(&by, one)); });
  }
  bool may_meet(const MemoryLocation& written, const MemoryLocation& read) {
    return any_of(places_of(read),
                  [&](const auto& one) { return aliases_.alias(written, one) != AliasResult::NoAlias; });
  }

 private:
  // Not what was promised for a round (scopes of `restrict`).
  static SmallVector<MemoryLocation, 2> places_of(const MemoryLocation& read) {
    if (!active_options().hold("read-rounds")) return {read};
    AAMDNodes tags;
    tags.TBAA = read.AATags.TBAA;
    return in_any_round(MemoryLocation(read.Ptr, read.Size, tags));
  }

  BatchAAResults aliases_;
};

} // namespace

bool is_of_library(const Instruction& instruction) {
  const auto name = callee_name(instruction);
  return routine_of(name) || order_of(name) != order::none || place_of_collected(instruction);
}

ArrayRef<Instruction*> memory_readers::all(const Loop* within, ArrayRef<BasicBlock*> blocks) {
  const auto [known, is_new] = all_.try_emplace(within);
  if (is_new)
    for (auto* block : blocks)
      for (auto& one : *block)
        if (one.mayReadFromMemory() && !is_of_library(one)) known->second.push_back(&one);
  return known->second;
}

ArrayRef<Instruction*> memory_readers::of(Instruction& by, const Loop* within, ArrayRef<BasicBlock*> blocks) {
  const auto known = of_.find({within, &by});
  if (known != of_.end()) return known->second;
  SmallVector<Instruction*, 2> found;
  across_rounds rounds(aliases_);
  for (auto* one : all(within, blocks)) {
    const auto place = MemoryLocation::getOrNone(one);
    if (!place || rounds.writes(by, *place)) found.push_back(one);
  }
  return of_[{within, &by}] = std::move(found);
}

bool memory_readers::may_meet(const MemoryLocation& written, const MemoryLocation& read) const {
  return across_rounds(aliases_).may_meet(written, read);
}

void memory_readers::forget() {
  all_.clear();
  of_.clear();
}

} // namespace windrow::compiler::comm
