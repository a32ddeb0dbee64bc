// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/common/analysis/post_dominators.hpp"

#include <llvm/ADT/PostOrderIterator.h>

#include "compiler/common/api/calls.hpp"

namespace windrow::compiler {

namespace {

constexpr unsigned end = 0; // stands for all ends together

// The kinds of ends, and which blocks are one. Only what leads to no end of an earlier kind looks at a later
// one: where a function can return, its failures are no ends.
bool returns(const BasicBlock& block) {
  return isa<ReturnInst, ResumeInst>(block.getTerminator());
}
bool fails(const BasicBlock& block) {
  return isa<UnreachableInst>(block.getTerminator());
}
bool ends_program(const BasicBlock& block) {
  return fails(block) && none_of(block, [](const Instruction& one) {
           const auto* call = dyn_cast<CallBase>(&one);
           return call && aborts(*call);
         });
}

// Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm", on the reversed graph: blocks are
// numbered so that a block's post-dominators have lower numbers.
class solver {
 public:
  explicit solver(Function& function) : blocks_{nullptr} {
    for (auto* is_end : {returns, ends_program, fails}) {
      ++kind_;
      for (auto& block : function)
        if (is_end(block)) add_end(block);
    }
    // Loops without end: the block from which the search comes back first leads to all of the loop.
    ++kind_;
    for (auto* block : post_order(&function.getEntryBlock())) add_end(*block);
    for (auto* block : reverse(found_)) {
      number_[block] = static_cast<unsigned>(blocks_.size());
      blocks_.push_back(block);
    }
    immediate_.assign(blocks_.size(), unknown);
    immediate_[end] = end;
  }

  void solve() {
    for (bool changed = true; changed;) {
      changed = false;
      for (unsigned block = 1; block < blocks_.size(); ++block) {
        const auto met = meet(block);
        if (met == immediate_[block]) continue;
        immediate_[block] = met;
        changed = true;
      }
    }
  }

  template <class Function2>
  void for_each(Function2 tell) const {
    for (unsigned block = 1; block < blocks_.size(); ++block)
      if (immediate_[block] != unknown && immediate_[block] != end)
        tell(blocks_[block], blocks_[immediate_[block]]);
  }

 private:
  static constexpr unsigned unknown = ~0U;

  void add_end(BasicBlock& block) {
    if (kinds_.count(&block)) return;
    ends_.insert(&block);
    visit(&block);
  }

  // Without recursion: functions can have tens of thousands of blocks.
  void visit(BasicBlock* from) {
    kinds_[from] = kind_;
    SmallVector<std::pair<BasicBlock*, pred_iterator>, 16> stack{{from, pred_begin(from)}};
    while (!stack.empty()) {
      auto& [block, next] = stack.back();
      if (next == pred_end(block)) {
        found_.push_back(block);
        stack.pop_back();
      } else if (auto* before = *next++; kinds_.try_emplace(before, kind_).second)
        stack.emplace_back(before, pred_begin(before));
    }
  }

  unsigned meet(unsigned block) const {
    if (ends_.contains(blocks_[block])) return end;
    unsigned result = unknown;
    for (auto* successor : successors(blocks_[block])) {
      const auto found = number_.find(successor);
      if (found == number_.end() || immediate_[found->second] == unknown ||
          kinds_.lookup(successor) != kinds_.lookup(blocks_[block]))
        continue;
      result = result == unknown ? found->second : common(result, found->second);
    }
    return result;
  }

  unsigned common(unsigned one, unsigned other) const {
    while (one != other) {
      if (one < other) std::swap(one, other);
      one = immediate_[one];
    }
    return one;
  }

  unsigned kind_ = 0; // of the ends that are being added
  DenseMap<const BasicBlock*, unsigned> kinds_;
  SmallPtrSet<const BasicBlock*, 8> ends_;
  SmallVector<BasicBlock*, 32> found_; // in post-order

  std::vector<BasicBlock*> blocks_;
  DenseMap<BasicBlock*, unsigned> number_;
  std::vector<unsigned> immediate_;
};

} // namespace

post_dominators::post_dominators(Function& function) {
  solver solution(function);
  solution.solve();
  solution.for_each([&](BasicBlock* block, BasicBlock* immediate) { immediate_[block] = immediate; });
}

} // namespace windrow::compiler
