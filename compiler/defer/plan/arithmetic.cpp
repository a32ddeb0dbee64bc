// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/defer/plan/arithmetic.hpp"

namespace windrow::compiler::defer {

namespace {

bool compares_with_zero(CmpInst::Predicate predicate, int64_t value) {
  switch (predicate) {
    case CmpInst::ICMP_EQ:
      return value == 0;
    case CmpInst::ICMP_NE:
      return value != 0;
    case CmpInst::ICMP_ULT:
    case CmpInst::ICMP_SLT:
      return value < 0;
    case CmpInst::ICMP_ULE:
    case CmpInst::ICMP_SLE:
      return value <= 0;
    case CmpInst::ICMP_UGT:
    case CmpInst::ICMP_SGT:
      return value > 0;
    default:
      return value >= 0;
  }
}

} // namespace

int64_t wrapped(uint64_t value) {
  return static_cast<int64_t>(value);
}
int64_t sum_of(int64_t one, int64_t other, int64_t times) {
  return wrapped(static_cast<uint64_t>(one) + static_cast<uint64_t>(other) * static_cast<uint64_t>(times));
}

number added(const number& one, const number& other, int64_t times) {
  number result;
  result.constant = sum_of(one.constant, other.constant, times);
  result.counts = one.counts || other.counts;
  result.bends = one.bends || other.bends;
  if (!one.is_exact() || !other.is_exact()) {
    const auto more = far / std::max<int64_t>(std::abs(std::max(times, -far)), 1) < other.spread
                          ? far
                          : other.spread * std::abs(times);
    if (more >= far || one.spread >= far || std::abs(result.constant) >= far) {
      result.constant = -far;
      result.spread = 2 * far;
    } else {
      result.spread = one.spread + more;
      if (times < 0) result.constant -= more;
    }
  }
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

number bent(number value) {
  value.bends |= value.counts;
  return value;
}

std::optional<number> either(const number& one, const number& other) {
  if (one == other) return one;
  if (one.unknowns != other.unknowns) return std::nullopt;
  auto result = one.constant <= other.constant ? one : other;
  const auto& higher = one.constant <= other.constant ? other : one;
  const auto apart = wrapped(static_cast<uint64_t>(higher.constant) - static_cast<uint64_t>(result.constant));
  if (apart < 0 || apart >= far || result.spread >= far || higher.spread >= far)
    result.constant = -far, result.spread = 2 * far;
  else
    result.spread = std::max(result.spread, apart + higher.spread);
  result.counts = true;
  return result;
}

std::optional<int64_t> constant_of(const Value& value) {
  const auto* constant = dyn_cast<ConstantInt>(&value);
  return constant && constant->getValue().isSignedIntN(64) ? std::optional(constant->getSExtValue())
                                                           : std::nullopt;
}

uint64_t without_sign(int64_t value, unsigned bits) {
  return static_cast<uint64_t>(value) & maskTrailingOnes<uint64_t>(std::min(bits, 64u));
}
number fitted(number value, const Type& type) {
  if (!type.isIntegerTy() || type.getIntegerBitWidth() >= 64) return value;
  const auto bits = type.getIntegerBitWidth();
  if (value.is_known()) {
    const auto before =
        std::exchange(value.constant, SignExtend64(static_cast<uint64_t>(value.constant), bits));
    if (value.constant != before) value = bent(value);
  } else if (!value.is_exact() && value.unknowns.empty() &&
             (!isIntN(bits, value.constant) || !isIntN(bits, value.constant + value.spread)))
    return anything();
  return value;
}

std::optional<int64_t> of_constants(unsigned how, int64_t left, int64_t right, unsigned bits) {
  if (bits > 64) return std::nullopt; // what is above decides too
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

std::optional<bool> compares(CmpInst::Predicate predicate, const number& left, const number& right,
                             const Type& type) {
  const unsigned bits = type.isIntegerTy() ? type.getIntegerBitWidth() : 64;
  const auto apart = difference(left, right);
  if (bits > 64 || !apart.is_known()) return std::nullopt;
  if (CmpInst::isSigned(predicate) || type.isPointerTy())
    return compares_with_zero(predicate, apart.constant);
  if (ICmpInst::isEquality(predicate))
    return compares_with_zero(predicate, SignExtend64(static_cast<uint64_t>(apart.constant), bits));
  if (!left.is_known()) return std::nullopt; // the greater one may have passed the largest number
  const auto one = without_sign(left.constant, bits), other = without_sign(right.constant, bits);
  return compares_with_zero(predicate, one < other ? -1 : one > other ? 1 : 0);
}

std::optional<arithmetic> arithmetic_of(const Value& value) {
  if (!value.getType()->isIntegerTy()) return std::nullopt;
  if (const auto* binary = dyn_cast<Operator>(&value); binary && Instruction::isBinaryOp(binary->getOpcode()))
    return arithmetic{binary->getOpcode(), binary->getOperand(0), binary->getOperand(1)};
  const auto* part = dyn_cast<ExtractValueInst>(&value);
  const auto* checked = part ? dyn_cast<WithOverflowInst>(part->getAggregateOperand()) : nullptr;
  if (!checked || *part->idx_begin() != 0) return std::nullopt;
  return arithmetic{checked->getBinaryOp(), checked->getLHS(), checked->getRHS()};
}

number difference(const number& one, const number& other) {
  return added(one, other, -1);
}

} // namespace windrow::compiler::defer
