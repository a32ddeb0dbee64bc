// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/pass/inlining.hpp"

#include <llvm/ADT/StringSwitch.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Linker/Linker.h>
#include <llvm/TargetParser/Triple.h>

#include "compiler/pass/calls.hpp"

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

namespace windrow::defer {

namespace {

constexpr StringRef inlined_prefix = "windrow_inlined_";

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

// ---- names

// The verb of the aggregation engine, as the bitcode names it.
StringRef verb_of(StringRef name) {
  const auto operation = name.drop_front(StringRef("shmem_ctx_").size()).split('_').second;
  return StringSwitch<StringRef>(operation)
      .Cases("g", "atomic_fetch", "fetch")
      .Case("atomic_fetch_inc", "fetch_inc")
      .Case("atomic_fetch_add", "fetch_add")
      .Case("atomic_fetch_and", "fetch_and")
      .Case("atomic_fetch_or", "fetch_or")
      .Case("atomic_fetch_xor", "fetch_xor")
      .Case("atomic_swap", "swap")
      .Case("atomic_compare_swap", "compare_swap")
      .Cases("p", "atomic_set", "put")
      .Case("atomic_inc", "inc")
      .Case("atomic_add", "add")
      .Case("atomic_and", "bit_and")
      .Case("atomic_or", "bit_or")
      .Case("atomic_xor", "bit_xor")
      .Default("");
}

std::string carrier_of(const Type& type) {
  if (type.isFloatTy()) return "float";
  if (type.isDoubleTy()) return "double";
  if (type.isIntegerTy(8) || type.isIntegerTy(16) || type.isIntegerTy(32) || type.isIntegerTy(64))
    return "i" + std::to_string(type.getIntegerBitWidth());
  return "";
}

// Which there are, is the same rule as in inlined/inlined_calls.cpp.
bool exists(StringRef verb, const Type& type) {
  if (verb.empty() || carrier_of(type).empty()) return false;
  if (verb == "fetch" || verb == "put") return true;
  const bool small = type.isIntegerTy(8) || type.isIntegerTy(16);
  return !small && (type.isIntegerTy() || verb == "swap");
}

std::string inlined_name(StringRef kind, StringRef verb, const Type& type) {
  return (inlined_prefix + kind + "_" + verb + "_" + carrier_of(type)).str();
}

// The type of the value that an update is about; increments do not show it.
const Type* updated_type(const CallInst& call) {
  if (call.arg_size() == 4) return call.getArgOperand(2)->getType();
  const auto name = callee_name(call).drop_front(StringRef("shmem_ctx_").size()).split('_').first;
  const auto bits =
      StringSwitch<unsigned>(name)
          .Cases("int", "uint", "int32", "uint32", 32)
          .Cases("long", "ulong", "longlong", "ulonglong", "int64", "uint64", "size", "ptrdiff", 64)
          .Default(0);
  return bits == 0 ? nullptr : IntegerType::get(call.getContext(), bits);
}

// ---- functions

SmallVector<Type*, 8> types_behind_context(const CallInst& call) {
  SmallVector<Type*, 8> types;
  for (const auto& argument : drop_begin(call.args())) types.push_back(argument->getType());
  return types;
}

// An internal function of the module that is inlined whatever it costs; empty if it is new.
Function* make_part(Module& module, const Twine& name, Type* result, ArrayRef<Type*> parameters) {
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

CallInst* call_inlined(IRBuilder<>& builder, StringRef name, Type* result, ArrayRef<Value*> arguments) {
  SmallVector<Type*, 16> types;
  for (const auto* argument : arguments) types.push_back(argument->getType());
  auto& module = *builder.GetInsertBlock()->getModule();
  return builder.CreateCall(runtime_function(module, name, result, types), arguments);
}

// if (result) goto taken; otherwise: the builder's new place. Returns the block of the test.
BasicBlock* branch_on(IRBuilder<>& builder, Value* result, BasicBlock* taken) {
  auto* here = builder.GetInsertBlock();
  auto* otherwise = BasicBlock::Create(builder.getContext(), "call", here->getParent(), taken);
  auto* test = result->getType()->isPointerTy() ? builder.CreateIsNotNull(result) : result;
  builder.CreateCondBr(test, taken, otherwise);
  builder.SetInsertPoint(otherwise);
  return here;
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

void copy_extensions(const CallInst& fetch, CallInst& call, unsigned first) {
  for (unsigned from = 1; from < fetch.arg_size(); ++from)
    for (const auto kind : {Attribute::ZExt, Attribute::SExt})
      if (fetch.paramHasAttr(from, kind)) call.addParamAttr(from + first - 1, kind);
}

bool may_load_later(const CallInst& fetch) {
  return verb_of(callee_name(fetch)) == "fetch";
}

// ---- records

Function* open_block(const CallInst& fetch) {
  auto& module = *const_cast<Module*>(fetch.getModule());
  const auto routine = callee_name(fetch);
  const auto verb = verb_of(routine);
  if (!can_inline(module) || !exists(verb, *fetch.getType())) return nullptr;
  const auto name = "windrow_defer_block." + routine.str();
  if (auto* known = module.getFunction(name)) return known;
  auto& context = module.getContext();
  auto* pointer = PointerType::getUnqual(context);
  auto *bytes = Type::getInt64Ty(context), *level = Type::getInt32Ty(context),
       *flag = Type::getInt1Ty(context);
  auto* result = StructType::get(context, {pointer, flag});
  SmallVector<Type*, 24> types{pointer, pointer, bytes, pointer, level, bytes, pointer, pointer};
  for (const auto* argument : no_batch(context)) types.push_back(argument->getType());
  append_range(types, types_behind_context(fetch));
  auto* function = make_part(module, name, result, types);
  IRBuilder<> builder(BasicBlock::Create(context, "entry", function));
  auto* done = BasicBlock::Create(context, "done", function);
  const auto all = arguments_of(*function);
  SmallVector<Value*, 24> in_place_arguments{all[0], all[6], all[2], all[3], all[4], all[5], all[7]};
  append_range(in_place_arguments, drop_begin(all, 8));
  auto* complete =
      call_inlined(builder, inlined_name("block", verb, *fetch.getType()), pointer, in_place_arguments);
  auto* in_place = branch_on(builder, complete, done);
  auto* words = builder.CreateZExt(all[block_words], bytes);
  auto* record_bytes = builder.CreateAdd(all[block_bytes],
                                         builder.CreateMul(words, ConstantInt::get(bytes, sizeof(uint64_t))));
  auto* open = builder.CreateCall(
      runtime_function(module, "windrow_defer_open", pointer, {pointer, pointer, bytes, pointer}),
      {all[0], all[1], record_bytes, all[3]}, "rec");
  SmallVector<Value*, 8> common{builder.CreateInBoundsGEP(builder.getInt8Ty(), open, all[block_bytes])};
  append_range(common, make_range(all.begin() + block_words, all.begin() + block_common + most_common));
  call_inlined(builder, (inlined_prefix + "store_common").str(), builder.getVoidTy(), common);
  auto* slot = builder.CreateInBoundsGEP(builder.getInt8Ty(), open, all[5]);
  SmallVector<Value*, 8> arguments{all[0], open, slot};
  append_range(arguments, drop_begin(all, block_common + most_common));
  SmallVector<Type*, 8> passed;
  for (const auto* argument : arguments) passed.push_back(argument->getType());
  const auto deferred = ("windrow_defer_" + routine.drop_front(StringRef("shmem_").size())).str();
  copy_extensions(
      fetch, *builder.CreateCall(runtime_function(module, deferred, builder.getVoidTy(), passed), arguments),
      3);
  auto* called = builder.GetInsertBlock();
  builder.CreateBr(done);
  builder.SetInsertPoint(done);
  auto* payload = builder.CreatePHI(pointer, 2);
  payload->addIncoming(complete, in_place);
  payload->addIncoming(open, called);
  auto* is_complete = builder.CreatePHI(flag, 2);
  is_complete->addIncoming(builder.getTrue(), in_place);
  is_complete->addIncoming(builder.getFalse(), called);
  builder.CreateAggregateRet(std::array<Value*, 2>{payload, is_complete}.data(), 2);
  return function;
}

Function* finish_block(Module& module) {
  const StringRef name = "windrow_defer_block.finish";
  if (auto* known = module.getFunction(name)) return known;
  auto& context = module.getContext();
  auto* pointer = PointerType::getUnqual(context);
  auto* function = make_part(module, name, Type::getVoidTy(context), {pointer, Type::getInt1Ty(context)});
  IRBuilder<> builder(BasicBlock::Create(context, "entry", function));
  auto* done = BasicBlock::Create(context, "done", function);
  branch_on(builder, function->getArg(1), done);
  builder.CreateCall(runtime_function(module, "windrow_defer_commit", builder.getVoidTy(), {pointer}),
                     {function->getArg(0)});
  builder.CreateBr(done);
  builder.SetInsertPoint(done);
  builder.CreateRetVoid();
  return function;
}

namespace {

Function* make_run_with(Function& body, StringRef inlined, ArrayRef<Value*> more) {
  auto& module = *body.getParent();
  auto& context = module.getContext();
  auto* pointer = PointerType::getUnqual(context);
  auto* function = Function::Create(FunctionType::get(Type::getInt32Ty(context), {pointer}, false),
                                    GlobalValue::InternalLinkage, body.getName() + ".run", module);
  function->addFnAttr(Attribute::NoUnwind);
  IRBuilder<> builder(BasicBlock::Create(context, "entry", function));
  SmallVector<Value*, 4> arguments{function->getArg(0), &body, builder.getInt64(0)};
  append_range(arguments, more);
  builder.CreateRet(call_inlined(builder, inlined, builder.getInt32Ty(), arguments));
  return function;
}

} // namespace

Function* make_run(Function& body) {
  return make_run_with(body, (inlined_prefix + "run_records").str(), {});
}

Function* make_loading_run(Function& body, const CallInst& fetch, uint64_t slot) {
  const auto name = (inlined_prefix + "load_and_run_" + carrier_of(*fetch.getType())).str();
  return make_run_with(body, name, {ConstantInt::get(Type::getInt64Ty(body.getContext()), slot)});
}

void make_batch_run(Function& run, Function& body, uint64_t bytes, uint64_t common_bytes, uint64_t slot) {
  auto* old = cast<CallInst>(&run.getEntryBlock().front());
  IRBuilder<> builder(old);
  const auto loading = callee_name(*old).drop_front(inlined_prefix.size()).split("load_and_run_").second;
  SmallVector<Value*, 8> arguments{run.getArg(0), &body, builder.getInt64(bytes),
                                   builder.getInt64(common_bytes)};
  if (!loading.empty()) arguments.push_back(builder.getInt64(slot));
  const auto name = loading.empty() ? "run_batch" : ("load_and_run_batch_" + loading).str();
  old->replaceAllUsesWith(
      call_inlined(builder, (inlined_prefix + name).str(), builder.getInt32Ty(), arguments));
  old->eraseFromParent();
}

SmallVector<Value*, 8> no_batch(LLVMContext& context) {
  SmallVector<Value*, 8> arguments{ConstantInt::getFalse(context),
                                   ConstantInt::get(Type::getInt32Ty(context), 0)};
  arguments.append(most_common, ConstantInt::get(Type::getInt64Ty(context), 0));
  return arguments;
}

// ---- updates

Function* update_in_place(const CallInst& update) {
  const auto routine = callee_name(update);
  if (!routine.starts_with("shmem_ctx_") || update.arg_size() < 3 || update.arg_size() > 4) return nullptr;
  auto& module = *const_cast<Module*>(update.getModule());
  const auto verb = verb_of(routine);
  const auto* type = updated_type(update);
  const bool fits = update.getType()->isVoidTy() && (update.arg_size() == 3) == (verb == "inc");
  if (!fits || !type || !can_inline(module) || !exists(verb, *type)) return nullptr;
  const auto name = "windrow_defer_update." + routine.str();
  if (auto* known = module.getFunction(name)) return known;
  auto& context = module.getContext();
  SmallVector<Type*, 8> types{update.getArgOperand(0)->getType()};
  append_range(types, types_behind_context(update));
  auto* function = make_part(module, name, Type::getVoidTy(context), types);
  IRBuilder<> builder(BasicBlock::Create(context, "entry", function));
  auto* done = BasicBlock::Create(context, "done", function);
  const auto arguments = arguments_of(*function);
  branch_on(builder,
            call_inlined(builder, inlined_name("update", verb, *type), builder.getInt1Ty(), arguments), done);
  auto* call = builder.CreateCall(update.getCalledFunction(), arguments);
  copy_extensions(update, *call, 1);
  builder.CreateBr(done);
  builder.SetInsertPoint(done);
  builder.CreateRetVoid();
  return function;
}

// ---- at the owner

Function* open_owner_item(const CallInst& fetch) {
  auto& module = *const_cast<Module*>(fetch.getModule());
  const auto verb = verb_of(callee_name(fetch));
  if (!can_inline(module) || !exists(verb, *fetch.getType())) return nullptr;
  auto* pointer = PointerType::getUnqual(module.getContext());
  SmallVector<Type*, 8> types{pointer, pointer, Type::getInt64Ty(module.getContext())};
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
  SmallVector<Type*, 12> types{pointer, pointer, pointer, pointer, Type::getInt64Ty(context)};
  append_range(types, types_behind_context(fetch));
  auto* function = make_part(module, name, Type::getVoidTy(context), types);
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
      fetch, *builder.CreateCall(runtime_function(module, send, builder.getVoidTy(), passed), arguments), 4);
  builder.CreateBr(done);
  builder.SetInsertPoint(done);
  builder.CreateRetVoid();
  return function;
}

Function* make_owner_run(const CallInst& fetch, Function& body, uint64_t captured_bytes) {
  auto& module = *body.getParent();
  auto& context = module.getContext();
  auto* pointer = PointerType::getUnqual(context);
  auto* function =
      Function::Create(FunctionType::get(Type::getVoidTy(context), {pointer, pointer, pointer}, false),
                       GlobalValue::InternalLinkage, body.getName() + ".run", module);
  function->addFnAttr(Attribute::NoUnwind);
  IRBuilder<> builder(BasicBlock::Create(context, "entry", function));
  call_inlined(builder, inlined_name("run", verb_of(callee_name(fetch)), *fetch.getType()),
               builder.getVoidTy(),
               {function->getArg(0), function->getArg(1), builder.getInt64(captured_bytes), &body});
  builder.CreateRetVoid();
  return function;
}

Function* symmetric_address(Module& module) {
  const StringRef name = "windrow_defer_address";
  if (auto* known = module.getFunction(name)) return known;
  auto& context = module.getContext();
  auto* pointer = PointerType::getUnqual(context);
  auto* function = make_part(module, name, pointer, {Type::getInt64Ty(context)});
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

// ---- the bitcode

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

} // namespace windrow::defer
