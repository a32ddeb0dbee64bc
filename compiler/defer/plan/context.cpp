// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/defer/plan/context.hpp"

#include "compiler/common/api/calls.hpp"

namespace windrow::compiler::defer {

namespace {

bool in_record(const unit& part) {
  return part.fetch || part.deferred;
}

bool is_number_store(const Instruction& one) {
  const auto* store = dyn_cast<StoreInst>(&one);
  return store && !store->getValueOperand()->getType()->isPointerTy();
}

// Whether units of the record's stretch, up to `until`, may change what the load reads.
bool may_change(const plan& scope, const code& body, const LoadInst& load, const Instruction* until) {
  const auto* var = body.vars.of_address(load.getPointerOperand());
  const auto is_met = [&](const Instruction& writer) {
    return any_of(body.known->of(load).accesses, [&](const access& kept) {
      return may_store_context(writer, kept.where, body.known->of(writer));
    });
  };
  bool inside = false;
  for (const auto& part : scope.scope.units) {
    if (part.instruction == until) return false;
    inside |= in_record(part) || part.instruction == &load;
    if (!inside) continue;
    if (var && part.touched.writes.contains(const_cast<variable*>(var))) return true;
    if (var && !var->escapes) continue;
    for (const auto* access : part.touched.memory)
      if (access->mayWriteToMemory() && (!is_number_store(*access) || is_met(*access)) &&
          !is_unordered_update(callee_name(*access)) && !is_fetch(*access))
        return true;
  }
  return false;
}

} // namespace

bool may_store_context(const Instruction& one, const location& where, const footprint& print) {
  if (!isa<StoreInst, MemTransferInst>(one)) return false;
  const bool elsewhere =
      is_number_store(one) && !cast<StoreInst>(one).getValueOperand()->getType()->isIntegerTy(8);
  return any_of(print.accesses, [&](const access& other) {
    return other.writes && (!elsewhere || (where.offset && other.where.offset)) &&
           may_meet(where, sizeof(void*), other.where, other.bytes);
  });
}

bool computes(const Instruction& instruction) {
  return isa<GetElementPtrInst, CastInst, BinaryOperator, UnaryOperator, CmpInst, SelectInst,
             ExtractValueInst, InsertValueInst, ExtractElementInst, InsertElementInst, ShuffleVectorInst,
             FreezeInst>(instruction) ||
         is_absolute_value(instruction) ||
         (isa<IntrinsicInst>(instruction) && !instruction.mayReadOrWriteMemory() &&
          !instruction.getType()->isVoidTy());
}

bool is_absolute_value(const Instruction& instruction) {
  if (const auto* intrinsic = dyn_cast<IntrinsicInst>(&instruction))
    return intrinsic->getIntrinsicID() == Intrinsic::abs;
  const auto* call = dyn_cast<CallInst>(&instruction);
  const auto name = callee_name(instruction);
  return (name == "abs" || name == "labs" || name == "llabs") && call->getCalledFunction()->isDeclaration();
}

bool same_expression(const Value* one, const Value* other) {
  if (one == other) return true;
  const auto* first = dyn_cast<Instruction>(one);
  const auto* second = dyn_cast<Instruction>(other);
  if (!first || !second || !first->isSameOperationAs(second)) return false;
  if (!isa<LoadInst>(first) && !computes(*first) && !is_query(callee_name(*first))) return false;
  return all_of(zip(first->operands(), second->operands()),
                [](const auto& pair) { return same_expression(std::get<0>(pair), std::get<1>(pair)); });
}

const unit* first_of_record(const plan& scope) {
  const auto found = find_if(scope.scope.units, in_record);
  return found == scope.scope.units.end() ? nullptr : &*found;
}

const unit* last_of_record(const plan& scope) {
  const unit* last = nullptr;
  for (const auto& part : scope.scope.units)
    if (in_record(part)) last = &part;
  return last;
}

bool available_at_open(const plan& scope, const code& body, const DominatorTree& dominators,
                       const Value* value) {
  const auto* instruction = dyn_cast<Instruction>(value);
  if (!instruction || body.vars.at(value)) return true;
  const auto* load = dyn_cast<LoadInst>(instruction);
  if (load && may_change(scope, body, *load, scope.fetches.back())) return false;
  if (load || isa<GetElementPtrInst, CastInst>(instruction))
    return all_of(instruction->operand_values(),
                  [&](const Value* operand) { return available_at_open(scope, body, dominators, operand); });
  return dominators.dominates(instruction, first_of_record(scope)->place());
}

Value* compute_at_open(Value* value, const DominatorTree& dominators, IRBuilder<>& builder) {
  auto* instruction = dyn_cast<Instruction>(value);
  if (!instruction || dominators.dominates(instruction, &*builder.GetInsertPoint())) return value;
  auto* again = instruction->clone();
  for (auto& operand : again->operands()) operand.set(compute_at_open(operand.get(), dominators, builder));
  return builder.Insert(again, instruction->getName());
}

} // namespace windrow::compiler::defer
