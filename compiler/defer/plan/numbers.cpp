// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/defer/plan/numbers.hpp"

#include "compiler/defer/plan/arithmetic.hpp"
#include "compiler/defer/plan/context.hpp"

namespace windrow::compiler::defer {

namespace {

constexpr unsigned deepest_expression = 60, most_steps = 600; // of one address

// What decides by which way the block is come to, from the one on that is always passed.
SmallVector<const Value*, 4> decisions_before(const BasicBlock& join, const DominatorTree& dominators) {
  const auto* head = dominators.getNode(&join)->getIDom()->getBlock();
  SmallSetVector<const BasicBlock*, 8> ways(pred_begin(&join), pred_end(&join));
  SmallVector<const Value*, 4> found;
  for (size_t at = 0; at < ways.size(); ++at) {
    const auto* block = ways[at];
    const auto* end = block->getTerminator();
    if (block != head) ways.insert(pred_begin(block), pred_end(block));
    if (const auto* branch = dyn_cast<BranchInst>(end))
      found.append(branch->isConditional() ? 1 : 0, branch->isConditional() ? branch->getCondition() : end);
    else
      found.push_back(isa<SwitchInst>(end) ? end->getOperand(0) : end);
  }
  return found;
}

} // namespace

// Two kinds of unknown numbers: data is what the programmer says it is, and the rest may meet.
number unknown_numbers::known(unsigned how, const void* by, const number& left, const number& right) {
  const auto [known, fresh] = known_.try_emplace({how, by, left, right}, next_);
  if (fresh) ++next_;
  return {{{known->second, 1}}, 0};
}

bool unknown_numbers::may_be_any(const number& value) const {
  return !value.is_exact() ||
         any_of(value.unknowns, [&](const term& one) { return any_.contains(one.first); });
}

number unknown_numbers::computed(unsigned how, const void* by, const number& left, const number& right) {
  if (!left.is_exact() || !right.is_exact()) return anything();
  auto result = known(how, by, left, right);
  result.counts = left.counts || right.counts;
  const auto made = result.unknowns.front().first;
  const auto is_scalar = [&](const number& one) { return without_scalars(one).unknowns.empty(); };
  if (result.counts)
    any_.insert(made);
  else if (how != 0 && is_scalar(left) && is_scalar(right))
    scalars_.insert(made);
  return result;
}

number unknown_numbers::loaded(const Type& type, const number& address) {
  if (!address.is_exact()) return another(type);
  return type.isPointerTy() ? known(Instruction::Load, &type, address, {})
                            : scalar(Instruction::Load, &type, address);
}

number unknown_numbers::another(const Type& type) {
  if (!type.isPointerTy()) scalars_.insert(next_);
  return {{{next_++, 1}}, 0};
}

number unknown_numbers::any() {
  any_.insert(next_);
  return {{{next_++, 1}}, 0, 0, true};
}

number unknown_numbers::scalar(unsigned how, const void* by, const number& left) {
  auto result = known(how, by, left, {});
  scalars_.insert(result.unknowns.front().first);
  return result;
}

number unknown_numbers::without_scalars(number value) const {
  erase_if(value.unknowns, [&](const term& one) { return scalars_.contains(one.first); });
  return value;
}

number unknown_numbers::settled(number value) const {
  if (!may_be_any(value)) return value;
  const auto terms = value.unknowns.size();
  erase_if(value.unknowns, [&](const term& one) { return any_.contains(one.first); });
  if (value.unknowns.size() < terms || value.spread > far) {
    value.constant = -far;
    value.spread = 2 * far;
    value = without_scalars(value);
  }
  return value;
}

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
  const auto left = of(*test->getOperand(0)), right = of(*test->getOperand(1));
  test_bends_ = left.bends || right.bends;
  const auto holds = compares(*test, left, right);
  return holds && *holds != stays;
}

bool numbers::gives_up(unsigned depth) {
  const bool now = depth >= deepest_expression || ++steps_ > most_steps || *steps_left_ == 0;
  if (!now) --*steps_left_;
  gave_up_ |= now;
  return now;
}

number numbers::of(const Value& value, unsigned depth) {
  if (const auto constant = constant_of(value)) return {{}, *constant};
  if (isa<ConstantPointerNull>(value)) return {};
  if (gives_up(depth)) return is_inside(value) ? anything() : unknown_of(value);
  if (const auto* load = dyn_cast<LoadInst>(&value)) return of_load(*load, depth + 1);
  const auto* operation = dyn_cast<Operator>(&value);
  if (operation && isa<Instruction, ConstantExpr>(value)) return of_operation(*operation, depth + 1);
  return unknown_of(value);
}

bool numbers::is_inside(const Value& value) const {
  const auto* instruction = dyn_cast<Instruction>(&value);
  return instruction && !loops_.empty() && loops_.front()->contains(instruction);
}

// What is not looked into: the same in each round, or nobody knows.
number numbers::unknown_of(const Value& value) {
  if (is_inside(value) && !isa<AllocaInst>(value)) return unknowns_.any();
  return value.getType()->isPointerTy() ? unknowns_.computed(0, &value, {}, {})
                                        : unknowns_.scalar(0, &value, {});
}

number numbers::of_load(const LoadInst& load, unsigned depth) {
  const auto& address = *load.getPointerOperand();
  if (const auto what = written_.part_at(address, *load.getType())) return before(*what, load, depth);
  if (load.isVolatile()) return unknowns_.any();
  const auto* var = written_.variable_at(address);
  const bool changes = !loops_.empty() && (var ? written_.any_in(*var, *loops_.front())
                                               : written_.change(load, *loops_.front()));
  if (changes && body_.switches->hold("parts")) return anything();
  return unknowns_.loaded(*load.getType(), of(address, depth));
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
    return of_choice(of(*choice->getCondition(), depth), of(*choice->getTrueValue(), depth),
                     of(*choice->getFalseValue(), depth));
  if (const auto* phi = dyn_cast<PHINode>(&operation))
    if (auto joined = of_join(*phi, depth)) return *joined;
  if (const auto* call = dyn_cast<CallBase>(&operation))
    if (auto known = of_call(*call, depth)) return *known;
  return depends_on_operands(operation) ? of_operands(operation, depth) : unknown_of(operation);
}

// Whether it is the same whenever they are, unless the loops change what it reads.
bool numbers::depends_on_operands(const Operator& operation) const {
  const auto* instruction = dyn_cast<Instruction>(&operation);
  if (!instruction || computes(*instruction)) return true;
  const auto* call = dyn_cast<CallBase>(instruction);
  if (!call || !is_inside(*call)) return false;
  const auto& print = body_.known->of(*call);
  const auto changes = [&](const Use& argument) {
    const auto* var = written_.variable_at(*argument);
    return var && written_.any_in(*var, *loops_.front());
  };
  return print.unknown.empty() && none_of(call->args(), changes) && !print.output && !print.frees &&
         !print.default_context && !body_.known->pointers().allocates(*call) &&
         none_of(print.accesses, [](const access& one) { return one.writes; }) &&
         !written_.change(*call, *loops_.front());
}

// Whatever it makes of them.
number numbers::of_operands(const Operator& operation, unsigned depth) {
  const auto* test = dyn_cast<CmpInst>(&operation);
  const unsigned how = operation.getOpcode() + (test ? 256 * test->getPredicate() : 0);
  number result;
  const auto add = [&](const number& one) {
    result = unknowns_.computed(how, operation.getType(), result, one);
  };
  for (const auto& operand : operation.operands()) add(of(*operand, depth));
  const auto add_all = [&](const auto& constants) {
    for (const auto one : constants) add({{}, one});
  };
  if (const auto* part = dyn_cast<ExtractValueInst>(&operation)) add_all(part->indices());
  if (const auto* part = dyn_cast<InsertValueInst>(&operation)) add_all(part->indices());
  if (const auto* order = dyn_cast<ShuffleVectorInst>(&operation)) add_all(order->getShuffleMask());
  return result;
}

std::optional<bool> numbers::compares(const ICmpInst& test, const number& left, const number& right) const {
  const bool by_type = body_.switches->hold("unsigned");
  return defer::compares(by_type ? test.getPredicate() : test.getSignedPredicate(), left, right,
                         *test.getOperand(0)->getType());
}

number numbers::of_comparison(const ICmpInst& test, unsigned depth) {
  const auto left = of(*test.getOperand(0), depth), right = of(*test.getOperand(1), depth);
  if (const auto holds = compares(test, left, right))
    return bent({{}, *holds ? -1 : 0, 0, left.counts || right.counts});
  return unknowns_.computed(Instruction::ICmp + 256 * test.getPredicate(), nullptr, left, right);
}

// Of numbers that the loops change, it may be any between them; data is what the programmer says it is.
number numbers::of_choice(const number& condition, const number& then, const number& otherwise) {
  if (condition.is_known() && !(forgets_conditions_ && condition.counts)) {
    auto chosen = condition.constant ? then : otherwise;
    chosen.counts |= condition.counts;
    return condition.counts ? bent(chosen) : chosen;
  }
  if (then == otherwise) return then;
  const bool counts = condition.counts || then.counts || otherwise.counts;
  if (counts && body_.switches->hold("steps"))
    if (auto one = either(then, otherwise)) return *one;
  return unknowns_.computed(Instruction::Select, nullptr, condition,
                            unknowns_.computed(Instruction::PHI, nullptr, then, otherwise));
}

// Of the arms of a condition.
std::optional<number> numbers::of_join(const PHINode& phi, unsigned depth) {
  const auto* node = structure_.dominators.getNode(phi.getParent());
  const auto* head =
      phi.getNumIncomingValues() == 2 && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
  const auto* branch = head ? dyn_cast<BranchInst>(head->getTerminator()) : nullptr;
  if (structure_.loops.isLoopHeader(phi.getParent())) return std::nullopt;
  if (!branch || !branch->isConditional()) return of_any(phi, depth);
  const auto comes_from = [&](unsigned arm, unsigned incoming) {
    const BasicBlockEdge edge(head, branch->getSuccessor(arm));
    return phi.getIncomingBlock(incoming) == head
               ? branch->getSuccessor(arm) == phi.getParent()
               : structure_.dominators.dominates(edge, phi.getIncomingBlock(incoming));
  };
  for (const unsigned first : {0u, 1u})
    if (comes_from(0, first) && comes_from(1, 1 - first))
      return of_choice(of(*branch->getCondition(), depth), of(*phi.getIncomingValue(first), depth),
                       of(*phi.getIncomingValue(1 - first), depth));
  return of_any(phi, depth);
}

// Of several arms: data if that is what decides, and all that they have.
number numbers::of_any(const PHINode& phi, unsigned depth) {
  number decided;
  const auto* join = phi.getParent();
  for (const auto* decision : decisions_before(*join, structure_.dominators))
    decided = unknowns_.computed(Instruction::PHI, join, decided, of(*decision, depth));
  auto found = std::optional(of(*phi.getIncomingValue(0), depth));
  number all;
  for (const auto& value : phi.incoming_values()) {
    const auto one = of(*value, depth);
    all = unknowns_.computed(Instruction::PHI, join, all, one);
    if (found) found = either(*found, one);
  }
  const bool counts = decided.counts || all.counts;
  if (counts && found) return *found;
  return unknowns_.computed(Instruction::PHI, join, decided, all);
}

// Such as the greater of two.
std::optional<number> numbers::of_call(const CallBase& call, unsigned depth) {
  const auto name = callee_name(call);
  if (is_fetch(call) || is_fetch_on_default_context(call)) return unknowns_.another(*call.getType());
  if (name == "shmem_ptr" || name == "shmem_team_ptr") // the same place of that PE
    return of(*call.getArgOperand(name == "shmem_ptr" ? 0 : 1), depth);
  if (is_absolute_value(call)) {
    const auto whose = of(*call.getArgOperand(0), depth);
    if (whose.is_known()) return bent(whose.constant < 0 ? multiplied(whose, -1) : whose);
  }
  const auto* intrinsic = dyn_cast<IntrinsicInst>(&call);
  const auto which = intrinsic ? intrinsic->getIntrinsicID() : Intrinsic::not_intrinsic;
  if (which != Intrinsic::smax && which != Intrinsic::smin) return std::nullopt;
  const auto left = of(*call.getArgOperand(0), depth), right = of(*call.getArgOperand(1), depth);
  const auto apart = difference(left, right);
  if (!apart.is_known()) return std::nullopt;
  auto chosen = (apart.constant > 0) == (which == Intrinsic::smax) ? left : right;
  chosen.counts |= apart.counts;
  return bent(chosen);
}

number numbers::of_arithmetic(unsigned how, const Type& type, const number& left, const number& right) {
  if (how == Instruction::Add || how == Instruction::Sub)
    return fitted(added(left, right, how == Instruction::Add ? 1 : -1), type);
  const auto scaled = [&](const number& one, const number& factor, int64_t by) {
    auto result = fitted(multiplied(one, by), type);
    result.counts |= factor.counts;
    return factor.counts && (one.counts || how == Instruction::Shl) ? bent(result) : result;
  };
  if (how == Instruction::Mul && right.is_known()) return scaled(left, right, right.constant);
  if (how == Instruction::Mul && left.is_known()) return scaled(right, left, left.constant);
  if (how == Instruction::Shl && right.is_known() && right.constant >= 0 && right.constant < 62)
    return scaled(left, right, int64_t{1} << right.constant);
  if (left.is_known() && right.is_known())
    if (const auto known = of_constants(how, left.constant, right.constant, type.getIntegerBitWidth()))
      return bent(fitted({{}, *known, 0, left.counts || right.counts}, type));
  if (how == Instruction::Mul) return product(type, left, right);
  if (auto known = of_remainder(how, type, left, right)) return *known;
  return unknowns_.computed(how, &type, left, right);
}

// Of sums with unknown parts.
number numbers::product(const Type& type, const number& left, const number& right) {
  const auto part_of = [&](const term& one, const term& other) {
    const number first{{{one.first, 1}}, 0}, second{{{other.first, 1}}, 0};
    const auto both = second < first ? unknowns_.computed(Instruction::Mul, &type, second, first)
                                     : unknowns_.computed(Instruction::Mul, &type, first, second);
    return multiplied(multiplied(both, one.second), other.second);
  };
  if (!left.is_exact() || !right.is_exact() || left.unknowns.size() * right.unknowns.size() > 16)
    return unknowns_.computed(Instruction::Mul, &type, left, right);
  auto result = added(multiplied(left, right.constant), multiplied(right, left.constant), 1);
  result.constant = sum_of(0, left.constant, right.constant);
  for (const auto& one : left.unknowns)
    for (const auto& other : right.unknowns) result = added(result, part_of(one, other), 1);
  return result;
}

// Around a ring of a known length it only matters how far two of the same unknown part are apart.
std::optional<number> numbers::of_remainder(unsigned how, const Type& type, const number& left,
                                            const number& right) {
  if (!right.is_known() || right.constant <= 0) return std::nullopt;
  const bool masks = how == Instruction::And && isPowerOf2_64(static_cast<uint64_t>(right.constant) + 1);
  const bool divides = how == Instruction::URem || how == Instruction::SRem;
  if (!masks && !divides) return std::nullopt;
  const auto length = masks ? right.constant + 1 : right.constant;
  if (length <= 0) return std::nullopt;
  if (!left.is_exact()) {
    const bool below = how == Instruction::SRem;
    return number{{}, below ? 1 - length : 0, below ? 2 * (length - 1) : length - 1, true};
  }
  auto around = left;
  around.constant = (left.constant % length + length) % length;
  auto result = unknowns_.computed(how, &type, around, right);
  return result;
}

number numbers::of_cast(const Operator& operation, unsigned depth) {
  const auto& from = *operation.getOperand(0);
  if (!from.getType()->isIntegerTy() && !from.getType()->isPointerTy()) return of_operands(operation, depth);
  auto result = of(from, depth);
  const auto bits = from.getType()->isIntegerTy() ? from.getType()->getIntegerBitWidth() : 64;
  const bool extends =
      operation.getOpcode() == Instruction::ZExt || operation.getOpcode() == Instruction::SExt;
  if (operation.getOpcode() == Instruction::ZExt && result.is_known())
    result.constant = wrapped(without_sign(result.constant, bits)),
    result.bends |= result.counts && bits < 32;
  else if (operation.getOpcode() == Instruction::ZExt && !result.is_exact() && result.unknowns.empty() &&
           result.constant < 0)
    return anything();
  else if (extends && bits > 1 && bits < 32 && !result.unknowns.empty()) { // it comes around
    result.constant = wrapped(without_sign(result.constant, bits));
    return unknowns_.computed(operation.getOpcode(), from.getType(), result, {});
  }
  return fitted(std::move(result), *operation.getType());
}

number numbers::of_element(const GEPOperator& address, unsigned depth) {
  MapVector<Value*, APInt> variable_parts;
  APInt offset(64, 0);
  if (!address.getType()->isPointerTy() ||
      !address.collectOffset(body_.function->getParent()->getDataLayout(), 64, variable_parts, offset))
    return anything();
  auto result = of(*address.getPointerOperand(), depth);
  result.constant = sum_of(result.constant, offset.getSExtValue(), 1);
  for (const auto& [part, scale] : variable_parts)
    result = added(result, of(*part, depth), scale.getSExtValue());
  return result;
}

} // namespace windrow::compiler::defer
