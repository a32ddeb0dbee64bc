// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/pass/gets.hpp"

#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>

#include "compiler/pass/calls.hpp"
#include "compiler/pass/inlining.hpp"

namespace windrow::defer {

namespace {

// The type in shmem_ctx_TYPE_get(context, variable, source, 1, PE), or of shmem_ctx_getBITS; empty if the
// call is nothing of the kind.
StringRef fetched_type(const CallInst& call) {
  auto name = callee_name(call);
  if (call.arg_size() != 5 || !call.getType()->isVoidTy() || !name.consume_front("shmem_ctx_")) return "";
  const auto* count = dyn_cast<ConstantInt>(call.getArgOperand(3));
  if (!count || !count->isOne()) return "";
  const auto by_size = StringSwitch<StringRef>(name)
                           .Case("get8", "uint8")
                           .Case("get16", "uint16")
                           .Case("get32", "uint32")
                           .Case("get64", "uint64")
                           .Default("");
  if (!by_size.empty()) return by_size;
  return name.consume_back("_get") && !name.contains('_') ? name : "";
}

// What `g` returns into such a variable, or null.
Type* value_type(const CallInst& call, StringRef type) {
  const auto* variable = dyn_cast<AllocaInst>(call.getArgOperand(1)->stripPointerCasts());
  if (!variable || !variable->isStaticAlloca() || variable->isArrayAllocation()) return nullptr;
  auto* allocated = variable->getAllocatedType();
  if (!allocated->isIntegerTy() && !allocated->isFloatingPointTy()) return nullptr;
  if (!type.starts_with("uint") || !callee_name(call).starts_with("shmem_ctx_get")) return allocated;
  auto* integer = IntegerType::get(call.getContext(), allocated->getPrimitiveSizeInBits());
  unsigned bits = 0;
  return !type.drop_front(4).getAsInteger(10, bits) && bits == integer->getBitWidth() ? integer : nullptr;
}

void make_fetch(CallInst& call, StringRef type, Type& value) {
  IRBuilder<> builder(&call);
  auto* pointer = PointerType::getUnqual(call.getContext());
  auto* pe = call.getArgOperand(4);
  const auto g = runtime_function(*call.getModule(), ("shmem_ctx_" + type + "_g").str(), &value,
                                  {pointer, pointer, pe->getType()});
  auto* fetched = builder.CreateCall(g, {call.getArgOperand(0), call.getArgOperand(2), pe}, "got");
  const auto* variable = cast<AllocaInst>(call.getArgOperand(1)->stripPointerCasts());
  builder.CreateAlignedStore(fetched, call.getArgOperand(1), variable->getAlign());
  call.eraseFromParent();
}

} // namespace

void make_fetches_of_gets(Function& function, const marker& mark) {
  if (!mark.branch) return;
  const DominatorTree dominators(function);
  for (auto& block : function) {
    if (!dominators.isReachableFromEntry(&block) || !dominators.dominates(mark.entry(), &block)) continue;
    for (auto& instruction : make_early_inc_range(block))
      if (auto* call = dyn_cast<CallInst>(&instruction))
        if (const auto type = fetched_type(*call); !type.empty())
          if (auto* value = value_type(*call, type)) make_fetch(*call, type, *value);
  }
}

} // namespace windrow::defer
