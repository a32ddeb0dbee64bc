// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/comm/gathers.hpp"

#include <llvm/IR/Dominators.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

#include "compiler/comm/buffers.hpp"
#include "compiler/comm/options.hpp"

namespace windrow::compiler::comm {

namespace {

constexpr uint64_t place_bytes = 8, pe_bytes = 4, array_unit = 16;

// As struct windrow_comm_read has them.
enum : unsigned { places_field, pes_field, bytes_field, number_field, values_field, index_field, fields };
// As struct windrow_comm_extents has them, in words.
enum : unsigned { near_memory = 0, places = 2, extent_words = 4 };

} // namespace

FunctionCallee gather_code::runtime(StringRef name, Type* result, ArrayRef<Type*> parameters) {
  auto made = function_.getParent()->getOrInsertFunction(name, FunctionType::get(result, parameters, false));
  cast<Function>(made.getCallee())->setDoesNotThrow();
  return made;
}

Value* gather_code::has_far_pes() {
  auto* number = builder_.getInt32Ty();
  auto* said = builder_.CreateLoad(
      number, function_.getParent()->getOrInsertGlobal("windrow_comm_has_far_pes", number));
  return builder_.CreateICmpNE(said, builder_.getInt32(0));
}

// A round of a nest may have any number of reads, one of another loop one of each at most.
Value* gather_code::bytes_for(Value& rounds) {
  room_ = builder_.getInt64(places_ahead_);
  if (!is_nest_) {
    auto* fewer = builder_.CreateSelect(builder_.CreateICmpULT(&rounds, room_), &rounds, room_);
    room_ = builder_.CreateAnd(builder_.CreateAdd(fewer, builder_.getInt64(array_unit - 1)),
                               builder_.getInt64(~(array_unit - 1)), "room");
  }
  return builder_.CreateMul(room_, builder_.getInt64(plan_.reads.size() * (place_bytes + pe_bytes)));
}

// Those of all places, then those of all PEs.
void gather_code::place(Value& memory) {
  const auto reads = plan_.reads.size();
  const auto at = [&](uint64_t before) {
    return builder_.CreateInBoundsGEP(builder_.getInt8Ty(), &memory,
                                      builder_.CreateMul(room_, builder_.getInt64(before)));
  };
  for (size_t i = 0; i < reads; ++i)
    arrays_.push_back({at(i * place_bytes), at(reads * place_bytes + i * pe_bytes)});
}

void gather_code::make_variables(BasicBlock& entry) {
  auto* pointer = builder_.getPtrTy();
  auto* wide = builder_.getInt64Ty();
  auto* one = StructType::get(pointer, pointer, wide, wide, pointer, pointer);
  const IRBuilder<>::InsertPointGuard back(builder_);
  builder_.SetInsertPoint(&entry, entry.getFirstInsertionPt());
  descriptions_ = builder_.CreateAlloca(ArrayType::get(one, plan_.reads.size()), nullptr, "reads");
  extents_ = builder_.CreateAlloca(ArrayType::get(wide, extent_words), nullptr, "extents");
  rounds_ = builder_.CreateAlloca(wide, nullptr, "ahead");
  for (const auto& read : plan_.reads)
    if (auto& counter = counters_[read.call->getParent()]; !counter.next)
      counter = {builder_.CreateAlloca(wide, nullptr, "next"), builder_.CreateAlloca(wide, nullptr, "whole")};
}

void gather_code::reset_counters() {
  for (const auto& [block, counter] : counters_) builder_.CreateStore(builder_.getInt64(0), counter.next);
}

Value* gather_code::field(size_t number, unsigned which) {
  return builder_.CreateConstInBoundsGEP1_64(builder_.getInt64Ty(), descriptions_, number * fields + which);
}

BasicBlock* gather_code::block(const char* name) {
  auto* header = loop_.getHeader();
  return BasicBlock::Create(function_.getContext(), header->getName() + name, &function_, header);
}

std::pair<Value*, Instruction*> gather_code::read(const gather_site& site) {
  auto *fetch = block(".gather"), *asks = block(".ask"), *check = block(".gathered"), *drop = block(".drop"),
       *go = block(".go");
  auto* header = loop_.getHeader();
  make_variables(function_.getEntryBlock());
  inspect(site, *fetch);
  builder_.SetInsertPoint(fetch);
  // The first round alone may be too much: it is left to the loop as written.
  auto* rounds = is_nest_ ? builder_.CreateLoad(builder_.getInt64Ty(), rounds_, "count") : site.most;
  auto* none = is_nest_ ? builder_.CreateICmpEQ(rounds, builder_.getInt64(0)) : builder_.getFalse();
  builder_.CreateCondBr(none, site.stop, asks);
  builder_.SetInsertPoint(asks);
  builder_.CreateCondBr(builder_.CreateICmpNE(ask(), builder_.getInt32(0)), check, site.stop);
  builder_.SetInsertPoint(check);
  for (size_t i = 0; i < plan_.reads.size(); ++i)
    values_.push_back(builder_.CreateLoad(builder_.getPtrTy(), field(i, values_field), "values"));
  builder_.CreateCondBr(any_meets(site), drop, go);
  builder_.SetInsertPoint(drop);
  release();
  builder_.CreateBr(site.stop);
  builder_.SetInsertPoint(go);
  reset_counters();
  auto* enter = builder_.CreateBr(header);
  header->replacePhiUsesWith(site.strip, go);
  return {rounds, enter};
}

Value* gather_code::ask() {
  auto* wide = builder_.getInt64Ty();
  auto* pointer = builder_.getPtrTy();
  for (size_t i = 0; i < plan_.reads.size(); ++i) {
    const auto& read = plan_.reads[i];
    builder_.CreateStore(arrays_[i].places, field(i, places_field));
    builder_.CreateStore(arrays_[i].pes, field(i, pes_field));
    builder_.CreateStore(builder_.getInt64(read.bytes), field(i, bytes_field));
    builder_.CreateStore(builder_.CreateLoad(wide, counters_[read.call->getParent()].whole),
                         field(i, number_field));
  }
  return builder_.CreateCall(runtime("windrow_comm_gather", builder_.getInt32Ty(), {pointer, wide, pointer}),
                             {descriptions_, builder_.getInt64(plan_.reads.size()), extents_});
}

// Rounds that are gone through to their end count, up to where there is no room for a place.
void gather_code::inspect(const gather_site& site, BasicBlock& behind) {
  auto* wide = builder_.getInt64Ty();
  auto* zero = builder_.getInt64(0);
  inspector rounds(loop_, plan_, function_, builder_);
  auto& begin = rounds.copy();
  builder_.SetInsertPoint(site.strip->getTerminator());
  builder_.CreateStore(zero, rounds_);
  reset_counters();
  for (const auto& [block, counter] : counters_) builder_.CreateStore(zero, counter.whole);
  site.strip->getTerminator()->replaceSuccessorWith(loop_.getHeader(), &begin);
  numbers_.clear();
  for (size_t i = 0; i < plan_.reads.size(); ++i) store_place(i, rounds.copy_of(i), behind);
  numbers_.clear();
  auto& latch = rounds.open_latch();
  builder_.SetInsertPoint(&latch);
  for (const auto& [block, counter] : counters_)
    builder_.CreateStore(builder_.CreateLoad(wide, counter.next), counter.whole);
  auto* next = builder_.CreateAdd(builder_.CreateLoad(wide, rounds_), builder_.getInt64(1), "", true, true);
  builder_.CreateStore(next, rounds_);
  builder_.CreateCondBr(builder_.CreateICmpEQ(next, site.most), &behind, &begin);
}

// The number that the reads of the block have, whose first one the builder is at. In the inspector,
// and in the rounds that have the values.
Value* gather_code::next_of(BasicBlock* block) {
  auto*& number = numbers_[block];
  if (number) return number;
  auto* next = counters_[block].next;
  number = builder_.CreateLoad(builder_.getInt64Ty(), next, "number");
  return number;
}

void gather_code::store_place(size_t number, CallInst& read, BasicBlock& full) {
  auto* block = plan_.reads[number].call->getParent();
  const auto access = *plain_access_of(read);
  builder_.SetInsertPoint(&read);
  builder_.SetCurrentDebugLocation(read.getDebugLoc());
  const bool first = numbers_.count(block) == 0;
  auto* at = next_of(block);
  if (first) {
    if (is_nest_ && active_options().hold("room")) leave_where_full(*at, full);
    builder_.CreateStore(builder_.CreateAdd(at, builder_.getInt64(1), "", true, true), counters_[block].next);
  }
  builder_.CreateStore(access.remote,
                       builder_.CreateInBoundsGEP(builder_.getPtrTy(), arrays_[number].places, at));
  builder_.CreateStore(access.pe, builder_.CreateInBoundsGEP(builder_.getInt32Ty(), arrays_[number].pes, at));
  if (!read.use_empty()) read.replaceAllUsesWith(PoisonValue::get(read.getType()));
  read.eraseFromParent();
}

void gather_code::leave_where_full(Value& next, BasicBlock& full) {
  auto* here = builder_.GetInsertBlock();
  auto* rest = here->splitBasicBlock(builder_.GetInsertPoint(), here->getName() + ".room");
  here->getTerminator()->eraseFromParent();
  builder_.SetInsertPoint(here);
  builder_.CreateCondBr(builder_.CreateICmpEQ(&next, room_), &full, rest);
  builder_.SetInsertPoint(rest, rest->begin());
}

Value* gather_code::any_meets(const gather_site& site) {
  return builder_.CreateOr(meets(site.stores, near_memory), meets(site.writes, places));
}

Value* gather_code::meets(ArrayRef<std::pair<Value*, Value*>> ranges, unsigned extent) {
  Value* any = builder_.getFalse();
  if (ranges.empty()) return any;
  const auto word = [&](unsigned which) {
    auto* wide = builder_.getInt64Ty();
    return builder_.CreateLoad(wide, builder_.CreateConstInBoundsGEP1_64(wide, extents_, which));
  };
  auto *low = word(extent), *end = word(extent + 1);
  for (const auto& [first, last] : ranges)
    any = builder_.CreateOr(
        any, builder_.CreateAnd(builder_.CreateICmpULT(first, end), builder_.CreateICmpULT(low, last)));
  return any;
}

void gather_code::use_value(size_t number) {
  const auto& read = plan_.reads[number];
  auto* old = read.call;
  auto* block = old->getParent();
  builder_.SetInsertPoint(old);
  builder_.SetCurrentDebugLocation(old->getDebugLoc());
  const bool first = numbers_.count(block) == 0;
  auto* at = next_of(block);
  if (first)
    builder_.CreateStore(builder_.CreateAdd(at, builder_.getInt64(1), "", true, true), counters_[block].next);
  auto* offset = builder_.CreateMul(at, builder_.getInt64(read.bytes));
  auto* place = builder_.CreateInBoundsGEP(builder_.getInt8Ty(), values_[number], offset);
  replace_by_memory(builder_, *plain_access_of(*old), *place,
                    commonAlignment(Align(buffer_align), read.bytes));
}

void gather_code::tell_of_put(CallInst& put) {
  if (!active_options().hold("puts-told")) return;
  const auto write = *plain_access_of(put);
  auto* pointer = builder_.getPtrTy();
  auto *wide = builder_.getInt64Ty(), *number = builder_.getInt32Ty();
  builder_.SetInsertPoint(put.getNextNode());
  builder_.SetCurrentDebugLocation(put.getDebugLoc());
  builder_.CreateCall(runtime("windrow_comm_change_gathered", builder_.getVoidTy(),
                              {pointer, wide, pointer, pointer, wide, number}),
                      {descriptions_, builder_.getInt64(plan_.reads.size()), write.remote, write.local,
                       builder_.getInt64(write.bytes), write.pe});
}

void gather_code::release() {
  builder_.CreateCall(runtime("windrow_comm_release", builder_.getVoidTy(), {builder_.getPtrTy()}),
                      {descriptions_});
}

void gather_code::promote_counters() {
  DominatorTree dominators(function_);
  SmallVector<AllocaInst*, 8> variables{rounds_};
  for (const auto& [block, counter] : counters_) variables.append({counter.next, counter.whole});
  PromoteMemToReg(variables, dominators);
}

} // namespace windrow::compiler::comm
