// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/comm/memory_readers.hpp"

#include <llvm/Analysis/MemoryLocation.h>

#include "compiler/comm/late_writes.hpp"
#include "compiler/common/api/routines.hpp"

namespace windrow::compiler::comm {

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
  for (auto* one : all(within, blocks)) {
    const auto place = MemoryLocation::getOrNone(one);
    if (!place || isModSet(aliases_.getModRefInfo(&by, place))) found.push_back(one);
  }
  return of_[{within, &by}] = std::move(found);
}

void memory_readers::forget() {
  all_.clear();
  of_.clear();
}

} // namespace windrow::compiler::comm
