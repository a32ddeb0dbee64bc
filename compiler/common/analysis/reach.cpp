// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/common/analysis/reach.hpp"

#include "compiler/common/api/calls.hpp"

namespace windrow::compiler {

namespace {

const Instruction* completion_from(BasicBlock::const_iterator from, const BasicBlock& block) {
  for (const auto& instruction : make_range(from, block.end()))
    if (completes_deferred_code(callee_name(instruction))) return &instruction;
  return nullptr;
}

} // namespace

bool reachability::reaches(const Instruction& from, const Instruction& to, const BasicBlock* border) {
  const auto &start = *from.getParent(), &end = *to.getParent();
  const auto* first = first_completion(start);
  if (first && !from.comesBefore(first)) first = completion_from(std::next(from.getIterator()), start);
  if (&start == &end && from.comesBefore(&to)) return !first || !first->comesBefore(&to);
  if (first || !behind(start, border).test(number_of(end))) return false;
  const auto* there = first_completion(end);
  return !there || !there->comesBefore(&to);
}

bool reachability::is_entered_again(const Loop& loop) {
  const auto [known, fresh] = entered_again_.try_emplace(&loop, false);
  if (!fresh) return known->second;
  SmallVector<BasicBlock*, 4> exits;
  loop.getUniqueExitBlocks(exits);
  const SmallVector<const BasicBlock*, 4> first(exits.begin(), exits.end());
  return entered_again_[&loop] = blocks_from(first, nullptr).test(number_of(*loop.getHeader()));
}

const BitVector& reachability::behind(const BasicBlock& block, const BasicBlock* border) {
  const auto [known, fresh] = behind_.try_emplace({&block, border});
  if (!fresh) return known->second;
  SmallVector<const BasicBlock*, 4> first;
  for (const auto* next : successors(&block))
    if (next != border) first.push_back(next);
  return known->second = blocks_from(first, border);
}

// Those that are entered from the first ones on.
BitVector reachability::blocks_from(ArrayRef<const BasicBlock*> first, const BasicBlock* border) {
  SmallVector<const BasicBlock*, 8> open(first);
  if (!open.empty()) number_of(*open.front());
  BitVector entered(static_cast<unsigned>(numbers_.size()));
  while (!open.empty()) {
    const auto* block = open.pop_back_val();
    if (entered.test(number_of(*block))) continue;
    entered.set(number_of(*block));
    if (first_completion(*block)) continue;
    for (const auto* next : successors(block))
      if (next != border) open.push_back(next);
  }
  return entered;
}

const Instruction* reachability::first_completion(const BasicBlock& block) {
  const auto [known, fresh] = completions_.try_emplace(&block, nullptr);
  if (fresh) known->second = completion_from(block.begin(), block);
  return known->second;
}

unsigned reachability::number_of(const BasicBlock& block) {
  if (numbers_.empty())
    for (const auto& one : *block.getParent()) numbers_.try_emplace(&one, numbers_.size());
  return numbers_.lookup(&block);
}

} // namespace windrow::compiler
