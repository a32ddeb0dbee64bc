// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/defer/plan/numbers.hpp"

#include "compiler/defer/plan/arithmetic.hpp"
#include "compiler/defer/plan/context.hpp"

namespace windrow::compiler::defer {

namespace {

constexpr unsigned deepest_expression = 24, most_steps = 200; // of one address

} // namespace

void numbers::set_round(unsigned level, unsigned round) {
  rounds_[level] = round;
  std::fill(rounds_.begin() + level + 1, rounds_.end(), 0);
}

bool numbers::is_over(unsigned level) {
  const auto& loop = *loops_[level];
  const auto* branch = dyn_cast<BranchInst>(loop.getHeader()->getTerminator());
  const auto* test = branch && branch->isConditional() ? dyn_cast<ICmpInst>(branch->getCondition()) : nullptr;
  if (!test) return false;
  const bool stays = loop.contains(branch->getSuccessor(0));
  if (stays == loop.contains(branch->getSuccessor(1))) return false;
  const auto holds = compares(*test, of(*test->getOperand(0)), of(*test->getOperand(1)));
  return holds && *holds != stays;
}

number numbers::of(const Value& value, unsigned depth) {
  if (const auto constant = constant_of(value)) return {{}, *constant};
  if (isa<ConstantPointerNull>(value)) return {};
  if (depth == deepest_expression || ++steps_ > most_steps) return unknowns_.another();
  if (const auto* load = dyn_cast<LoadInst>(&value)) {
    const auto* var = body_.vars.at(load->getPointerOperand());
    if (var && !var->escapes) return of_variable(*load, *var, depth + 1);
    return load->isVolatile() ? unknowns_.another()
                              : unknowns_.computed(Instruction::Load, load->getType(),
                                                   of(*load->getPointerOperand(), depth + 1), {});
  }
  const auto* operation = dyn_cast<Operator>(&value);
  if (operation && isa<Instruction, ConstantExpr>(value)) return of_operation(*operation, depth + 1);
  const auto* instruction = dyn_cast<Instruction>(&value);
  const bool changes = instruction && !isa<AllocaInst>(instruction) && !loops_.empty() &&
                       loops_.front()->contains(instruction);
  return changes ? unknowns_.another() : unknowns_.computed(0, &value, {}, {});
}

number numbers::of_operation(const Operator& operation, unsigned depth) {
  if (const auto* address = dyn_cast<GEPOperator>(&operation)) return of_element(*address, depth);
  const auto how = operation.getOpcode();
  if (Instruction::isCast(how) && (operation.getType()->isIntegerTy() || operation.getType()->isPointerTy()))
    return of_cast(operation, depth);
  if (const auto* call = dyn_cast<CallBase>(&operation);
      call && is_query(callee_name(*call)) && call->arg_empty())
    return unknowns_.computed(how, call->getCalledFunction(), {}, {});
  if (const auto known = arithmetic_of(operation))
    return of_arithmetic(known->how, *operation.getType(), of(*known->left, depth), of(*known->right, depth));
  if (const auto* test = dyn_cast<ICmpInst>(&operation)) return of_comparison(*test, depth);
  if (const auto* choice = dyn_cast<SelectInst>(&operation))
    return of_choice(*choice->getCondition(), *choice->getTrueValue(), *choice->getFalseValue(), depth);
  if (const auto* phi = dyn_cast<PHINode>(&operation))
    if (auto joined = of_join(*phi, depth)) return *joined;
  if (const auto* call = dyn_cast<CallInst>(&operation))
    if (auto known = of_call(*call, depth)) return *known;
  const auto* instruction = dyn_cast<Instruction>(&operation);
  const bool changes = instruction && !loops_.empty() && loops_.front()->contains(instruction);
  return changes ? unknowns_.another() : unknowns_.computed(0, &operation, {}, {});
}

std::optional<bool> numbers::compares(const ICmpInst& test, const number& left, const number& right) const {
  const bool by_type = body_.switches->hold("unsigned");
  return defer::compares(by_type ? test.getPredicate() : test.getSignedPredicate(), left, right,
                         *test.getOperand(0)->getType());
}

number numbers::of_comparison(const ICmpInst& test, unsigned depth) {
  const auto left = of(*test.getOperand(0), depth), right = of(*test.getOperand(1), depth);
  if (const auto holds = compares(test, left, right)) return {{}, *holds ? -1 : 0};
  return unknowns_.computed(Instruction::ICmp + 256 * test.getPredicate(), nullptr, left, right);
}

number numbers::of_choice(const Value& condition, const Value& then, const Value& otherwise, unsigned depth) {
  const auto holds = of(condition, depth);
  if (holds.is_known()) return of(holds.constant ? then : otherwise, depth);
  auto one = of(then, depth);
  const auto other = of(otherwise, depth);
  if (one == other) return one;
  return unknowns_.computed(Instruction::Select, nullptr, holds,
                            unknowns_.computed(Instruction::PHI, nullptr, one, other));
}

// Of the arms of a condition.
std::optional<number> numbers::of_join(const PHINode& phi, unsigned depth) {
  const auto* node = structure_.dominators.getNode(phi.getParent());
  const auto* head =
      phi.getNumIncomingValues() == 2 && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
  const auto* branch = head ? dyn_cast<BranchInst>(head->getTerminator()) : nullptr;
  if (!branch || !branch->isConditional() || structure_.loops.isLoopHeader(phi.getParent()))
    return std::nullopt;
  const auto comes_from = [&](unsigned arm, unsigned incoming) {
    const BasicBlockEdge edge(head, branch->getSuccessor(arm));
    return phi.getIncomingBlock(incoming) == head
               ? branch->getSuccessor(arm) == phi.getParent()
               : structure_.dominators.dominates(edge, phi.getIncomingBlock(incoming));
  };
  for (const unsigned first : {0u, 1u})
    if (comes_from(0, first) && comes_from(1, 1 - first))
      return of_choice(*branch->getCondition(), *phi.getIncomingValue(first),
                       *phi.getIncomingValue(1 - first), depth);
  return std::nullopt;
}

// Such as the greater of two.
std::optional<number> numbers::of_call(const CallInst& call, unsigned depth) {
  const bool absolute = is_absolute_value(call);
  const auto* intrinsic = dyn_cast<IntrinsicInst>(&call);
  if (!absolute && !(intrinsic && intrinsic->doesNotAccessMemory() && intrinsic->getType()->isIntegerTy() &&
                     intrinsic->arg_size() == 2))
    return std::nullopt;
  const auto left = of(*call.getArgOperand(0), depth);
  if (absolute && left.is_known()) return left.constant < 0 ? multiplied(left, -1) : left;
  const auto right = absolute ? number() : of(*call.getArgOperand(1), depth);
  const auto which = intrinsic ? intrinsic->getIntrinsicID() : Intrinsic::not_intrinsic;
  if (const auto apart = difference(left, right);
      apart.is_known() && (which == Intrinsic::smax || which == Intrinsic::smin))
    return (apart.constant > 0) == (which == Intrinsic::smax) ? left : right;
  return unknowns_.computed(Instruction::Call, call.getCalledFunction(), left, right);
}

number numbers::of_arithmetic(unsigned how, const Type& type, const number& left, const number& right) {
  if (how == Instruction::Add || how == Instruction::Sub)
    return fitted(added(left, right, how == Instruction::Add ? 1 : -1), type);
  if (how == Instruction::Mul && right.is_known()) return fitted(multiplied(left, right.constant), type);
  if (how == Instruction::Mul && left.is_known()) return fitted(multiplied(right, left.constant), type);
  if (how == Instruction::Shl && right.is_known() && right.constant >= 0 && right.constant < 62)
    return fitted(multiplied(left, int64_t{1} << right.constant), type);
  if (left.is_known() && right.is_known())
    if (const auto known = of_constants(how, left.constant, right.constant, type.getIntegerBitWidth()))
      return fitted({{}, *known}, type);
  const bool exchanged = how == Instruction::Mul && right < left;
  return unknowns_.computed(how, &type, exchanged ? right : left, exchanged ? left : right);
}

number numbers::of_cast(const Operator& operation, unsigned depth) {
  const auto& from = *operation.getOperand(0);
  auto result = of(from, depth);
  if (operation.getOpcode() == Instruction::ZExt && result.is_known())
    result.constant = wrapped(without_sign(result.constant, from.getType()->getIntegerBitWidth()));
  return fitted(std::move(result), *operation.getType());
}

number numbers::of_element(const GEPOperator& address, unsigned depth) {
  MapVector<Value*, APInt> variable_parts;
  APInt offset(64, 0);
  if (!address.getType()->isPointerTy() ||
      !address.collectOffset(body_.function->getParent()->getDataLayout(), 64, variable_parts, offset))
    return unknowns_.another();
  auto result = of(*address.getPointerOperand(), depth);
  result.constant = sum_of(result.constant, offset.getSExtValue(), 1);
  for (const auto& [part, scale] : variable_parts)
    result = added(result, of(*part, depth), scale.getSExtValue());
  return result;
}

} // namespace windrow::compiler::defer
