// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/defer/plan/numbers.hpp"

#include "compiler/defer/plan/context.hpp"

namespace windrow::compiler::defer {

namespace {

constexpr unsigned deepest_expression = 24, most_steps = 200; // of one address

// Numbers of the program may overflow, which means nothing here.
int64_t wrapped(uint64_t value) {
  return static_cast<int64_t>(value);
}
int64_t sum_of(int64_t one, int64_t other, int64_t times) {
  return wrapped(static_cast<uint64_t>(one) + static_cast<uint64_t>(other) * static_cast<uint64_t>(times));
}

number added(const number& one, const number& other, int64_t times) {
  number result;
  result.constant = sum_of(one.constant, other.constant, times);
  auto left = one.unknowns.begin();
  auto right = other.unknowns.begin();
  while (left != one.unknowns.end() || right != other.unknowns.end()) {
    if (right == other.unknowns.end() || (left != one.unknowns.end() && left->first < right->first))
      result.unknowns.push_back(*left++);
    else if (left == one.unknowns.end() || right->first < left->first)
      result.unknowns.emplace_back(right->first, sum_of(0, right->second, times)), ++right;
    else {
      if (const auto both = sum_of(left->second, right->second, times))
        result.unknowns.emplace_back(left->first, both);
      ++left, ++right;
    }
  }
  return result;
}

number multiplied(const number& one, int64_t factor) {
  return factor == 0 ? number() : added(number(), one, factor);
}

std::optional<int64_t> constant_of(const Value& value) {
  const auto* constant = dyn_cast<ConstantInt>(&value);
  return constant && constant->getBitWidth() <= 64 ? std::optional(constant->getSExtValue()) : std::nullopt;
}

// Numbers of fewer bits are kept with their sign.
int64_t fitted(int64_t value, unsigned bits) {
  return bits < 64 ? SignExtend64(static_cast<uint64_t>(value), bits) : value;
}
uint64_t without_sign(int64_t value, unsigned bits) {
  return static_cast<uint64_t>(value) & maskTrailingOnes<uint64_t>(std::min(bits, 64u));
}
number fitted(number value, const Type& type) {
  if (value.is_known() && type.isIntegerTy())
    value.constant = fitted(value.constant, type.getIntegerBitWidth());
  return value;
}

// Of two constants.
std::optional<int64_t> of_constants(unsigned how, int64_t left, int64_t right, unsigned bits) {
  const auto as_unsigned = [bits](int64_t value) { return without_sign(value, bits); };
  const bool shifts = right >= 0 && right < 64;
  switch (how) {
    case Instruction::And:
      return left & right;
    case Instruction::Or:
      return left | right;
    case Instruction::Xor:
      return left ^ right;
    case Instruction::Shl:
      return shifts ? std::optional(static_cast<int64_t>(as_unsigned(left) << right)) : std::nullopt;
    case Instruction::AShr:
      return shifts ? std::optional(left >> right) : std::nullopt;
    case Instruction::LShr:
      return shifts ? std::optional(static_cast<int64_t>(as_unsigned(left) >> right)) : std::nullopt;
    case Instruction::SDiv:
      return right > 0 ? std::optional(left / right) : std::nullopt;
    case Instruction::SRem:
      return right > 0 ? std::optional(left % right) : std::nullopt;
    case Instruction::UDiv:
      return right > 0 ? std::optional(static_cast<int64_t>(as_unsigned(left) / as_unsigned(right)))
                       : std::nullopt;
    case Instruction::URem:
      return right > 0 ? std::optional(static_cast<int64_t>(as_unsigned(left) % as_unsigned(right)))
                       : std::nullopt;
    default:
      return std::nullopt;
  }
}

bool holds_for(CmpInst::Predicate predicate, int64_t difference) { // as if nothing overflowed
  switch (predicate) {
    case CmpInst::ICMP_EQ:
      return difference == 0;
    case CmpInst::ICMP_NE:
      return difference != 0;
    case CmpInst::ICMP_ULT:
    case CmpInst::ICMP_SLT:
      return difference < 0;
    case CmpInst::ICMP_ULE:
    case CmpInst::ICMP_SLE:
      return difference <= 0;
    case CmpInst::ICMP_UGT:
    case CmpInst::ICMP_SGT:
      return difference > 0;
    default:
      return difference >= 0;
  }
}

// Also as sanitizers have it checked.
struct arithmetic {
  unsigned how;
  const Value *left, *right;
};
std::optional<arithmetic> arithmetic_of(const Value& value) {
  if (!value.getType()->isIntegerTy()) return std::nullopt;
  if (const auto* binary = dyn_cast<Operator>(&value); binary && Instruction::isBinaryOp(binary->getOpcode()))
    return arithmetic{binary->getOpcode(), binary->getOperand(0), binary->getOperand(1)};
  const auto* part = dyn_cast<ExtractValueInst>(&value);
  const auto* checked = part ? dyn_cast<WithOverflowInst>(part->getAggregateOperand()) : nullptr;
  if (!checked || *part->idx_begin() != 0) return std::nullopt;
  return arithmetic{checked->getBinaryOp(), checked->getLHS(), checked->getRHS()};
}

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

number difference(const number& one, const number& other) {
  return added(one, other, -1);
}

written_variables find_written_variables(const code& body) {
  written_variables found;
  for (auto& instruction : instructions(*body.function))
    for (const auto* var : body.effects_of(instruction).writes) found[var].push_back(&instruction);
  return found;
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
  const auto apart = difference(of(*test->getOperand(0)), of(*test->getOperand(1)));
  return apart.is_known() && holds_for(test->getPredicate(), apart.constant) != stays;
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

number numbers::of_comparison(const ICmpInst& test, unsigned depth) {
  const auto left = of(*test.getOperand(0), depth), right = of(*test.getOperand(1), depth);
  const auto apart = difference(left, right);
  if (apart.is_known()) return {{}, holds_for(test.getPredicate(), apart.constant) ? -1 : 0};
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

// ---- variables

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
