// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/common/analysis/post_dominators.hpp"

namespace windrow::compiler {

namespace {

constexpr unsigned end = 0; // stands for all returns together

// Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm", on the reversed graph: blocks are
// numbered so that a block's post-dominators have lower numbers.
class solver {
 public:
  explicit solver(Function& function) : blocks_{nullptr} {
    SmallVector<BasicBlock*, 16> post_order;
    SmallPtrSet<BasicBlock*, 32> seen;
    for (auto& block : function)
      if (isa<ReturnInst, ResumeInst>(block.getTerminator())) visit(&block, seen, post_order);
    for (auto* block : reverse(post_order)) {
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

  // Without recursion: functions can have tens of thousands of blocks.
  static void visit(BasicBlock* from, SmallPtrSetImpl<BasicBlock*>& seen,
                    SmallVectorImpl<BasicBlock*>& post_order) {
    if (!seen.insert(from).second) return;
    SmallVector<std::pair<BasicBlock*, pred_iterator>, 16> stack{{from, pred_begin(from)}};
    while (!stack.empty()) {
      auto& [block, next] = stack.back();
      if (next == pred_end(block)) {
        post_order.push_back(block);
        stack.pop_back();
      } else if (auto* before = *next++; seen.insert(before).second)
        stack.emplace_back(before, pred_begin(before));
    }
  }

  unsigned meet(unsigned block) const {
    auto* terminator = blocks_[block]->getTerminator();
    if (isa<ReturnInst, ResumeInst>(terminator)) return end;
    unsigned result = unknown;
    for (auto* successor : successors(blocks_[block])) {
      const auto found = number_.find(successor);
      if (found == number_.end() || immediate_[found->second] == unknown) continue;
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
