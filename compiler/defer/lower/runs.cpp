// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/defer/lower/runs.hpp"

#include "compiler/common/runtime/verbs.hpp"

namespace windrow::compiler::defer {

Function* make_run(const Function& body, const Twine& suffix) {
  auto& module = *const_cast<Module*>(body.getParent());
  auto& context = module.getContext();
  auto* type = FunctionType::get(Type::getInt32Ty(context), {PointerType::getUnqual(context)}, false);
  auto* run = Function::Create(type, GlobalValue::InternalLinkage, body.getName() + suffix, module);
  run->addFnAttr(Attribute::NoUnwind);
  return run;
}

void complete_run(Function& run, Function& body, uint64_t bytes, std::optional<uint64_t> common_bytes,
                  bool leads_to_others) {
  IRBuilder<> builder(BasicBlock::Create(run.getContext(), "entry", &run));
  SmallVector<Value*, 4> arguments{run.getArg(0), &body, builder.getInt64(bytes)};
  if (common_bytes) arguments.push_back(builder.getInt64(*common_bytes));
  arguments.push_back(builder.getInt1(leads_to_others));
  const auto* name = common_bytes ? "run_batch" : "run_records";
  builder.CreateRet(call_inlined(builder, (inlined_prefix + name).str(), builder.getInt32Ty(), arguments));
}

Function* load_first(Function& body, ArrayRef<near_load> loads) {
  auto* function = make_inlined_function(*body.getParent(), body.getName() + ".load", body.getReturnType(),
                                         body.getFunctionType()->params());
  IRBuilder<> builder(BasicBlock::Create(body.getContext(), "entry", function));
  for (const auto& [type, slot] : loads)
    call_inlined(builder, (inlined_prefix + "load_" + carrier_of(*type)).str(), builder.getVoidTy(),
                 {function->getArg(0), builder.getInt64(slot)});
  builder.CreateCall(&body, arguments_of(*function));
  builder.CreateRetVoid();
  return function;
}

} // namespace windrow::compiler::defer
