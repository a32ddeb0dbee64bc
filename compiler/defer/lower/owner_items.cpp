// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/defer/lower/owner_items.hpp"

#include "compiler/common/api/calls.hpp"
#include "compiler/common/runtime/verbs.hpp"

namespace windrow::compiler::defer {

Function* open_owner_item(const CallInst& fetch) {
  auto& module = *const_cast<Module*>(fetch.getModule());
  const auto verb = verb_of(callee_name(fetch));
  if (!can_inline(module) || !exists(verb, *fetch.getType())) return nullptr;
  auto* pointer = PointerType::getUnqual(module.getContext());
  auto* wide = Type::getInt64Ty(module.getContext());
  auto* truth = Type::getInt1Ty(module.getContext());
  SmallVector<Type*, 12> types{pointer, truth, pointer, wide, pointer, pointer, wide, wide, truth};
  append_range(types, types_behind_context(fetch));
  const auto name = inlined_name("owner_item", verb, *fetch.getType());
  return cast<Function>(runtime_function(module, name, pointer, types).getCallee());
}

Function* finish_owner_item(const CallInst& fetch) {
  auto& module = *const_cast<Module*>(fetch.getModule());
  const auto routine = callee_name(fetch);
  const auto name = "windrow_defer_owner_item." + routine.str();
  if (auto* known = module.getFunction(name)) return known;
  auto& context = module.getContext();
  auto* pointer = PointerType::getUnqual(context);
  auto* wide = Type::getInt64Ty(context);
  SmallVector<Type*, 12> types{pointer, pointer, pointer, pointer, wide, wide};
  append_range(types, types_behind_context(fetch));
  auto* function = make_inlined_function(module, name, Type::getVoidTy(context), types);
  IRBuilder<> builder(BasicBlock::Create(context, "entry", function));
  auto* done = BasicBlock::Create(context, "done", function);
  const auto all = arguments_of(*function);
  branch_on(builder, all[0], done);
  SmallVector<Value*, 12> arguments{all[2], all[1]};
  append_range(arguments, drop_begin(all, 3));
  SmallVector<Type*, 12> passed;
  for (const auto* argument : arguments) passed.push_back(argument->getType());
  const auto send = ("windrow_defer_at_owner_" + routine.drop_front(StringRef("shmem_").size())).str();
  copy_extensions(
      fetch, *builder.CreateCall(runtime_function(module, send, builder.getVoidTy(), passed), arguments), 5);
  builder.CreateBr(done);
  builder.SetInsertPoint(done);
  builder.CreateRetVoid();
  return function;
}

Function* make_owner_run(const CallInst& fetch, Function& body, uint64_t captured_bytes, Value& operands) {
  auto& module = *body.getParent();
  auto& context = module.getContext();
  auto* pointer = PointerType::getUnqual(context);
  auto* function =
      Function::Create(FunctionType::get(Type::getVoidTy(context), {pointer, pointer, pointer}, false),
                       GlobalValue::InternalLinkage, body.getName() + ".run", module);
  function->addFnAttr(Attribute::NoUnwind);
  IRBuilder<> builder(BasicBlock::Create(context, "entry", function));
  call_inlined(
      builder, inlined_name("run", verb_of(callee_name(fetch)), *fetch.getType()), builder.getVoidTy(),
      {function->getArg(0), function->getArg(1), builder.getInt64(captured_bytes), &body, &operands});
  builder.CreateRetVoid();
  return function;
}

void begin_route(IRBuilder<>& builder, Value& route, const routes& of, Value& context) {
  call_inlined(builder, (inlined_prefix + "begin_route").str(), builder.getVoidTy(),
               {&route, of.all, builder.getInt64(of.number), &context});
}

void keep_route(CallInst& item, Value& route, bool same_context, const routes& of) {
  auto& context = item.getContext();
  item.setArgOperand(item_kept_route, &route);
  item.setArgOperand(item_same_context, ConstantInt::getBool(context, same_context));
  item.setArgOperand(item_routes, of.all);
  item.setArgOperand(item_route_number, ConstantInt::get(Type::getInt64Ty(context), of.number));
}

Function* symmetric_address(Module& module) {
  const StringRef name = "windrow_defer_address";
  if (auto* known = module.getFunction(name)) return known;
  auto& context = module.getContext();
  auto* pointer = PointerType::getUnqual(context);
  auto* function = make_inlined_function(module, name, pointer, {Type::getInt64Ty(context)});
  IRBuilder<> builder(BasicBlock::Create(context, "entry", function));
  auto* done = BasicBlock::Create(context, "done", function);
  auto* offset = function->getArg(0);
  PHINode* address = nullptr;
  auto* own = call_inlined(builder, (inlined_prefix + "address").str(), pointer, {offset});
  auto* in_place = branch_on(builder, own, done);
  auto* called = builder.CreateCall(
      runtime_function(module, "windrow_defer_symmetric_address", pointer, {offset->getType()}), {offset});
  auto* after = builder.GetInsertBlock();
  builder.CreateBr(done);
  builder.SetInsertPoint(done);
  address = builder.CreatePHI(pointer, 2);
  address->addIncoming(own, in_place);
  address->addIncoming(called, after);
  builder.CreateRet(address);
  return function;
}

} // namespace windrow::compiler::defer
