// SPDX-License-Identifier: BSD-3-Clause
// What variables hold, by what is stored in them.
#include "compiler/defer/plan/arithmetic.hpp"
#include "compiler/defer/plan/numbers.hpp"

namespace windrow::compiler::defer {

namespace {

// By how much the store changes the variable, if it adds a constant.
std::optional<int64_t> step_of(const StoreInst& store, const variable& var) {
  const auto loads_it = [&](const Value& value) {
    const auto* load = dyn_cast<LoadInst>(&value);
    return load && load->getPointerOperand() == var.base &&
           load->getType() == store.getValueOperand()->getType();
  };
  const auto& value = *store.getValueOperand();
  if (const auto* element = dyn_cast<GEPOperator>(&value)) {
    APInt bytes(64, 0);
    const bool constant = loads_it(*element->getPointerOperand()) &&
                          element->accumulateConstantOffset(store.getModule()->getDataLayout(), bytes);
    return constant ? std::optional(bytes.getSExtValue()) : std::nullopt;
  }
  const auto sum = arithmetic_of(value);
  const auto by = sum ? constant_of(*sum->right) : std::nullopt;
  if (!by || !loads_it(*sum->left)) return std::nullopt;
  if (sum->how == Instruction::Add) return by;
  return sum->how == Instruction::Sub ? std::optional(sum_of(0, *by, -1)) : std::nullopt;
}

const StoreInst* store_of_all(const Instruction& writer, const variable& var) {
  const auto* store = dyn_cast<StoreInst>(&writer);
  const bool all =
      store && store->getPointerOperand() == var.base && store->getValueOperand()->getType() == var.type;
  return all ? store : nullptr;
}

} // namespace

written_variables find_written_variables(const code& body) {
  written_variables found;
  for (auto& instruction : instructions(*body.function))
    for (const auto* var : body.effects_of(instruction).writes) found[var].push_back(&instruction);
  return found;
}

SmallVector<const Instruction*, 4> numbers::writers_in(const variable& var, const Loop& loop) const {
  SmallVector<const Instruction*, 4> found;
  if (const auto all = written_.find(&var); all != written_.end())
    copy_if(all->second, std::back_inserter(found),
            [&](const Instruction* one) { return loop.contains(one); });
  return found;
}

std::optional<numbers::counter> numbers::find_counter(const variable& var) const {
  for (unsigned level = 0; level < loops_.size(); ++level) {
    counter found{level, {}};
    const auto writers = writers_in(var, *loops_[level]);
    for (const auto* writer : writers) {
      const auto* store = store_of_all(*writer, var);
      const auto step = store ? step_of(*store, var) : std::nullopt;
      if (step) found.steps.emplace_back(store, *step);
    }
    if (!writers.empty() && found.steps.size() == writers.size()) return found;
  }
  return std::nullopt;
}

number numbers::of_variable(const LoadInst& load, const variable& var, unsigned depth) {
  if (load.getType() != var.type) return unknowns_.another();
  const auto [known, fresh] = counters_.try_emplace(&var);
  if (fresh) known->second = find_counter(var);
  if (!loops_.empty() && !loops_.front()->contains(&load)) return same_in_round(var.base, 0);
  if (const auto& count = known->second) return of_counter(load, var, *count, depth);
  for (unsigned level = 0; level < loops_.size(); ++level) {
    const auto writers = writers_in(var, *loops_[level]);
    if (writers.empty()) return level == 0 ? before_loop(var, 0, depth) : same_in_round(var.base, level);
    if (const auto* last = last_before(load, writers, *loops_[level])) {
      const auto* whole = store_of_all(*last, var);
      return whole ? of(*whole->getValueOperand(), depth) : unknowns_.another();
    }
    const auto* store = writers.size() == 1 ? store_of_all(*writers.front(), var) : nullptr;
    if (store && structure_.dominators.dominates(store, &load)) return of(*store->getValueOperand(), depth);
    if (store && is_once_in_round(*store, level)) return of_last_round(*store, var, level, depth);
  }
  return unknowns_.another();
}

// What has written last before the load, in its round, as long as there is one way to the load only.
const Instruction* numbers::last_before(const LoadInst& load, ArrayRef<const Instruction*> writers,
                                        const Loop& loop) const {
  const Instruction* at = &load;
  for (const auto* block = load.getParent(); structure_.loops.getLoopFor(block)->contains(&load);
       block = block->getSinglePredecessor(), at = block->getTerminator()) {
    for (; at; at = at->getPrevNode())
      if (is_contained(writers, at)) return at;
    if (block == loop.getHeader() || !block->getSinglePredecessor()) break;
  }
  return nullptr;
}

bool numbers::is_once_in_round(const StoreInst& store, unsigned level) const {
  const auto& loop = *loops_[level];
  return structure_.loops.getLoopFor(store.getParent()) == &loop && loop.getLoopLatch() &&
         structure_.dominators.dominates(store.getParent(), loop.getLoopLatch());
}

// What the round before has stored at its end.
number numbers::of_last_round(const StoreInst& store, const variable& var, unsigned level, unsigned depth) {
  if (rounds_[level] == 0) return before_loop(var, level, depth);
  const auto now = rounds_;
  set_round(level, rounds_[level] - 1);
  auto result = of(*store.getValueOperand(), depth);
  rounds_ = now;
  return result;
}

number numbers::of_counter(const LoadInst& load, const variable& var, const counter& count, unsigned depth) {
  auto result = before_loop(var, count.level, depth);
  int64_t each = 0;
  for (const auto& [store, step] : count.steps) {
    each = sum_of(each, step, 1);
    if (structure_.dominators.dominates(store, &load)) result.constant = sum_of(result.constant, step, 1);
  }
  result.constant = sum_of(result.constant, each, rounds_[count.level]);
  return result;
}

// As it is when the loop is entered.
number numbers::before_loop(const variable& var, unsigned level, unsigned depth) {
  const auto all = written_.find(&var);
  const auto* block = all == written_.end() ? nullptr : loops_[level]->getLoopPreheader();
  for (; block; block = block->getSinglePredecessor())
    for (const auto& instruction : reverse(*block))
      if (is_contained(all->second, &instruction)) {
        const auto* store = store_of_all(instruction, var);
        return store ? of(*store->getValueOperand(), depth) : same_in_round(var.base, level);
      }
  return same_in_round(var.base, level);
}

// In the given rounds of that many loops.
number numbers::same_in_round(const void* what, unsigned levels) {
  number result = unknowns_.computed(Instruction::Load, what, {}, {});
  for (unsigned level = 0; level < levels; ++level)
    result = unknowns_.computed(Instruction::Load, what, result, {{}, static_cast<int64_t>(rounds_[level])});
  return result;
}

} // namespace windrow::compiler::defer
