// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/defer/lower/owner_routes.hpp"

#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>

#include "compiler/common/analysis/library_use.hpp"
#include "compiler/common/api/calls.hpp"
#include "compiler/defer/lower/owner_items.hpp"

namespace windrow::compiler::defer {

namespace {

// What the pass puts in sends and runs deferred code, which leaves contexts alone.
bool is_of_the_pass(const CallBase& call) {
  const auto name = callee_name(call);
  return name.starts_with("windrow_defer_") || name.starts_with("windrow_inlined_");
}

AllocaInst& make_route(Function& function) {
  IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
  auto* words = ArrayType::get(builder.getInt64Ty(), words_of_route);
  return *builder.CreateAlloca(words, nullptr, "defer.route");
}

SmallVector<Instruction*, 2> in_front_of(const Loop& loop) {
  SmallVector<Instruction*, 2> places;
  for (auto* before : predecessors(loop.getHeader()))
    if (!loop.contains(before)) places.push_back(before->getTerminator());
  return places;
}

// Those of the callback around, if it has any left.
routes take_route(code& sender) {
  if (sender.lowered.in_batches && sender.lowered.routes < most_routes)
    return {sender.function->getArg(2), sender.lowered.routes++};
  return {ConstantPointerNull::get(PointerType::getUnqual(sender.function->getContext())), 0};
}

} // namespace

void keep_owner_route(code& part) {
  if (!part.at_owner.item) return;
  auto& item = *part.at_owner.item;
  auto& sender = *part.outer;
  DominatorTree dominators(*sender.function);
  const LoopInfo loops(dominators);
  const auto* widest =
      widest_loop(item, loops, [](const Loop& loop) { return !uses_library(loop, is_of_the_pass); });
  if (!widest && !sender.lowered.in_batches) return;
  auto& route = make_route(*sender.function);
  const auto of = take_route(sender);
  auto* context = item.getArgOperand(item_context);
  const bool same = !widest || widest->isLoopInvariant(context);
  if (!same) context = Constant::getNullValue(context->getType());
  for (auto* place : widest ? in_front_of(*widest) : SmallVector<Instruction*, 2>{&item}) {
    IRBuilder<> builder(place);
    builder.SetCurrentDebugLocation(item.getDebugLoc());
    begin_route(builder, route, of, *context);
  }
  keep_route(item, route, same, of);
}

} // namespace windrow::compiler::defer
