// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/defer/plan/writers.hpp"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/CFG.h>

#include "compiler/defer/plan/arithmetic.hpp"
#include "compiler/defer/plan/hazards.hpp"

namespace windrow::compiler::defer {

namespace {

std::optional<int64_t> offset_in(const variable& var, const Value& address, const DataLayout& layout) {
  APInt offset(64, 0);
  const auto* base = address.stripAndAccumulateConstantOffsets(layout, offset, true);
  return base == var.base ? std::optional(offset.getSExtValue()) : std::nullopt;
}

uint64_t bytes_of(Type& type, const DataLayout& layout) {
  return type.isSized() ? layout.getTypeStoreSize(&type).getKnownMinValue() : 0;
}

} // namespace

const variable* writers::variable_at(const Value& address) const {
  const auto* var = body_.vars.of_address(&address);
  return var && !var->escapes ? var : nullptr;
}

std::optional<part> writers::part_at(const Value& address, Type& type) const {
  const auto* var = variable_at(address);
  if (!var) return std::nullopt;
  if (address.stripPointerCasts() == var->base && &type == var->type) return part{var, 0, &type};
  if (!body_.switches->hold("parts")) return std::nullopt;
  const auto offset = offset_in(*var, address, body_.function->getParent()->getDataLayout());
  return offset ? std::optional(part{var, *offset, &type}) : std::nullopt;
}

bool writers::may_write(const Instruction& writer, const part& what) const {
  const auto* store = dyn_cast<StoreInst>(&writer);
  if (!store) return true;
  const auto& layout = store->getModule()->getDataLayout();
  const auto offset = offset_in(*what.var, *store->getPointerOperand(), layout);
  return !offset || (*offset < what.offset + static_cast<int64_t>(bytes_of(*what.type, layout)) &&
                     what.offset < *offset + static_cast<int64_t>(
                                                 bytes_of(*store->getValueOperand()->getType(), layout)));
}

void writers::find_all() const {
  if (std::exchange(found_, true)) return;
  for (auto& instruction : instructions(*body_.function))
    for (const auto* var : body_.effects_of(instruction).writes) of_variables_[var].push_back(&instruction);
}

ArrayRef<const Instruction*> writers::of(const part& what) const {
  find_all();
  const auto [known, fresh] = known_.try_emplace(what);
  if (const auto all = of_variables_.find(what.var); fresh && all != of_variables_.end())
    copy_if(all->second, std::back_inserter(known->second),
            [&](const Instruction* one) { return may_write(*one, what); });
  return known->second;
}

bool writers::any_in(const part& what, const Loop& loop) const {
  return any_of(of(what), [&](const Instruction* one) { return loop.contains(one); });
}

bool writers::any_in(const variable& var, const Loop& loop) const {
  find_all();
  const auto all = of_variables_.find(&var);
  return all != of_variables_.end() &&
         any_of(all->second, [&](const Instruction* one) { return loop.contains(one); });
}

const std::vector<const Instruction*>& writers::in_memory(const Loop& loop) const {
  const auto [known, fresh] = in_memory_.try_emplace(&loop);
  if (!fresh) return known->second;
  std::vector<const Instruction*> found;
  for (const auto* block : loop.blocks())
    for (const auto& instruction : *block)
      if (!is_unordered_update(callee_name(instruction)) &&
          any_of(body_.known->of(instruction).accesses, [](const access& one) { return one.writes; }))
        found.push_back(&instruction);
  return in_memory_[&loop] = std::move(found);
}

bool writers::change(const Instruction& reader, const Loop& loop) const {
  const auto [known, fresh] = changed_.try_emplace({&reader, &loop}, false);
  if (fresh)
    known->second = any_of(in_memory(loop), [&](const Instruction* writer) {
      return conflict(body_.known->of(*writer), body_.known->of(reader));
    });
  return known->second;
}

// By how much it changes the part, if it adds a constant.
std::optional<int64_t> writers::step_of(const Instruction& writer, const part& what) const {
  const auto* store = dyn_cast<StoreInst>(&writer);
  if (!store || part_at(*store->getPointerOperand(), *store->getValueOperand()->getType()) != what)
    return std::nullopt;
  const auto loads_it = [&](const Value& value) {
    const auto* load = dyn_cast<LoadInst>(&value);
    return load && part_at(*load->getPointerOperand(), *load->getType()) == what;
  };
  const auto& value = *store->getValueOperand();
  if (const auto* element = dyn_cast<GEPOperator>(&value)) {
    APInt bytes(64, 0);
    const bool constant = loads_it(*element->getPointerOperand()) &&
                          element->accumulateConstantOffset(store->getModule()->getDataLayout(), bytes);
    return constant ? std::optional(bytes.getSExtValue()) : std::nullopt;
  }
  const auto sum = arithmetic_of(value);
  const auto by = sum ? constant_of(*sum->right) : std::nullopt;
  if (!by || !loads_it(*sum->left)) return std::nullopt;
  if (sum->how == Instruction::Add) return by;
  return sum->how == Instruction::Sub ? std::optional(sum_of(0, *by, -1)) : std::nullopt;
}

std::optional<int64_t> writers::step(const part& what, const Loop& loop) const {
  const auto [known, fresh] = steps_.try_emplace({what, &loop});
  if (fresh) known->second = find_step(what, loop);
  return known->second;
}

// The same on each way around the loop.
std::optional<int64_t> writers::find_step(const part& what, const Loop& loop) const {
  DenseMap<const BasicBlock*, int64_t> in_block;
  int64_t all = 0;
  for (const auto* writer : of(what)) {
    if (!loop.contains(writer)) continue;
    const auto by = step_of(*writer, what);
    if (!by) return std::nullopt;
    in_block[writer->getParent()] += *by;
    all = sum_of(all, *by, 1);
  }
  if (!body_.switches->hold("steps")) return all;
  if (any_of(in_block, [&](const auto& one) { return structure_.loops.getLoopFor(one.first) != &loop; }))
    return std::nullopt;
  DenseMap<const BasicBlock*, int64_t> before{{loop.getHeader(), 0}};
  bool alike = true;
  const auto in_front = [&](const BasicBlock& block) {
    std::optional<int64_t> found;
    for (const auto* from : predecessors(&block)) {
      const auto known = loop.contains(from) ? before.find(from) : before.end();
      if (known == before.end()) continue; // around a loop inside, which changes nothing
      const auto here = in_block.find(from);
      const auto sum = known->second + (here == in_block.end() ? 0 : here->second);
      alike &= !found || found == sum;
      found = sum;
    }
    return found;
  };
  for (const auto* block : ReversePostOrderTraversal<const Function*>(body_.function))
    if (loop.contains(block) && block != loop.getHeader())
      if (const auto sum = in_front(*block)) before[block] = *sum;
  const auto found = in_front(*loop.getHeader());
  return alike ? found : std::nullopt;
}

} // namespace windrow::compiler::defer
