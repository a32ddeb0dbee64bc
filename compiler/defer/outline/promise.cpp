// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/defer/outline/promise.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>

#include "compiler/common/analysis/footprints.hpp"
#include "compiler/common/runtime/inline_library.hpp"

namespace windrow::compiler::defer {

namespace {

enum use_kind : unsigned { use_writes = 1, use_waits = 2, use_fetches = 4 }; // as in deferred_calls.h

} // namespace

promise_checks::promise_checks(Function& function, const hidden_handlers& handlers)
    : checked_(CloneFunction(&function, map_)) {
  handlers.for_each([&](CallInst& call, BasicBlock& handler) {
    calls_.emplace_back(in_copy(call), cast<BasicBlock>(in_copy(handler)));
  });
  for (auto& instruction : instructions(function))
    if (is_fetch(instruction)) fetches_.emplace_back(&instruction, in_copy(instruction));
}

promise_checks::~promise_checks() {
  if (checked_) checked_->eraseFromParent();
}

void promise_checks::watch(ArrayRef<plan*> plans, const code& body, BasicBlock* entry,
                           const SetVector<BasicBlock*>& region, ArrayRef<completion> completions) {
  for (auto* block : region)
    for (auto& instruction : *block) {
      const bool waits = any_of(
          plans, [&](const plan* one) { return one->active() && one->deferred.contains(&instruction); });
      if (!isa<UnreachableInst>(block->getTerminator()) || waits) look_at(instruction, waits, body);
      auto* copy = dyn_cast_or_null<Instruction>(in_copy(instruction));
      if (copy && completes_deferred_code(callee_name(instruction))) begin_at(*copy);
    }
  for (const auto* one : plans)
    if (one->active())
      for (const auto* fetch : one->fetches)
        if (auto* copy = dyn_cast_or_null<CallBase>(in_copy(*fetch))) check_fetch(*copy);
  for (auto& [original, copy] : fetches_) // of vectorised loops
    if (auto* call = dyn_cast_or_null<CallBase>(static_cast<Value*>(copy)); call && !original) {
      check_fetch(*call);
      copy = nullptr;
    }
  begin_with(*entry);
  for (const auto& one : completions)
    if (one.successor && region.contains(one.successor)) begin_with(*one.successor);
}

void promise_checks::begin_with(const BasicBlock& block) {
  if (auto* copy = dyn_cast_or_null<BasicBlock>(in_copy(block))) begin_at(*copy->getFirstInsertionPt());
}

// Where nothing waits any more.
void promise_checks::begin_at(Instruction& place) {
  IRBuilder<> builder(&place);
  builder.CreateCall(
      runtime_function(*checked_->getParent(), "windrow_defer_check_begin", builder.getVoidTy(), {}), {});
}

// Of calls, those that are here to see are not followed.
void promise_checks::look_at(const Instruction& instruction, bool waits, const code& body) {
  auto* copy = dyn_cast_or_null<Instruction>(in_copy(instruction));
  const auto& layout = checked_->getParent()->getDataLayout();
  if (!copy || body.known->of(instruction).accesses.empty()) return;
  const unsigned kind = waits ? unsigned{use_waits} : 0;
  auto* wide = Type::getInt64Ty(copy->getContext());
  const auto size_of = [&](Type* type) { return ConstantInt::get(wide, layout.getTypeStoreSize(type)); };
  if (auto* load = dyn_cast<LoadInst>(copy))
    check(*copy, *load->getPointerOperand(), *size_of(load->getType()), nullptr, kind);
  else if (auto* store = dyn_cast<StoreInst>(copy))
    check(*copy, *store->getPointerOperand(), *size_of(store->getValueOperand()->getType()), nullptr,
          kind | use_writes);
  else if (auto* memory = dyn_cast<MemIntrinsic>(copy)) {
    if (auto* transfer = dyn_cast<MemTransferInst>(memory))
      check(*copy, *transfer->getRawSource(), *transfer->getLength(), nullptr, kind);
    check(*copy, *memory->getRawDest(), *memory->getLength(), nullptr, kind | use_writes);
  } else if (auto* call = dyn_cast<CallBase>(copy); call && !waits && is_scalar_update(*call))
    check(*copy, *call->getArgOperand(1), *size_of(const_cast<Type*>(updated_type(*call))), call, use_writes);
}

void promise_checks::check_fetch(CallBase& copy) {
  const auto& layout = checked_->getParent()->getDataLayout();
  auto* bytes =
      ConstantInt::get(Type::getInt64Ty(copy.getContext()), layout.getTypeStoreSize(copy.getType()));
  check(copy, *copy.getArgOperand(1), *bytes, &copy, use_waits | use_fetches);
}

void promise_checks::check(Instruction& copy, Value& at, Value& bytes, CallBase* operation, unsigned kind) {
  auto& module = *checked_->getParent();
  IRBuilder<> builder(&copy);
  auto* pointer = PointerType::getUnqual(copy.getContext());
  auto* wide = builder.getInt64Ty();
  auto* word = builder.getInt32Ty();
  auto* const length = builder.CreateZExtOrTrunc(&bytes, wide);
  auto* const none = ConstantPointerNull::get(pointer);
  Value* const context = operation ? operation->getArgOperand(0) : none;
  Value* const pe = operation ? operation->getArgOperand(operation->arg_size() - 1) : builder.getInt32(0);
  builder.CreateCall(runtime_function(module, "windrow_defer_check", builder.getVoidTy(),
                                      {pointer, wide, pointer, word, word, pointer}),
                     {&at, length, context, pe, builder.getInt32(kind), place_in_source(copy)});
}

Value* promise_checks::place_in_source(const Instruction& instruction) {
  const auto where = place_of(instruction.getDebugLoc());
  auto& known = texts_[{where ? where->getFile() : nullptr, where ? where.getLine() : 0}];
  if (!known) {
    const auto text = where ? (where->getFilename() + ":" + Twine(where.getLine())).str()
                            : "a place in " + checked_->getName().str();
    IRBuilder<> builder(&checked_->getEntryBlock(), checked_->getEntryBlock().getFirstInsertionPt());
    known = builder.CreateGlobalString(text, "windrow.place");
  }
  return known;
}

Function* promise_checks::take() {
  for (const auto& mark : find_markers(*checked_)) erase(mark);
  for (const auto& [handle, handler] : calls_) {
    auto* call = dyn_cast_or_null<CallInst>(static_cast<Value*>(handle));
    if (call) changeToInvokeAndSplitBasicBlock(call, handler);
  }
  if (verifyFunction(*checked_)) return nullptr;
  checked_->addFnAttr(Attribute::Cold);
  return std::exchange(checked_, nullptr);
}

} // namespace windrow::compiler::defer
