// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/defer/prepare/gets.hpp"

#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>

#include "compiler/common/api/calls.hpp"
#include "compiler/common/runtime/inline_library.hpp"

namespace windrow::compiler::defer {

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

// What `g` of that type returns; null if there is none.
Type* value_type(StringRef type, LLVMContext& context) {
  const auto bits = StringSwitch<unsigned>(type)
                        .Cases("char", "schar", "uchar", "int8", "uint8", 8)
                        .Cases("short", "ushort", "int16", "uint16", 16)
                        .Cases("int", "uint", "int32", "uint32", 32)
                        .Cases("long", "ulong", "longlong", "ulonglong", "int64", "uint64", 64)
                        .Cases("size", "ptrdiff", 64)
                        .Default(0);
  if (bits != 0) return IntegerType::get(context, bits);
  if (type == "float") return Type::getFloatTy(context);
  return type == "double" ? Type::getDoubleTy(context) : nullptr;
}

// The variable that the call writes, if it is a number and has room for a value of the type.
const AllocaInst* variable_for(const CallInst& call, const Type& value) {
  const auto* variable = dyn_cast<AllocaInst>(call.getArgOperand(1)->stripPointerCasts());
  if (!variable || !variable->isStaticAlloca() || variable->isArrayAllocation()) return nullptr;
  auto* allocated = variable->getAllocatedType();
  if (!allocated->isIntegerTy() && !allocated->isFloatingPointTy()) return nullptr;
  const auto& layout = call.getModule()->getDataLayout();
  const auto bytes = layout.getTypeStoreSize(allocated);
  return layout.getTypeStoreSize(const_cast<Type*>(&value)) <= bytes ? variable : nullptr;
}

// What the fetch returns; null if the call writes something else than a variable with room for that.
Type* fetched_value(const CallInst& call, StringRef type, const rules& switches) {
  auto* value = value_type(type, call.getContext());
  const auto* variable = value ? variable_for(call, *value) : nullptr;
  if (!variable) return nullptr;
  return switches.hold("get-types") ? value : variable->getAllocatedType();
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

bool make_fetches_of_gets(Function& function, const marker& mark, const rules& switches) {
  if (!mark.branch) return false;
  bool found = false;
  const DominatorTree dominators(function);
  for (auto& block : function) {
    if (!dominators.isReachableFromEntry(&block) || !dominators.dominates(mark.entry(), &block)) continue;
    for (auto& instruction : make_early_inc_range(block))
      if (auto* call = dyn_cast<CallInst>(&instruction))
        if (const auto type = fetched_type(*call); !type.empty())
          if (auto* value = fetched_value(*call, type, switches)) {
            make_fetch(*call, type, *value);
            found = true;
          }
  }
  return found;
}

} // namespace windrow::compiler::defer
