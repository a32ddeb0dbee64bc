// SPDX-License-Identifier: BSD-3-Clause
// What variables hold, by what is stored in them: from where it is read, backwards.
#include <llvm/Analysis/ConstantFolding.h>

#include "compiler/defer/plan/arithmetic.hpp"
#include "compiler/defer/plan/numbers.hpp"

namespace windrow::compiler::defer {

namespace {

constexpr unsigned most_inner_rounds = 1U << 20, most_bent_rounds = 64;

// Backwards: the outermost loop that is left on the way from one block to the next.
const Loop* left_between(const BasicBlock& from, const BasicBlock& to, const LoopInfo& loops) {
  const Loop* left = nullptr;
  for (const auto* loop = loops.getLoopFor(&from); loop && !loop->contains(&to); loop = loop->getParentLoop())
    left = loop;
  return left;
}

} // namespace

unsigned numbers::levels_around(const Instruction& instruction) const {
  unsigned levels = 0;
  while (levels < loops_.size() && loops_[levels]->contains(&instruction)) ++levels;
  return levels;
}

// What it holds in front of the instruction, in the rounds of the loops around that.
number numbers::before(const part& what, const Instruction& point, unsigned depth) {
  if (gives_up(depth)) return lost(point, what);
  auto levels = levels_around(point);
  const auto* at = &point;
  while (levels > 0 && !written_.any_in(what, *loops_[levels - 1])) {
    const auto* preheader = loops_[--levels]->getLoopPreheader();
    if (!preheader) return at_entry(what);
    at = preheader->getTerminator();
  }
  const auto* loop = levels > 0 ? loops_[levels - 1] : nullptr;
  const auto lost = [&] { return loop ? anything() : at_entry(what); };
  const auto all = written_.of(what);
  if (all.empty()) return at_entry(what);
  const auto* block = at->getParent();
  for (at = at->getPrevNode();;) {
    for (; at; at = at->getPrevNode())
      if (is_contained(all, at)) return written_by(*at, what, depth + 1);
    if (loop && block == loop->getHeader()) return at_start_of_round(what, levels - 1, depth + 1);
    const BasicBlock* from = block->getSinglePredecessor();
    if (!from) {
      const auto* node = structure_.dominators.getNode(block);
      if (!node || !node->getIDom()) return at_entry(what);
      from = node->getIDom()->getBlock();
      const bool between = any_of(all, [&](const Instruction* one) {
        const auto* there = one->getParent();
        return there != from && structure_.dominators.dominates(from, there) &&
               (structure_.loops.isLoopHeader(block) ? structure_.loops.getLoopFor(block)->contains(there)
                                                     : !structure_.dominators.dominates(block, there));
      });
      if (between)
        return loop && !structure_.loops.isLoopHeader(block) ? joined(what, *block, depth + 1) : lost();
    }
    if (const auto* inner = left_between(*from, *block, structure_.loops)) {
      if (written_.any_in(what, *inner)) return loop ? behind_loop(what, *inner, levels, depth + 1) : lost();
      from = inner->getLoopPreheader();
      if (!from) return lost();
    }
    block = from;
    at = block->getTerminator();
  }
}

number numbers::at_end(const part& what, const BasicBlock& block, unsigned depth) {
  return before(what, *block.getTerminator(), depth);
}

// Of the function, or of a loop of which nothing is known.
number numbers::at_entry(const part& what) const {
  return unknowns_.loaded(*what.type,
                          added(unknowns_.computed(0, what.var->base, {}, {}), {{}, what.offset}, 1));
}

// Outside of the loops, it is the same in each round.
number numbers::lost(const Instruction& at, const part& what) const {
  return is_inside(at) ? anything() : at_entry(what);
}

number numbers::written_by(const Instruction& writer, const part& what, unsigned depth) {
  const auto& layout = writer.getModule()->getDataLayout();
  if (const auto* store = dyn_cast<StoreInst>(&writer)) {
    const auto& value = *store->getValueOperand();
    return written_.part_at(*store->getPointerOperand(), *value.getType()) == what ? of(value, depth)
                                                                                   : lost(writer, what);
  }
  const auto* memory = dyn_cast<MemIntrinsic>(&writer);
  const auto* length = memory ? dyn_cast<ConstantInt>(memory->getLength()) : nullptr;
  const auto to = memory ? written_.part_at(*memory->getRawDest(), *what.type) : std::nullopt;
  if (!length || !to || to->var != what.var) return lost(writer, what);
  const auto within = what.offset - to->offset;
  const auto end = within + static_cast<int64_t>(layout.getTypeStoreSize(what.type).getKnownMinValue());
  if (within < 0 || length->getValue().ult(static_cast<uint64_t>(end))) return lost(writer, what);
  if (const auto* fill = dyn_cast<MemSetInst>(memory)) {
    const auto* byte = dyn_cast<ConstantInt>(fill->getValue());
    return byte && byte->isZero() ? number() : lost(writer, what);
  }
  const auto& source = *cast<MemTransferInst>(memory)->getRawSource();
  if (const auto from = written_.part_at(source, *what.type))
    return before({from->var, from->offset + within, what.type}, writer, depth);
  APInt offset(64, 0);
  const auto* initial =
      dyn_cast<GlobalVariable>(source.stripAndAccumulateConstantOffsets(layout, offset, true));
  if (!initial || !initial->isConstant() || !initial->hasDefinitiveInitializer())
    return unknowns_.loaded(*what.type, added(of(source, depth), {{}, within}, 1));
  const auto* held = ConstantFoldLoadFromConst(const_cast<Constant*>(initial->getInitializer()), what.type,
                                               offset + static_cast<uint64_t>(within), layout);
  return held ? of(*held, depth) : lost(writer, what);
}

// The block that the arm of a condition ends with, in front of the join.
const BasicBlock* numbers::arm_of(const BranchInst& branch, const BasicBlock& join, unsigned arm) const {
  const auto* head = branch.getParent();
  const auto* begin = branch.getSuccessor(arm);
  if (begin == &join) return head;
  const BasicBlockEdge edge(head, begin);
  const BasicBlock* found = nullptr;
  for (const auto* from : predecessors(&join))
    if (from != head && structure_.dominators.dominates(edge, from)) {
      if (found) return nullptr;
      found = from;
    }
  return found;
}

// Where several ways come together, on some of which it is written.
number numbers::joined(const part& what, const BasicBlock& block, unsigned depth) {
  if (!body_.switches->hold("steps")) return unknowns_.any();
  const auto* head = structure_.dominators.getNode(&block)->getIDom()->getBlock();
  const auto* branch = dyn_cast<BranchInst>(head->getTerminator());
  if (branch && branch->isConditional() && pred_size(&block) == 2) {
    const auto *then = arm_of(*branch, block, 0), *otherwise = arm_of(*branch, block, 1);
    if (then && otherwise && then != otherwise)
      return of_choice(of(*branch->getCondition(), depth), at_end(what, *then, depth),
                       at_end(what, *otherwise, depth));
  }
  std::optional<number> found;
  for (const auto* from : predecessors(&block)) {
    auto one = at_end(what, *from, depth);
    found = found ? either(*found, one) : one;
    if (!found) return anything();
  }
  return found ? *found : anything();
}

number numbers::at_start_of_round(const part& what, unsigned level, unsigned depth) {
  const auto& loop = *loops_[level];
  const auto entry = [&] {
    const auto* preheader = loop.getLoopPreheader();
    auto value = preheader ? at_end(what, *preheader, depth) : at_entry(what);
    value.counts = true;
    return value;
  };
  const auto round = rounds_[level];
  if (round == 0) return entry();
  if (const auto step = written_.step(what, loop)) {
    auto result = entry();
    result.constant = sum_of(result.constant, *step, round);
    return result;
  }
  const std::tuple key(what, &loop, std::vector<unsigned>(rounds_.begin(), rounds_.begin() + level + 1));
  if (const auto known = begun_with_.find(key); known != begun_with_.end()) return known->second;
  const auto* latch = loop.getLoopLatch();
  if (!latch) return anything();
  const auto now = rounds_;
  const bool gave_up = std::exchange(gave_up_, false);
  set_round(level, round - 1);
  auto result = at_end(what, *latch, depth);
  result.bends = true; // else it has a step
  rounds_ = now;
  if (!gave_up_) begun_with_[key] = result;
  gave_up_ |= gave_up;
  return result;
}

// Behind a loop that is in the innermost one of these.
number numbers::behind_loop(const part& what, const Loop& loop, unsigned levels, unsigned depth) {
  const auto step = written_.step(what, loop);
  const auto* preheader = loop.getLoopPreheader();
  if (!step || !preheader) return anything();
  auto result = at_end(what, *preheader, depth);
  result.counts = true;
  if (const auto rounds = rounds_of_inner(loop, levels)) {
    result.constant = sum_of(result.constant, *step, *rounds);
    return bent(result);
  }
  if (*step < 0) result.constant = -far;
  result.spread = 2 * far;
  return result;
}

std::optional<unsigned> numbers::rounds_of_inner(const Loop& loop, unsigned levels) {
  if (loop.getExitingBlock() != loop.getHeader() || loop.getParentLoop() != loops_[levels - 1] || inside_)
    return std::nullopt;
  inside_ = true;
  const auto all = loops_;
  const auto now = rounds_;
  loops_.truncate(levels);
  loops_.push_back(&loop);
  rounds_.resize(levels + 1);
  bool bends = false;
  const auto over = [&](unsigned round) {
    rounds_[levels] = round;
    const bool is = is_over(levels);
    bends |= test_bends_;
    return is;
  };
  unsigned begin = 0, end = 0;
  if (!over(0))
    for (end = 1; end < most_inner_rounds && !over(end);) begin = end, end *= 2;
  while (begin + 1 < end && end < most_inner_rounds) {
    const auto middle = begin + (end - begin) / 2;
    (over(middle) ? end : begin) = middle;
  }
  if (bends) { // then it may be over before that
    for (end = 0; end < most_bent_rounds && !over(end);) ++end;
    if (end == most_bent_rounds) end = most_inner_rounds;
  }
  loops_ = all;
  rounds_ = now;
  inside_ = false;
  return end < most_inner_rounds ? std::optional(end) : std::nullopt;
}

} // namespace windrow::compiler::defer
