// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/defer/lower/block_opener.hpp"

namespace windrow::compiler::defer {

namespace {

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
  auto* function = make_inlined_function(module, name, result, types);
  range_opener(*function, element_bytes, bits).make();
  return function;
}

} // namespace windrow::compiler::defer
