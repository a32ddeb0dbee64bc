// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/defer/prepare/spare_place.hpp"

#include <llvm/Analysis/Loads.h>
#include <llvm/IR/IRBuilder.h>

#include "compiler/common/runtime/inline_library.hpp"
#include "compiler/defer/outline/versions.hpp"

namespace windrow::compiler::defer {

namespace {

// Of a pointer that may be null where the program does not come to the fetch, nothing is loaded.
bool may_be_loaded(const LoadInst& load) {
  const auto& layout = load.getModule()->getDataLayout();
  return load.isSimple() && (isDereferenceablePointer(load.getPointerOperand(), load.getType(), layout) ||
                             early_context_of(load, layout));
}

Value* compute_in_front(Value& value, function_ref<bool(const Instruction&)> is_inside,
                        IRBuilder<>& builder) {
  auto* instruction = dyn_cast<Instruction>(&value);
  if (!instruction || !is_inside(*instruction)) return &value;
  auto* again = instruction->clone();
  for (auto& operand : again->operands()) operand.set(compute_in_front(*operand, is_inside, builder));
  return builder.Insert(again, instruction->getName());
}

} // namespace

bool available_in_front(const Value& context, function_ref<bool(const Instruction&)> is_inside) {
  const auto* instruction = dyn_cast<Instruction>(&context);
  if (!instruction || !is_inside(*instruction)) return true;
  const auto* load = dyn_cast<LoadInst>(instruction);
  if (load ? !may_be_loaded(*load) : !isa<GetElementPtrInst, CastInst>(instruction)) return false;
  return all_of(instruction->operand_values(),
                [&](const Value* operand) { return available_in_front(*operand, is_inside); });
}

spare_place find_spare_place(const marker& mark, Value& context,
                             function_ref<bool(const Instruction&)> is_inside, const rules& switches) {
  IRBuilder<> builder(mark.branch);
  builder.SetCurrentDebugLocation(mark.annotation->getDebugLoc());
  auto& module = *mark.branch->getModule();
  Type *pointer = builder.getPtrTy(), *number = builder.getInt32Ty();
  const auto call = [&](StringRef name, Type* result, ArrayRef<Value*> arguments) {
    SmallVector<Type*, 1> types(arguments.size(), pointer);
    return builder.CreateCall(runtime_function(module, name, result, types), arguments);
  };
  auto* given = compute_in_front(context, is_inside, builder);
  auto* existing =
      switches.hold("existing-contexts") ? call("windrow_defer_existing_context", pointer, {given}) : given;
  auto* pe = call("windrow_defer_own_number", number, {existing});
  auto* word = call("windrow_defer_spare_word", pointer, {});
  return {existing, word, pe, builder.CreateSExt(builder.CreateICmpNE(existing, given), number)};
}

} // namespace windrow::compiler::defer
