// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/pass/inlining.hpp"

#include <llvm/ADT/StringSwitch.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/MDBuilder.h>
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

namespace {

// The function that opens blocks with such fetches, while it is made.
class block_opener {
 public:
  block_opener(Function& function, ArrayRef<const CallInst*> fetches)
      : fetches_(fetches),
        module_(*function.getParent()),
        builder_(BasicBlock::Create(function.getContext(), "entry", &function)),
        called_(BasicBlock::Create(function.getContext(), "call", &function)),
        otherwise_(called_),
        done_(BasicBlock::Create(function.getContext(), "done", &function)),
        all_(arguments_of(function)) {}

  void make() {
    make_space();
    keep_to_strip();
    if (loads() > 0)
      branch_on_near(call("loads_directly", builder_.getInt1Ty(), {}), &block_opener::in_place);
    end_with(*in_place(false), builder_.getTrue());
    builder_.SetInsertPoint(called_);
    end_with(*by_calls(), builder_.getFalse());
    builder_.SetInsertPoint(done_);
    auto *payload = builder_.CreatePHI(pointer_, 5), *complete = builder_.CreatePHI(builder_.getInt1Ty(), 5);
    for (const auto& [from, record, is_complete] : ends_) {
      payload->addIncoming(record, from);
      complete->addIncoming(is_complete, from);
    }
    builder_.CreateAggregateRet(std::array<Value*, 2>{payload, complete}.data(), 2);
  }

 private:
  // Calls `use(fetch, slot, arguments behind the context)`.
  template <class Use>
  void for_fetches(Use use) {
    ArrayRef<Value*> rest = ArrayRef<Value*>(all_).drop_front(block_fetches);
    for (const auto* fetch : fetches_) {
      use(*fetch, rest.front(), rest.slice(1, fetch->arg_size() - 1));
      rest = rest.drop_front(fetch->arg_size());
    }
  }

  Value* number(size_t count) { return builder_.getInt32(static_cast<uint32_t>(count)); }
  AllocaInst* space(unsigned words, const char* name) {
    auto* type = ArrayType::get(builder_.getInt64Ty(), words);
    return builder_.CreateAlloca(type, nullptr, name);
  }
  void make_space() {
    block_ = space(largest_block_words, "block");
    record_ = space(2, "record");
    for (size_t i = 0; i < fetches_.size(); ++i) found_.push_back(space(4, "found"));
  }
  size_t loads() const {
    return static_cast<size_t>(
        count_if(fetches_, [](const CallInst* fetch) { return may_load_later(*fetch); }));
  }
  BasicBlock* make_block(const char* name) {
    return BasicBlock::Create(builder_.getContext(), name, called_->getParent(), called_);
  }
  void end_with(Value& record, Value* complete) {
    ends_.push_back({builder_.GetInsertBlock(), &record, complete});
    builder_.CreateBr(done_);
  }
  void go_on_if(Value* possible) {
    auto* next = make_block("");
    builder_.CreateCondBr(possible, next, otherwise_,
                          MDBuilder(builder_.getContext()).createBranchWeights(1000, 1));
    builder_.SetInsertPoint(next);
  }
  void branch_on_near(Value* is_near, Value* (block_opener::*make)(bool near)) {
    auto *near = make_block("near"), *far = make_block("far");
    builder_.CreateCondBr(is_near, near, far);
    builder_.SetInsertPoint(near);
    end_with(*(this->*make)(true), builder_.getTrue());
    builder_.SetInsertPoint(far);
  }

  // In the strip, if there is one with room; otherwise it ends.
  void keep_to_strip() {
    auto* flag = builder_.getInt1Ty();
    otherwise_ = make_block("no_strip");
    SmallVector<Value*, 12> compared{all_[block_strip], all_[block_differs], all_[0], all_[block_parent]};
    append_range(compared, ArrayRef<Value*>(all_).slice(block_words, 1 + most_common));
    go_on_if(call("is_in_strip", flag, compared));
    if (loads() > 0)
      branch_on_near(call("strip_is_near", flag, {all_[block_strip]}), &block_opener::in_strip);
    end_with(*in_strip(false), builder_.getTrue());
    builder_.SetInsertPoint(std::exchange(otherwise_, called_));
    call("end_strip", builder_.getVoidTy(),
         {all_[block_strip], all_[block_bytes], all_[block_level], number(fetches_.size()), number(loads())});
  }

  Value* in_strip(bool near) {
    auto* strip = all_[block_strip];
    size_t at = 0;
    for_fetches([&](const CallInst& fetch, Value*, ArrayRef<Value*> behind_context) {
      SmallVector<Value*, 8> arguments{found_[at], strip, builder_.getInt64(at), number(fetches_.size()),
                                       builder_.getInt1(near)};
      append_range(arguments, behind_context);
      go_on_if(call_for(fetch, "find_in_strip", builder_.getInt1Ty(), arguments));
      ++at;
    });
    auto* payload = call("add_to_strip", pointer_, {strip, all_[block_bytes], record_});
    store_fetches(near);
    return payload;
  }

  // Once a record has been added to a batch.
  void begin_strip(bool near) {
    Value *strip = all_[block_strip], *is_near = builder_.getInt1(near);
    auto *begun = make_block("strip"), *none = make_block("");
    builder_.CreateCondBr(call("begin_strip", builder_.getInt1Ty(), {strip, block_, is_near, all_[0]}), begun,
                          none);
    builder_.SetInsertPoint(begun);
    size_t at = 0;
    for (const auto* fetch : fetches_)
      call_for(*fetch, "make_route", builder_.getVoidTy(),
               {strip, builder_.getInt64(at++), is_near, all_[0]});
    builder_.CreateBr(none);
    builder_.SetInsertPoint(none);
  }

  void store_fetches(bool near) {
    size_t at = 0;
    for_fetches([&](const CallInst& fetch, Value* slot, ArrayRef<Value*> behind_context) {
      SmallVector<Value*, 8> arguments{found_[at++], record_, builder_.getInt1(near), slot};
      append_range(arguments, behind_context.drop_front().drop_back());
      call_for(fetch, "store", builder_.getVoidTy(), arguments);
    });
  }

  // All of it, or nothing, and to `called_`. Returns the payload. `near`: what only reads is loaded later.
  Value* in_place(bool near) {
    auto* flag = builder_.getInt1Ty();
    auto* is_near = builder_.getInt1(near);
    const auto awaited = near ? fetches_.size() - loads() : fetches_.size();
    SmallVector<Value*, 20> described{block_,
                                      all_[near ? block_loading_run : block_run],
                                      all_[block_bytes],
                                      all_[block_parent],
                                      all_[block_level],
                                      number(awaited)};
    for_fetches([&](const CallInst& fetch, Value*, ArrayRef<Value*> behind_context) {
      SmallVector<Value*, 8> arguments{all_[0], number(fetches_.size()), is_near};
      append_range(arguments, behind_context);
      call_for(fetch, "make_room", builder_.getVoidTy(), arguments);
    });
    append_range(described, ArrayRef<Value*>(all_).slice(block_batch, block_strip - block_batch));
    go_on_if(call("prepare_record", flag, described));
    size_t at = 0;
    for_fetches([&](const CallInst& fetch, Value*, ArrayRef<Value*> behind_context) {
      SmallVector<Value*, 8> arguments{found_[at++], all_[0], number(fetches_.size()), is_near};
      append_range(arguments, behind_context);
      go_on_if(call_for(fetch, "find", flag, arguments));
    });
    auto* payload = call("add_record", pointer_, {block_, record_});
    store_fetches(near);
    begin_strip(near);
    return payload;
  }

  // What is common follows the payload.
  Value* by_calls() {
    auto* bytes = builder_.getInt64Ty();
    auto* words = builder_.CreateZExt(all_[block_words], bytes);
    auto* record_bytes = builder_.CreateAdd(
        all_[block_bytes], builder_.CreateMul(words, ConstantInt::get(bytes, sizeof(uint64_t))));
    auto* open = builder_.CreateCall(
        runtime_function(module_, "windrow_defer_open", pointer_,
                         {pointer_, pointer_, bytes, pointer_, builder_.getInt32Ty()}),
        {all_[0], all_[block_body], record_bytes, all_[block_parent], all_[block_level]}, "rec");
    SmallVector<Value*, 8> common{builder_.CreateInBoundsGEP(builder_.getInt8Ty(), open, all_[block_bytes])};
    append_range(common, ArrayRef<Value*>(all_).slice(block_words, 1 + most_common));
    call("store_common", builder_.getVoidTy(), common);
    for_fetches([&](const CallInst& fetch, Value* slot, ArrayRef<Value*> behind_context) {
      SmallVector<Value*, 8> arguments{all_[0], open,
                                       builder_.CreateInBoundsGEP(builder_.getInt8Ty(), open, slot)};
      append_range(arguments, behind_context);
      const auto name = ("windrow_defer_" + callee_name(fetch).drop_front(StringRef("shmem_").size())).str();
      copy_extensions(fetch, *call_function(name, builder_.getVoidTy(), arguments), 3);
    });
    return open;
  }

  CallInst* call(StringRef name, Type* result, ArrayRef<Value*> arguments) {
    return call_inlined(builder_, (inlined_prefix + name).str(), result, arguments);
  }
  CallInst* call_for(const CallInst& fetch, StringRef kind, Type* result, ArrayRef<Value*> arguments) {
    return call_inlined(builder_, inlined_name(kind, verb_of(callee_name(fetch)), *fetch.getType()), result,
                        arguments);
  }
  CallInst* call_function(StringRef name, Type* result, ArrayRef<Value*> arguments) {
    return call_inlined(builder_, name, result, arguments);
  }

  static constexpr unsigned largest_block_words = 16; // of `block` in inlined/inlined_calls.cpp

  ArrayRef<const CallInst*> fetches_;
  Module& module_;
  IRBuilder<> builder_;
  BasicBlock *called_, *otherwise_, *done_; ///< where there is no room: now, and in the end
  SmallVector<Value*, 16> all_;
  PointerType* pointer_ = PointerType::getUnqual(module_.getContext());
  AllocaInst *block_ = nullptr, *record_ = nullptr;
  SmallVector<AllocaInst*, 4> found_;
  struct end {
    BasicBlock* from;
    Value *record, *complete;
  };
  SmallVector<end, 5> ends_;
};

// The function that opens records behind a range, while it is made.
class range_opener {
 public:
  range_opener(Function& function, uint64_t element_bytes, StringRef bits)
      : function_(function),
        module_(*function.getParent()),
        builder_(BasicBlock::Create(function.getContext(), "entry", &function)),
        element_bytes_(element_bytes),
        bits_(bits),
        all_(arguments_of(function)),
        range_(ArrayRef<Value*>(all_).drop_front(block_fetches + 1)) {}

  void make() {
    auto* done = BasicBlock::Create(function_.getContext(), "done", &function_);
    auto* near = in_place();
    auto* before = branch_on(builder_, near, done);
    auto* called = by_calls();
    auto* after = builder_.GetInsertBlock();
    builder_.CreateBr(done);
    builder_.SetInsertPoint(done);
    auto *payload = builder_.CreatePHI(pointer_, 2), *complete = builder_.CreatePHI(builder_.getInt1Ty(), 2);
    payload->addIncoming(near, before);
    payload->addIncoming(called, after);
    complete->addIncoming(builder_.getTrue(), before);
    complete->addIncoming(builder_.getFalse(), after);
    builder_.CreateAggregateRet(std::array<Value*, 2>{payload, complete}.data(), 2);
  }

 private:
  ArrayRef<Value*> common() const { return ArrayRef<Value*>(all_).slice(block_words, 1 + most_common); }

  Value* in_place() {
    SmallVector<Value*, 24> arguments{all_[0],           all_[block_run],
                                      all_[block_bytes], all_[block_parent],
                                      all_[block_level], all_[block_batch]};
    append_range(arguments, common());
    arguments.push_back(all_[block_fetches]);
    append_range(arguments, range_);
    return call_inlined(builder_, (inlined_prefix + "open_near_range_i" + bits_).str(), pointer_, arguments);
  }

  // What is common follows the payload, and the values follow that.
  Value* by_calls() {
    auto* wide = builder_.getInt64Ty();
    auto *source = range_[0], *count = range_[1], *pe = range_[2];
    auto* words = builder_.CreateZExt(all_[block_words], wide);
    auto* fixed =
        builder_.CreateAdd(all_[block_bytes], builder_.CreateMul(words, builder_.getInt64(sizeof(uint64_t))));
    auto* bytes = builder_.CreateAdd(fixed, builder_.CreateMul(count, builder_.getInt64(element_bytes_)));
    auto* open =
        builder_.CreateCall(runtime_function(module_, "windrow_defer_open", pointer_,
                                             {pointer_, pointer_, wide, pointer_, builder_.getInt32Ty()}),
                            {all_[0], all_[block_body], bytes, all_[block_parent], all_[block_level]}, "rec");
    SmallVector<Value*, 12> stored{behind(open, all_[block_bytes])};
    append_range(stored, common());
    call_inlined(builder_, (inlined_prefix + "store_common").str(), builder_.getVoidTy(), stored);
    auto* values = behind(open, fixed);
    builder_.CreateStore(values, behind(open, all_[block_fetches]));
    call_inlined(builder_, ("windrow_defer_ctx_get" + bits_).str(), builder_.getVoidTy(),
                 {all_[0], open, values, source, count, pe});
    return open;
  }

  Value* behind(Value* record, Value* offset) {
    return builder_.CreateInBoundsGEP(builder_.getInt8Ty(), record, offset);
  }

  Function& function_;
  Module& module_;
  IRBuilder<> builder_;
  uint64_t element_bytes_;
  StringRef bits_;
  SmallVector<Value*, 16> all_;
  ArrayRef<Value*> range_; ///< source, count, PE
  PointerType* pointer_ = PointerType::getUnqual(module_.getContext());
};

} // namespace

Function* open_block(ArrayRef<const CallInst*> fetches) {
  auto& module = *const_cast<Module*>(fetches.front()->getModule());
  if (!can_inline(module) || fetches.size() > most_fetches) return nullptr;
  std::string name = "windrow_defer_block";
  for (const auto* fetch : fetches) {
    if (!exists(verb_of(callee_name(*fetch)), *fetch->getType())) return nullptr;
    name += "." + callee_name(*fetch).str();
  }
  if (auto* known = module.getFunction(name)) return known;
  auto& context = module.getContext();
  auto* pointer = PointerType::getUnqual(context);
  auto *bytes = Type::getInt64Ty(context), *level = Type::getInt32Ty(context);
  SmallVector<Type*, 24> types{pointer, pointer, bytes, pointer, level, pointer, pointer};
  for (const auto* argument : no_batch(context)) types.push_back(argument->getType());
  for (const auto* fetch : fetches) {
    types.push_back(bytes);
    append_range(types, types_behind_context(*fetch));
  }
  auto* result = StructType::get(context, {pointer, Type::getInt1Ty(context)});
  auto* function = make_part(module, name, result, types);
  block_opener(*function, fetches).make();
  return function;
}

Function* open_range(Module& module, uint64_t element_bytes) {
  if (!can_inline(module)) return nullptr;
  const auto bits = std::to_string(8 * element_bytes);
  const auto name = "windrow_defer_range.get" + bits;
  if (auto* known = module.getFunction(name)) return known;
  auto& context = module.getContext();
  auto* pointer = PointerType::getUnqual(context);
  auto *wide = Type::getInt64Ty(context), *word = Type::getInt32Ty(context);
  SmallVector<Type*, 24> types{pointer, pointer, wide, pointer, word, pointer, pointer};
  for (const auto* argument : no_batch(context)) types.push_back(argument->getType());
  types.append({wide, pointer, wide, word});
  auto* result = StructType::get(context, {pointer, Type::getInt1Ty(context)});
  auto* function = make_part(module, name, result, types);
  range_opener(*function, element_bytes, bits).make();
  return function;
}

namespace {

constexpr StringRef finish_name = "windrow_defer_block.finish";

} // namespace

bool is_finish_block(const Function* function) {
  return function && function->getName() == finish_name;
}

void begin_without_strip(IRBuilder<>& builder, Value& strip) {
  call_inlined(builder, (inlined_prefix + "no_strip").str(), builder.getVoidTy(), {&strip});
}

void end_strip(IRBuilder<>& builder, Value& strip, const CallInst& open, uint32_t fetches, uint32_t loads) {
  call_inlined(builder, (inlined_prefix + "end_strip").str(), builder.getVoidTy(),
               {&strip, open.getArgOperand(block_bytes), open.getArgOperand(block_level),
                builder.getInt32(fetches), builder.getInt32(loads)});
}

Function* finish_block(Module& module) {
  if (auto* known = module.getFunction(finish_name)) return known;
  auto& context = module.getContext();
  auto* pointer = PointerType::getUnqual(context);
  auto* function =
      make_part(module, finish_name, Type::getVoidTy(context), {pointer, Type::getInt1Ty(context)});
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

Function* make_run(const Function& body, const Twine& suffix) {
  auto& module = *const_cast<Module*>(body.getParent());
  auto& context = module.getContext();
  auto* type = FunctionType::get(Type::getInt32Ty(context), {PointerType::getUnqual(context)}, false);
  auto* run = Function::Create(type, GlobalValue::InternalLinkage, body.getName() + suffix, module);
  run->addFnAttr(Attribute::NoUnwind);
  return run;
}

void complete_run(Function& run, Function& body, uint64_t bytes, std::optional<uint64_t> common_bytes) {
  IRBuilder<> builder(BasicBlock::Create(run.getContext(), "entry", &run));
  SmallVector<Value*, 4> arguments{run.getArg(0), &body, builder.getInt64(bytes)};
  if (common_bytes) arguments.push_back(builder.getInt64(*common_bytes));
  const auto* name = common_bytes ? "run_batch" : "run_records";
  builder.CreateRet(call_inlined(builder, (inlined_prefix + name).str(), builder.getInt32Ty(), arguments));
}

Function* load_first(Function& body, ArrayRef<near_load> loads) {
  auto* function = make_part(*body.getParent(), body.getName() + ".load", body.getReturnType(),
                             body.getFunctionType()->params());
  IRBuilder<> builder(BasicBlock::Create(body.getContext(), "entry", function));
  for (const auto& [type, slot] : loads)
    call_inlined(builder, (inlined_prefix + "load_" + carrier_of(*type)).str(), builder.getVoidTy(),
                 {function->getArg(0), builder.getInt64(slot)});
  builder.CreateCall(&body, arguments_of(*function));
  builder.CreateRetVoid();
  return function;
}

SmallVector<Value*, 12> no_batch(LLVMContext& context) {
  SmallVector<Value*, 8> arguments{ConstantInt::getFalse(context),
                                   ConstantInt::get(Type::getInt32Ty(context), 0)};
  arguments.append(most_common, ConstantInt::get(Type::getInt64Ty(context), 0));
  arguments.push_back(ConstantPointerNull::get(PointerType::getUnqual(context)));
  arguments.push_back(ConstantInt::get(Type::getInt32Ty(context), 0));
  return arguments;
}

// ---- updates

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
  auto* function = make_part(module, name, Type::getVoidTy(context), types);
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

// ---- at the owner

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
