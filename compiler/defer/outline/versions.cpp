// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/defer/outline/versions.hpp"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/IRBuilder.h>

#include "compiler/common/api/marker.hpp"
#include "compiler/common/runtime/inline_library.hpp"
#include "compiler/defer/prepare/gets.hpp"

namespace windrow::compiler::defer {

namespace {

// What the ABI wants to know of parameters and result, without what is said of the function.
AttributeList as_call(const Function& function) {
  auto all = function.getAttributes();
  return all.removeFnAttributes(function.getContext());
}

void call_and_return(IRBuilder<>& builder, Function& function, Function& written) {
  SmallVector<Value*, 8> arguments;
  for (auto& argument : function.args()) arguments.push_back(&argument);
  auto* call = builder.CreateCall(&written, arguments);
  call->setCallingConv(written.getCallingConv());
  call->setAttributes(as_call(written));
  if (function.isVarArg()) call->setTailCallKind(CallInst::TCK_MustTail);
  if (call->getType()->isVoidTy())
    builder.CreateRetVoid();
  else
    builder.CreateRet(call);
}

} // namespace

void choose_version(Function& function, Function& written) {
  const auto marks = find_markers(written);
  for (const auto& mark : marks) make_fetches_of_gets(written, mark); // there they wait
  for (const auto& mark : marks) erase(mark);
  written.setName(function.getName() + ".blocking");
  written.setLinkage(GlobalValue::InternalLinkage);
  written.setVisibility(GlobalValue::DefaultVisibility);
  written.setComdat(nullptr);
  auto& context = function.getContext();
  auto& begin = function.getEntryBlock();
  auto* blocking = BasicBlock::Create(context, "blocking", &function);
  auto* entry = BasicBlock::Create(context, "version", &function, &begin);
  IRBuilder<> builder(entry);
  if (auto* described = function.getSubprogram())
    builder.SetCurrentDebugLocation(DILocation::get(context, described->getScopeLine(), 0, described));
  auto* possible = builder.CreateCall(
      runtime_function(*function.getParent(), "windrow_defer_is_possible", builder.getInt32Ty(), {}), {});
  builder.CreateCondBr(builder.CreateIsNotNull(possible), &begin, blocking);
  for (auto& instruction : make_early_inc_range(begin))
    if (auto* alloca = dyn_cast<AllocaInst>(&instruction); alloca && isa<ConstantInt>(alloca->getArraySize()))
      alloca->moveBefore(&*entry->getFirstInsertionPt());
  builder.SetInsertPoint(blocking);
  call_and_return(builder, function, written);
}

} // namespace windrow::compiler::defer
