// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/defer/lower/update_in_place.hpp"

#include "compiler/common/api/calls.hpp"
#include "compiler/common/runtime/verbs.hpp"

namespace windrow::compiler::defer {

Function* update_in_place(const CallInst& update, bool along) {
  const auto routine = callee_name(update);
  if (!routine.starts_with("shmem_ctx_") || update.arg_size() < 3 || update.arg_size() > 4) return nullptr;
  auto& module = *const_cast<Module*>(update.getModule());
  const auto verb = verb_of(routine);
  const auto* type = updated_type(update);
  const bool fits = update.getType()->isVoidTy() && (update.arg_size() == 3) == (verb == "inc");
  if (!fits || !type || !can_inline(module) || !exists(verb, *type)) return nullptr;
  const StringRef kind = along ? "update_along" : "update";
  const auto name = ("windrow_defer_" + kind + "." + routine).str();
  if (auto* known = module.getFunction(name)) return known;
  auto& context = module.getContext();
  SmallVector<Type*, 8> types;
  if (along)
    types.append({PointerType::getUnqual(context), Type::getInt64Ty(context), Type::getInt1Ty(context)});
  types.push_back(update.getArgOperand(0)->getType());
  append_range(types, types_behind_context(update));
  auto* function = make_inlined_function(module, name, Type::getVoidTy(context), types);
  IRBuilder<> builder(BasicBlock::Create(context, "entry", function));
  auto* done = BasicBlock::Create(context, "done", function);
  const auto arguments = arguments_of(*function);
  branch_on(builder, call_inlined(builder, inlined_name(kind, verb, *type), builder.getInt1Ty(), arguments),
            done);
  auto* call =
      builder.CreateCall(update.getCalledFunction(), ArrayRef<Value*>(arguments).drop_front(along ? 3 : 0));
  copy_extensions(update, *call, 1);
  builder.CreateBr(done);
  builder.SetInsertPoint(done);
  builder.CreateRetVoid();
  return function;
}

} // namespace windrow::compiler::defer
