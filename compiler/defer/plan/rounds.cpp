// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/defer/plan/rounds.hpp"

#include <llvm/IR/Dominators.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>

namespace windrow::compiler::defer {

namespace {

constexpr unsigned least_counter_bits = 32; // of fewer, the same value may come again while code waits
constexpr uint64_t largest_step = 256;

// One variable of a loop that each round changes by the same, unconditionally.
class counter_search {
 public:
  counter_search(const Loop& loop, const code& body, const DominatorTree& dominators, uint64_t bytes)
      : loop_(loop), body_(body), dominators_(dominators), bytes_(bytes) {}

  // base[counter + something] both: another place in each round, and the same one in a round.
  bool differ_in_each_round(const Value& one, const Value& other) {
    return differs_in_each_round(one) && differs_in_each_round(other) && count_ &&
           all_of(loads_,
                  [&](const LoadInst* load) { return comes_behind(*load) == comes_behind(*loads_.front()); });
  }

 private:
  bool differs_in_each_round(const Value& address) {
    const auto* element = dyn_cast<GetElementPtrInst>(&address);
    if (!element) return false;
    unsigned counting = 0;
    for (const auto& operand : element->operands()) {
      if (is_invariant(*operand.get())) continue;
      if (operand.getOperandNo() == 0) {
        if (!differs_in_each_round(*operand.get())) return false;
      } else if (!counts(*operand.get()) ||
                 bytes_of_element(*element, operand.getOperandNo()) * step_ < bytes_)
        return false;
      ++counting;
    }
    return counting == 1;
  }

  static uint64_t bytes_of_element(const GetElementPtrInst& address, unsigned index) {
    const auto& layout = address.getModule()->getDataLayout();
    const auto type = std::next(gep_type_begin(address), index - 1);
    return type.isStruct() ? 0 : layout.getTypeAllocSize(type.getIndexedType()).getKnownMinValue();
  }

  // In a round, whether the load reads what the round has counted.
  bool comes_behind(const LoadInst& load) const {
    if (load.getParent() == count_->getParent()) return count_->comesBefore(&load);
    SmallPtrSet<const BasicBlock*, 16> seen{loop_.getHeader()};
    SmallVector<const BasicBlock*, 8> open(successors(count_->getParent()));
    while (!open.empty()) {
      const auto* block = open.pop_back_val();
      if (!loop_.contains(block) || !seen.insert(block).second) continue;
      if (block == load.getParent()) return true;
      append_range(open, successors(block));
    }
    return false;
  }

  bool counts(const Value& value) {
    if (const auto* cast = dyn_cast<CastInst>(&value))
      return isa<SExtInst, ZExtInst>(cast) && counts(*cast->getOperand(0));
    if (const auto* load = dyn_cast<LoadInst>(&value)) {
      loads_.push_back(load);
      return is_counter(load->getPointerOperand()) && reads_all_of_counter(*load);
    }
    const auto* sum = dyn_cast<BinaryOperator>(&value);
    if (!sum) return false;
    const auto code = sum->getOpcode();
    if (code != Instruction::Add && code != Instruction::Sub) return false;
    return (counts(*sum->getOperand(0)) && is_invariant(*sum->getOperand(1))) ||
           (counts(*sum->getOperand(1)) && is_invariant(*sum->getOperand(0)));
  }

  // The low byte of a counter comes to the same values again.
  bool reads_all_of_counter(const LoadInst& load) const {
    return load.getType() == count_->getValueOperand()->getType();
  }

  bool is_counter(const Value* address) {
    const auto* var = body_.vars.at(address);
    if (!var || var->escapes) return false;
    const StoreInst* only = nullptr;
    if (!all_stores(*var, [&](const StoreInst& store) { return !std::exchange(only, &store); }) || !only)
      return false;
    count_ = only;
    const auto* sum = dyn_cast<BinaryOperator>(only->getValueOperand());
    if (!sum || (sum->getOpcode() != Instruction::Add && sum->getOpcode() != Instruction::Sub)) return false;
    const auto* load = dyn_cast<LoadInst>(sum->getOperand(0));
    const auto* step = dyn_cast<ConstantInt>(sum->getOperand(1));
    if (!load || load->getPointerOperand() != address || !step || step->isZero() ||
        step->getBitWidth() < least_counter_bits || step->getValue().abs().ugt(largest_step))
      return false;
    step_ = step->getValue().abs().getZExtValue();
    return load->getType() == step->getType() && loop_.getLoopLatch() &&
           dominators_.dominates(only->getParent(), loop_.getLoopLatch()) && is_directly_inside(*only);
  }

  // Not in a loop inside of this one.
  bool is_directly_inside(const Instruction& instruction) const {
    return none_of(loop_.getSubLoops(), [&](const Loop* inner) { return inner->contains(&instruction); });
  }

  bool is_invariant(const Value& value) const {
    const auto* instruction = dyn_cast<Instruction>(&value);
    if (!instruction || !loop_.contains(instruction)) return true;
    const auto* load = dyn_cast<LoadInst>(instruction);
    if (!load)
      return isa<GetElementPtrInst, CastInst, BinaryOperator>(instruction) &&
             all_of(instruction->operands(),
                    [&](const Use& operand) { return is_invariant(*operand.get()); });
    const auto* var = body_.vars.at(load->getPointerOperand());
    return var && !var->escapes && all_stores(*var, [](const StoreInst&) { return false; });
  }

  template <class Test>
  bool all_stores(const variable& var, Test test) const {
    for (const auto* block : loop_.blocks())
      for (const auto& instruction : *block) {
        const auto touched = body_.effects_of(const_cast<Instruction&>(instruction));
        if (!touched.writes.contains(const_cast<variable*>(&var))) continue;
        const auto* store = dyn_cast<StoreInst>(&instruction);
        if (!store || store->getPointerOperand() != var.base || !test(*store)) return false;
      }
    return true;
  }

  const Loop& loop_;
  const code& body_;
  const DominatorTree& dominators_;
  uint64_t bytes_;                        // of each place
  uint64_t step_ = 0;                     // of the counter
  SmallVector<const LoadInst*, 2> loads_; // of it, for the addresses
  const StoreInst* count_ = nullptr;      // what changes it
};

} // namespace

bool differ_in_each_round(const Loop& loop, const code& body, const DominatorTree& dominators,
                          const Value& one, const Value& other, uint64_t bytes) {
  return counter_search(loop, body, dominators, bytes).differ_in_each_round(one, other);
}

} // namespace windrow::compiler::defer
