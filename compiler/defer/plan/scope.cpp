// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/defer/plan/scope.hpp"

#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "compiler/common/api/calls.hpp"

namespace windrow::compiler::defer {

namespace {

bool has_fetch(const BasicBlock& block) {
  return any_of(block, is_fetch);
}

class chain_builder {
 public:
  chain_builder(BasicBlock* start, const SetVector<BasicBlock*>& region, const shape& structure,
                const variables& vars)
      : start_(start), region_(region), structure_(structure), vars_(vars) {}

  chain build() {
    for (auto* block = start_; block;) {
      add_instructions(*block);
      built_.end = block->getTerminator();
      block = next(*block);
    }
    return std::move(built_);
  }

 private:
  void add_instructions(BasicBlock& block) {
    for (auto& instruction : block) {
      if (instruction.isTerminator() || isa<PHINode, DbgInfoIntrinsic>(instruction)) continue;
      unit single;
      single.instruction = &instruction;
      single.fetch = single.fetches = is_fetch(instruction);
      add_effects(instruction, vars_, single.touched);
      built_.units.push_back(std::move(single));
    }
  }

  // The block in which the chain goes on behind `block`, after adding what lies between; null at the chain's
  // end.
  BasicBlock* next(BasicBlock& block) {
    auto* terminator = block.getTerminator();
    if (terminator->getNumSuccessors() > 1) return add_compound(block, nullptr, structure_.joins(&block));
    auto* successor = block.getSingleSuccessor();
    if (!successor || !belongs(successor)) return nullptr;
    const auto* loop = structure_.loops.getLoopFor(successor);
    if (!loop || loop->getHeader() != successor) return successor;
    return loop->contains(&block) ? nullptr : add_compound(block, successor, behind(*loop));
  }

  BasicBlock* behind(const Loop& loop) const {
    auto* join = structure_.joins(loop.getHeader());
    while (join && loop.contains(join)) join = structure_.joins(join);
    return join;
  }

  bool belongs(BasicBlock* block) const {
    return block && block != start_ && region_.contains(block) &&
           structure_.dominators.dominates(start_, block);
  }

  BasicBlock* add_compound(BasicBlock& at, BasicBlock* header, BasicBlock* join) {
    if (!belongs(join)) return nullptr;
    // A join that is itself the head of a loop has more ways in than ours.
    if (structure_.loops.isLoopHeader(join)) return nullptr;
    unit compound;
    compound.at = &at;
    compound.header = header;
    compound.join = join;
    collect(compound);
    if (!well_formed(compound)) return nullptr;
    for (auto* block : compound.blocks)
      for (auto& instruction : *block) add_effects(instruction, vars_, compound.touched);
    compound.fetches = any_of(compound.blocks, [](const BasicBlock* block) { return has_fetch(*block); });
    built_.units.push_back(std::move(compound));
    return join;
  }

  static void collect(unit& compound) {
    SmallVector<BasicBlock*, 8> open(successors(compound.at));
    while (!open.empty()) {
      auto* block = open.pop_back_val();
      if (block != compound.join && compound.blocks.insert(block)) append_range(open, successors(block));
    }
  }

  // One way in, one way out, or the end of the program.
  bool well_formed(const unit& compound) const {
    auto inside = [&](const BasicBlock* block) {
      return block == compound.at || compound.blocks.contains(const_cast<BasicBlock*>(block));
    };
    if (compound.blocks.contains(compound.at)) return false;
    return all_of(compound.blocks,
                  [&](BasicBlock* block) {
                    return (region_.contains(block) || succ_empty(block)) &&
                           !isa<ReturnInst, ResumeInst>(block->getTerminator()) &&
                           all_of(predecessors(block), inside);
                  }) &&
           all_of(predecessors(compound.join), inside);
  }

  BasicBlock* start_;
  const SetVector<BasicBlock*>& region_;
  const shape& structure_;
  const variables& vars_;
  chain built_;
};

// The block behind the scope, and those of the scope that lead there.
std::pair<BasicBlock*, SmallVector<BasicBlock*, 4>> ways_behind(BasicBlock* start, const shape& structure) {
  auto* join = structure.joins(start);
  while (join && structure.dominators.dominates(start, join)) join = structure.joins(join);
  SmallVector<BasicBlock*, 4> ways;
  if (join)
    for (auto* before : predecessors(join))
      if (structure.dominators.dominates(start, before)) ways.push_back(before);
  return {join, ways};
}

bool separate_one_join(Function& function, BasicBlock* region_entry, SetVector<BasicBlock*>& region) {
  const shape structure(function);
  for (auto* block : region) {
    if (!has_fetch(*block)) continue;
    auto* start = start_of_scope(block, region_entry, structure);
    const auto [join, ways] = ways_behind(start, structure);
    if (!join || join == start || !region.contains(join) || ways.size() < 2 ||
        structure.loops.isLoopHeader(join) ||
        structure.loops.getLoopFor(join) != structure.loops.getLoopFor(start))
      continue;
    region.insert(SplitBlockPredecessors(join, ways, ".scope"));
    return true;
  }
  return false;
}

} // namespace

BasicBlock* start_of_scope(BasicBlock* block, BasicBlock* region_entry, const shape& structure) {
  auto* start = block;
  while (start != region_entry) {
    // An arm of a condition begins where not everything of what follows the condition begins.
    if (auto* before = start->getSinglePredecessor())
      if (before->getTerminator()->getNumSuccessors() > 1 && structure.joins(before) != start) break;
    if (structure.loops.isLoopHeader(start) && structure.loops.getLoopFor(start)->contains(block)) break;
    const auto* above = structure.dominators.getNode(start)->getIDom();
    if (!above) break;
    start = above->getBlock();
  }
  return start;
}

chain units_of_scope(BasicBlock* start, const SetVector<BasicBlock*>& region, const shape& structure,
                     const variables& vars) {
  return chain_builder(start, region, structure, vars).build();
}

void separate_joins(Function& function, BasicBlock* region_entry, SetVector<BasicBlock*>& region) {
  while (separate_one_join(function, region_entry, region)) {
  }
}

} // namespace windrow::compiler::defer
