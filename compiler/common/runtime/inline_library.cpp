// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/common/runtime/inline_library.hpp"

#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/Linker/Linker.h>
#include <llvm/TargetParser/Triple.h>

// The file that CMake has compiled.
__asm__(
    ".section .rodata\n"
    ".globl windrow_inlined_begin, windrow_inlined_end\n"
    ".hidden windrow_inlined_begin, windrow_inlined_end\n"
    "windrow_inlined_begin: .incbin \"" WINDROW_INLINED_BITCODE
    "\"\n"
    "windrow_inlined_end:\n"
    ".previous\n");
extern "C" const char windrow_inlined_begin[], windrow_inlined_end[];

namespace windrow::compiler {

namespace {

std::unique_ptr<Module> bitcode(LLVMContext& context) {
  const StringRef content(windrow_inlined_begin,
                          static_cast<size_t>(windrow_inlined_end - windrow_inlined_begin));
  auto read = parseBitcodeFile(MemoryBufferRef(content, "windrow"), context);
  if (!read) {
    consumeError(read.takeError());
    return nullptr;
  }
  return std::move(*read);
}

} // namespace

bool can_inline(const Module& module) {
  const Triple target(module.getTargetTriple());
#ifdef __x86_64__
  return target.getArch() == Triple::x86_64 && !target.isX32();
#elif defined __aarch64__
  return target.getArch() == Triple::aarch64;
#else
  return target.getArch() == Triple::UnknownArch;
#endif
}

FunctionCallee runtime_function(Module& module, StringRef name, Type* result, ArrayRef<Type*> parameters) {
  return module.getOrInsertFunction(name, FunctionType::get(result, parameters, false));
}

CallInst* call_inlined(IRBuilder<>& builder, StringRef name, Type* result, ArrayRef<Value*> arguments) {
  SmallVector<Type*, 16> types;
  for (const auto* argument : arguments) types.push_back(argument->getType());
  auto& module = *builder.GetInsertBlock()->getModule();
  return builder.CreateCall(runtime_function(module, name, result, types), arguments);
}

Function* make_inlined_function(Module& module, const Twine& name, Type* result, ArrayRef<Type*> parameters) {
  auto* function = Function::Create(FunctionType::get(result, parameters, false),
                                    GlobalValue::InternalLinkage, name, module);
  function->addFnAttr(Attribute::AlwaysInline);
  function->addFnAttr(Attribute::NoUnwind);
  return function;
}

SmallVector<Value*, 16> arguments_of(Function& function) {
  SmallVector<Value*, 16> arguments;
  for (auto& argument : function.args()) arguments.push_back(&argument);
  return arguments;
}

Value* field(IRBuilder<>& builder, Value& base, uint64_t offset) {
  return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), &base, offset);
}

BasicBlock* branch_on(IRBuilder<>& builder, Value* result, BasicBlock* taken) {
  auto* here = builder.GetInsertBlock();
  auto* otherwise = BasicBlock::Create(builder.getContext(), "call", here->getParent(), taken);
  auto* test = result->getType()->isPointerTy() ? builder.CreateIsNotNull(result) : result;
  builder.CreateCondBr(test, taken, otherwise);
  builder.SetInsertPoint(otherwise);
  return here;
}

void link_inlined_calls(Module& module) {
  SmallVector<std::string, 8> used;
  for (const auto& function : module)
    if (function.isDeclaration() && function.getName().starts_with(inlined_prefix))
      used.push_back(function.getName().str());
  if (used.empty()) return;
  auto source = bitcode(module.getContext());
  source->setTargetTriple(module.getTargetTriple());
  source->setDataLayout(module.getDataLayout());
  for (const char* list : {"llvm.module.flags", "llvm.ident"})
    if (auto* node = source->getNamedMetadata(list)) source->eraseNamedMetadata(node);
  Linker::linkModules(module, std::move(source), Linker::Flags::LinkOnlyNeeded);
  for (const auto& name : used) {
    auto* function = module.getFunction(name);
    function->setLinkage(GlobalValue::InternalLinkage);
    function->setDSOLocal(true);
    function->setAttributes(AttributeList());
    function->addFnAttr(Attribute::AlwaysInline);
    function->addFnAttr(Attribute::NoUnwind);
  }
}

} // namespace windrow::compiler
