// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/defer/plan/addresses.hpp"

#include <llvm/IR/Operator.h>

#include "compiler/defer/plan/context.hpp"

namespace windrow::compiler::defer {

namespace {

// base + the variable parts, each times its scale, + offset
struct sum {
  const Value* base;
  SmallVector<std::pair<const Value*, APInt>, 4> variable;
  int64_t offset = 0;
};

std::optional<sum> sum_in(const Value& address, const DataLayout& layout) {
  sum all{&address, {}, 0};
  while (const auto* element = dyn_cast<GEPOperator>(all.base)) {
    MapVector<Value*, APInt> variable;
    APInt offset(64, 0);
    if (!element->collectOffset(layout, 64, variable, offset)) return std::nullopt;
    append_range(all.variable, variable);
    all.offset += offset.getSExtValue();
    all.base = element->getPointerOperand();
  }
  return all;
}

} // namespace

std::optional<int64_t> distance(const Value& from, const Value& to, const DataLayout& layout) {
  const auto one = sum_in(from, layout), other = sum_in(to, layout);
  if (!one || !other || one->variable.size() != other->variable.size() ||
      !same_expression(one->base, other->base))
    return std::nullopt;
  const bool alike = all_of(zip(one->variable, other->variable), [](const auto& pair) {
    const auto &mine = std::get<0>(pair), &its = std::get<1>(pair);
    return mine.second == its.second && same_expression(mine.first, its.first);
  });
  return alike ? std::optional(other->offset - one->offset) : std::nullopt;
}

} // namespace windrow::compiler::defer
