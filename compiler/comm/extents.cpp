// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/comm/extents.hpp"

namespace windrow::compiler::comm {

extent extent_of(IRBuilder<>& builder, Value& start, Value* pe, int64_t step, uint64_t span, Value& rounds) {
  auto* first = builder.CreatePtrToInt(&start, builder.getInt64Ty());
  auto* moved = builder.CreateMul(builder.CreateSub(&rounds, builder.getInt64(1)),
                                  builder.getInt64(static_cast<uint64_t>(step)));
  auto* last = builder.CreateAdd(first, moved);
  if (step >= 0) return {pe, first, builder.CreateAdd(last, builder.getInt64(span))};
  // A place that only some rounds use may go down further than there is memory.
  auto* low = builder.CreateSelect(builder.CreateICmpUGT(last, first), builder.getInt64(0), last);
  return {pe, low, builder.CreateAdd(first, builder.getInt64(span))};
}

Value* do_not_meet(IRBuilder<>& builder, const extent& one, const extent& other) {
  auto* apart =
      builder.CreateOr(builder.CreateICmpULE(one.end, other.low), builder.CreateICmpULE(other.end, one.low));
  return one.pe == other.pe ? apart : builder.CreateOr(apart, builder.CreateICmpNE(one.pe, other.pe));
}

} // namespace windrow::compiler::comm
