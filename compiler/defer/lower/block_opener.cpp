// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/defer/lower/block_opener.hpp"

#include <llvm/IR/MDBuilder.h>

#include "compiler/common/api/calls.hpp"
#include "compiler/common/runtime/verbs.hpp"

namespace windrow::compiler::defer {

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
    if (!fetches_.empty()) keep_to_strip();
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
    block_ = space(words_of_block, "block");
    record_ = space(words_of_opened, "record");
    for (size_t i = 0; i < fetches_.size(); ++i) found_.push_back(space(words_of_found, "found"));
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
    if (!fetches_.empty()) begin_strip(near);
    return payload;
  }

  // What is common follows the payload.
  Value* by_calls() {
    auto* bytes = builder_.getInt64Ty();
    auto* words = builder_.CreateZExt(all_[block_words], bytes);
    auto* record_bytes = builder_.CreateAdd(
        all_[block_bytes], builder_.CreateMul(words, ConstantInt::get(bytes, sizeof(uint64_t))));
    auto* open = open_by_call(*record_bytes);
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

  Value* open_by_call(Value& bytes) {
    auto* level = builder_.getInt32Ty();
    if (fetches_.empty())
      return builder_.CreateCall(runtime_function(module_, "windrow_defer_open_in_order", pointer_,
                                                  {pointer_, pointer_, bytes.getType(), level}),
                                 {all_[block_parent], all_[block_body], &bytes, all_[block_level]}, "rec");
    return builder_.CreateCall(runtime_function(module_, "windrow_defer_open", pointer_,
                                                {pointer_, pointer_, bytes.getType(), pointer_, level}),
                               {all_[0], all_[block_body], &bytes, all_[block_parent], all_[block_level]},
                               "rec");
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

} // namespace

Function* open_block(Module& module, ArrayRef<const CallInst*> fetches) {
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
  auto* function = make_inlined_function(module, name, result, types);
  block_opener(*function, fetches).make();
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
  auto* function = make_inlined_function(module, finish_name, Type::getVoidTy(context),
                                         {pointer, Type::getInt1Ty(context)});
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

SmallVector<Value*, 12> no_batch(LLVMContext& context) {
  SmallVector<Value*, 8> arguments{ConstantInt::getFalse(context),
                                   ConstantInt::get(Type::getInt32Ty(context), 0)};
  arguments.append(most_common, ConstantInt::get(Type::getInt64Ty(context), 0));
  arguments.push_back(ConstantPointerNull::get(PointerType::getUnqual(context)));
  arguments.push_back(ConstantInt::get(Type::getInt32Ty(context), 0));
  return arguments;
}

} // namespace windrow::compiler::defer
