// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/overlap/instrument.hpp"

#include <llvm/Analysis/CaptureTracking.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include "compiler/overlap/places.hpp"

namespace windrow::compiler::overlap {

namespace {

constexpr unsigned page_bits = 12; // as tracked_memory::page_bits in src/overlap

GlobalVariable* runtime_variable(Module& module, StringRef name, Type* type) {
  return cast<GlobalVariable>(module.getOrInsertGlobal(name, type));
}

// What the dynamic linker calls while it binds names, and what runs in front of all constructors.
SmallVector<const Function*, 4> first_code(const Module& module) {
  SmallVector<const Function*, 4> first;
  for (const auto& one : module.ifuncs())
    if (const auto* resolver = one.getResolverFunction()) first.push_back(resolver);
  for (const auto& table : module.globals()) {
    const bool of_first = table.getName() == "llvm.global_ctors" || table.getSection() == ".preinit_array";
    if (!of_first || !table.hasInitializer()) continue;
    if (const auto* alone = dyn_cast<Function>(table.getInitializer())) first.push_back(alone);
    for (const auto& part : table.getInitializer()->operands()) {
      const auto* entry = dyn_cast<ConstantStruct>(part);
      const auto* priority = entry ? dyn_cast<ConstantInt>(entry->getOperand(0)) : nullptr;
      if (priority && !priority->isZero()) continue;
      if (const auto* code = dyn_cast<Function>(entry ? entry->getOperand(1) : part.get()))
        first.push_back(code);
    }
  }
  return first;
}

} // namespace

instruments::instruments(Module& module)
    : module_(module),
      pages_(runtime_variable(module, "windrow_overlap_pages", PointerType::get(module.getContext(), 0))),
      open_(runtime_variable(module, "windrow_overlap_open", Type::getInt8Ty(module.getContext()))),
      begun_(runtime_variable(module, "windrow_overlap_begun", Type::getInt8Ty(module.getContext()))),
      follows_(runtime_variable(module, "windrow_overlap_follows", Type::getInt8Ty(module.getContext()))) {
  find_early_code();
}

void instruments::find_early_code() {
  auto next = first_code(module_);
  while (!next.empty()) {
    const auto* function = next.pop_back_val();
    if (!early_.insert(function).second) continue;
    for (const auto& one : instructions(*function))
      for (const auto& used : one.operands())
        if (const auto* code = dyn_cast<Function>(used)) next.push_back(code);
  }
}

Constant* instruments::site_of(const Instruction& instruction) {
  const auto text = text_of(instruction);
  auto& known = sites_[text];
  if (known) return known;
  auto& context = module_.getContext();
  auto* bytes = ConstantDataArray::getString(context, text);
  auto* name = new GlobalVariable(module_, bytes->getType(), true, GlobalValue::PrivateLinkage, bytes,
                                  "windrow.place");
  auto* number = ConstantInt::get(Type::getInt32Ty(context), 0);
  auto* site = ConstantStruct::getAnon({name, number});
  known =
      new GlobalVariable(module_, site->getType(), false, GlobalValue::PrivateLinkage, site, "windrow.site");
  return known;
}

FunctionCallee instruments::runtime(StringRef name, ArrayRef<Type*> arguments) {
  auto* type = FunctionType::get(Type::getVoidTy(module_.getContext()), arguments, false);
  auto callee = module_.getOrInsertFunction(("windrow_overlap_" + name).str(), type);
  cast<Function>(callee.getCallee())->setDoesNotThrow();
  return callee;
}

void instruments::call(IRBuilder<>& builder, StringRef name, ArrayRef<Value*> arguments) {
  SmallVector<Type*, 4> types;
  for (const auto* one : arguments) types.push_back(one->getType());
  builder.CreateCall(runtime(name, types), arguments);
}

void instruments::conflict_with_all(Instruction& before) {
  auto* site = site_of(before);
  IRBuilder<> builder(if_anything_has_begun(&before));
  call(builder, "foreign", {ConstantPointerNull::get(builder.getPtrTy()), site});
}

// The table is where it is before other code of the program runs, and nothing is tracked before.
Instruction* instruments::if_page_is_tracked(Instruction* before, Value* address) {
  if (early_.contains(before->getFunction())) return if_anything_is_tracked(before);
  IRBuilder<> builder(before);
  auto* table = builder.CreateLoad(pages_->getValueType(), pages_);
  table->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(module_.getContext(), {}));
  auto* page = builder.CreateLShr(builder.CreatePtrToInt(address, builder.getInt64Ty()), page_bits);
  auto* byte = builder.CreateLoad(builder.getInt8Ty(), builder.CreateGEP(builder.getInt8Ty(), table, page));
  return if_true(builder.CreateICmpNE(byte, builder.getInt8(0)), before);
}

Instruction* instruments::if_anything_is_tracked(Instruction* before) {
  IRBuilder<> builder(before);
  return if_true(is_anything_tracked(builder), before);
}

Instruction* instruments::if_anything_has_begun(Instruction* before) {
  IRBuilder<> builder(before);
  auto* begun = builder.CreateLoad(builder.getInt8Ty(), begun_);
  return if_true(builder.CreateICmpNE(begun, builder.getInt8(0)), before);
}

Value* instruments::is_anything_tracked(IRBuilder<>& builder) {
  return builder.CreateICmpNE(builder.CreateLoad(builder.getInt8Ty(), open_), builder.getInt8(0));
}

Instruction* instruments::if_calls_are_followed(Instruction* before) {
  IRBuilder<> builder(before);
  return SplitBlockAndInsertIfThen(are_calls_followed(builder), before, false);
}

Value* instruments::are_calls_followed(IRBuilder<>& builder) {
  return builder.CreateICmpNE(builder.CreateLoad(builder.getInt8Ty(), follows_), builder.getInt8(0));
}

Instruction* instruments::if_true(Value* condition, Instruction* before) {
  auto* weights = MDBuilder(module_.getContext()).createBranchWeights(1, 100'000);
  return SplitBlockAndInsertIfThen(condition, before, false, weights);
}

bool has_checks(const Function& function) {
  return !function.isDeclaration() && !function.hasAvailableExternallyLinkage() &&
         !function.hasFnAttribute(Attribute::DisableSanitizerInstrumentation) &&
         !function.hasFnAttribute(Attribute::Naked);
}

bool is_private(const Value* address) {
  const auto* object = getUnderlyingObject(address);
  if (const auto* variable = dyn_cast<GlobalVariable>(object))
    return variable->isConstant() || variable->getName().starts_with("windrow_overlap_");
  return isa<ConstantPointerNull>(object) ||
         (isa<AllocaInst>(object) && !PointerMayBeCaptured(object, true, true));
}

} // namespace windrow::compiler::overlap
