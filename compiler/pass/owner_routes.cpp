// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/pass/owner_routes.hpp"

#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>

#include "compiler/pass/calls.hpp"
#include "compiler/pass/inlining.hpp"
#include "compiler/pass/library_use.hpp"

namespace windrow::defer {

namespace {

// What the pass puts in sends and runs deferred code, which leaves contexts alone.
bool is_of_the_pass(const CallBase& call) {
  const auto name = callee_name(call);
  return name.starts_with("windrow_defer_") || name.starts_with("windrow_inlined_");
}

AllocaInst& make_route(Function& function) {
  IRBuilder<> builder(&*function.getEntryBlock().getFirstInsertionPt());
  auto* words = ArrayType::get(builder.getInt64Ty(), route_words);
  return *builder.CreateAlloca(words, nullptr, "defer.route");
}

// Whatever was there when the loop ran before.
void forget_in_front(const Loop& loop, Value& route, const DebugLoc& location) {
  for (auto* before : predecessors(loop.getHeader())) {
    if (loop.contains(before)) continue;
    IRBuilder<> builder(before->getTerminator());
    builder.SetCurrentDebugLocation(location);
    begin_without_route(builder, route);
  }
}

} // namespace

void keep_owner_route(code& at_owner) {
  if (!at_owner.owner_item) return;
  auto& item = *at_owner.owner_item;
  auto& function = *item.getFunction();
  DominatorTree dominators(function);
  const LoopInfo loops(dominators);
  const auto* widest =
      widest_loop(item, loops, [](const Loop& loop) { return !uses_library(loop, is_of_the_pass); });
  if (!widest) return;
  auto& route = make_route(function);
  forget_in_front(*widest, route, item.getDebugLoc());
  keep_route(item, route, *widest);
}

} // namespace windrow::defer
