// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/comm/buffers.hpp"

#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>

namespace windrow::compiler::comm {

namespace {

void use_memory(IRBuilder<>& builder, const plain_access& access, Value& place, Align align) {
  auto& old = *access.call;
  if (access.local && access.reads)
    builder.CreateMemCpy(access.local, Align(1), &place, align, access.bytes);
  else if (access.local)
    builder.CreateMemCpy(&place, align, access.local, Align(1), access.bytes);
  else if (access.value)
    builder.CreateAlignedStore(access.value, &place, align);
  else
    old.replaceAllUsesWith(builder.CreateAlignedLoad(old.getType(), &place, align, old.getName()));
}

// What is near is as aligned as the program has it.
Align align_of(const transfer& in, const member& part) {
  if (in.reads && !in.strided) return Align(1);
  return commonAlignment(commonAlignment(Align(buffer_align), in.pitch()),
                         static_cast<uint64_t>(part.offset));
}

} // namespace

void replace_by_memory(IRBuilder<>& builder, const plain_access& access, Value& place, Align align) {
  use_memory(builder, access, place, align);
  SmallVector<WeakTrackingVH, 4> arguments;
  for (auto& argument : access.call->args()) arguments.push_back(argument.get());
  access.call->eraseFromParent();
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(arguments);
}

// The ends are looked at, so that what is not symmetric in between cannot be.
std::pair<Value*, Value*> buffer_code::look_near(size_t number, Value& rounds) {
  const auto& one = transfers_[number];
  auto* pointer = builder_.getPtrTy();
  auto* byte = builder_.getInt8Ty();
  auto* module = builder_.GetInsertBlock()->getModule();
  const auto query = module->getOrInsertFunction("shmem_ptr", pointer, pointer, builder_.getInt32Ty());
  auto* way = builder_.CreateMul(builder_.CreateSub(&rounds, builder_.getInt64(1)),
                                 builder_.getInt64(static_cast<uint64_t>(one.step)));
  if (one.step >= 0) way = builder_.CreateAdd(way, builder_.getInt64(one.span - 1));
  auto* first = builder_.CreateCall(query, {starts_[number], pes_[number]});
  auto* last = builder_.CreateCall(query, {builder_.CreateGEP(byte, starts_[number], way), pes_[number]});
  auto* any = builder_.CreateOr(builder_.CreateIsNotNull(first), builder_.CreateIsNotNull(last));
  auto* whole = builder_.CreateAnd(builder_.CreateIsNotNull(first),
                                   builder_.CreateICmpEQ(builder_.CreateGEP(byte, first, way), last));
  nears_.push_back(builder_.CreateSelect(whole, first, ConstantPointerNull::get(pointer), "near"));
  return {nears_.back(), any};
}

void buffer_code::take_as_far(size_t) {
  nears_.push_back(ConstantPointerNull::get(builder_.getPtrTy()));
}

uint64_t buffer_code::bytes_for(uint64_t rounds) const {
  uint64_t bytes = 0;
  for (const auto& one : transfers_) bytes += alignTo((rounds - 1) * one.pitch() + one.span, buffer_align);
  return bytes;
}

void buffer_code::place(Value& memory, uint64_t rounds) {
  uint64_t bytes = 0;
  for (const auto& one : transfers_) {
    bases_.push_back(builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), &memory, bytes));
    bytes += alignTo((rounds - 1) * one.pitch() + one.span, buffer_align);
  }
}

// Of the strip, where that of the loop begins at `start`.
Value* buffer_code::lowest(size_t number, Value& start) {
  const auto& one = transfers_[number];
  auto* last = builder_.CreateSub(count_, builder_.getInt64(1));
  auto* round = one.step < 0 ? builder_.CreateAdd(begin_, last) : begin_;
  return builder_.CreateGEP(builder_.getInt8Ty(), &start,
                            builder_.CreateMul(round, builder_.getInt64(static_cast<uint64_t>(one.step))));
}

void buffer_code::read(size_t number, Instruction& enter) {
  const auto& one = transfers_[number];
  builder_.SetInsertPoint(&enter);
  builder_.SetCurrentDebugLocation(one.members.front().access.call->getDebugLoc());
  auto* buffer = bases_[number];
  if (one.strided) return move(number, *buffer);
  auto* far = builder_.CreateIsNull(nears_[number]);
  bases_[number] = builder_.CreateSelect(far, buffer, lowest(number, *nears_[number]));
  builder_.SetInsertPoint(SplitBlockAndInsertIfThen(far, &enter, /*Unreachable=*/false));
  move(number, *buffer);
}

// Between the buffer and the other PE, for the rounds of a strip.
void buffer_code::move(size_t number, Value& buffer) {
  const auto& one = transfers_[number];
  auto* base = lowest(number, *starts_[number]);
  auto *to = one.reads ? &buffer : base, *from = one.reads ? base : &buffer;
  if (!one.strided) {
    auto* last = builder_.CreateSub(count_, builder_.getInt64(1));
    auto* bytes = builder_.CreateAdd(builder_.CreateMul(last, builder_.getInt64(one.distance())),
                                     builder_.getInt64(one.span));
    return call(one.reads ? "shmem_getmem" : "shmem_putmem", {to, from, bytes, pes_[number]});
  }
  auto *dense = builder_.getInt64(1), *stride = builder_.getInt64(one.distance() / one.span);
  call((one.reads ? "shmem_iget" : "shmem_iput") + std::to_string(8 * one.span),
       {to, from, one.reads ? dense : stride, one.reads ? stride : dense, count_, pes_[number]});
}

void buffer_code::call(const std::string& routine, ArrayRef<Value*> arguments) {
  SmallVector<Type*, 6> types;
  for (const auto* argument : arguments) types.push_back(argument->getType());
  auto* type = FunctionType::get(builder_.getVoidTy(), types, false);
  auto* module = builder_.GetInsertBlock()->getModule();
  settle(*builder_.CreateCall(module->getOrInsertFunction(routine, type), arguments));
}

void buffer_code::use(size_t number, Value& round) {
  for (const auto& part : transfers_[number].members) replace(part, number, round);
}

// What the plan remembers of the arguments may have been replaced since: by what another access has read.
void buffer_code::replace(const member& part, size_t number, Value& round) {
  const auto& in = transfers_[number];
  auto* old = part.access.call;
  builder_.SetInsertPoint(old);
  builder_.SetCurrentDebugLocation(old->getDebugLoc());
  auto* row =
      in.step < 0 ? builder_.CreateSub(builder_.CreateSub(count_, builder_.getInt64(1)), &round) : &round;
  auto* offset = builder_.CreateAdd(builder_.CreateMul(row, builder_.getInt64(in.pitch())),
                                    builder_.getInt64(static_cast<uint64_t>(part.offset)));
  auto* place = builder_.CreateInBoundsGEP(builder_.getInt8Ty(), bases_[number], offset);
  replace_by_memory(builder_, *plain_access_of(*old), *place, align_of(in, part));
}

} // namespace windrow::compiler::comm
