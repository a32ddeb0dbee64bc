// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/defer/outline/record_calls.hpp"

#include "compiler/common/api/calls.hpp"
#include "compiler/common/runtime/inline_library.hpp"
#include "compiler/common/runtime/verbs.hpp"
#include "compiler/defer/plan/context.hpp"

namespace windrow::compiler::defer {

record_calls::record_calls(const plan& scope, code& outer, code& callback, const shape& structure)
    : outer_(outer),
      callback_(callback),
      context_(outer.function->getContext()),
      pointer_(PointerType::getUnqual(context_)),
      record_(open_record(scope, structure)) {
  callback_.open = record_;
}

CallInst* record_calls::open_record(const plan& scope, const shape& structure) {
  auto* place = first_of_record(scope)->place();
  IRBuilder<> builder(place);
  auto& where = callback_.told.fetched_at;
  where = scope.fetches.empty() ? place->getDebugLoc() : scope.fetches.front()->getDebugLoc();
  builder.SetCurrentDebugLocation(where);
  auto& module = *outer_.function->getParent();
  auto* bytes = Type::getInt64Ty(context_);
  auto* level = builder.getInt32(outer_.level);
  auto* none = ConstantPointerNull::get(pointer_); // until it is known whether there is need
  auto* unknown = ConstantInt::get(bytes, 0);      // until the callback's own scopes are done
  if (scope.fetches.empty()) {
    const auto open = runtime_function(module, "windrow_defer_open_in_order", pointer_,
                                       {pointer_, pointer_, bytes, level->getType()});
    return builder.CreateCall(open, {none, callback_.function, unknown, level}, "rec");
  }
  auto* context = compute_at_open(scope.fetches.front()->getArgOperand(0), structure.dominators, builder);
  const auto open = runtime_function(module, "windrow_defer_open", pointer_,
                                     {pointer_, pointer_, bytes, pointer_, level->getType()});
  return builder.CreateCall(open, {context, callback_.function, unknown, none, level}, "rec");
}

Value* record_calls::issue(CallInst& fetch, IRBuilder<>& entry) {
  if (is_bulk_fetch(fetch)) return issue_bulk(fetch, entry);
  IRBuilder<> builder(&fetch);
  const auto offset = add_slot(fetch);
  auto* fetched = entry.CreateLoad(fetch.getType(), field(entry, *callback_.record, offset), "fetched");
  const auto name = ("windrow_defer_" + callee_name(fetch).drop_front(StringRef("shmem_").size())).str();
  issue_into(*field(builder, *record_, offset), fetch, name, offset);
  return fetched;
}

// Where the values begin is known when all else has its place.
Value* record_calls::issue_bulk(CallInst& fetch, IRBuilder<>& entry) {
  IRBuilder<> builder(&fetch);
  const auto behind = [&](IRBuilder<>& where, Value* record) {
    auto* address = where.CreateInBoundsGEP(where.getInt8Ty(), record, where.getInt64(0), "values");
    return cast<GetElementPtrInst>(address);
  };
  auto *outside = behind(builder, record_), *inside = behind(entry, callback_.record);
  const auto bytes = bulk_fetch_bytes(fetch);
  callback_.layout.bulk = {outside, inside, fetch.getArgOperand(2), bytes};
  issue_into(*outside, fetch, "windrow_defer_ctx_get" + std::to_string(8 * bytes), 0);
  return inside;
}

void record_calls::issue_into(Value& slot, CallInst& fetch, const std::string& name, uint64_t offset) {
  IRBuilder<> builder(&fetch);
  SmallVector<Value*, 8> arguments{fetch.getArgOperand(0), record_, &slot};
  append_range(arguments, drop_begin(fetch.args()));
  auto* call = call_inlined(builder, name, builder.getVoidTy(), arguments);
  copy_extensions(fetch, *call, 3);
  issued_.push_back({&fetch, call, offset});
}

// The address of a value that is near waits in its place.
uint64_t record_calls::add_slot(const CallInst& fetch) {
  auto& type = *fetch.getType();
  const auto& layout = outer_.function->getParent()->getDataLayout();
  const bool wider = may_load_later(fetch) && layout.getTypeStoreSize(&type) < layout.getPointerSize();
  return callback_.add_field(wider ? *static_cast<Type*>(pointer_) : type);
}

void record_calls::commit(Instruction& end) {
  IRBuilder<> builder(&end);
  builder.SetCurrentDebugLocation(record_->getDebugLoc());
  builder.CreateCall(runtime_function(*outer_.function->getParent(), "windrow_defer_commit",
                                      builder.getVoidTy(), {pointer_}),
                     {record_});
}

} // namespace windrow::compiler::defer
