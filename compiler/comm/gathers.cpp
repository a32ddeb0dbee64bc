// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/comm/gathers.hpp"

#include <llvm/Transforms/Utils/Cloning.h>

namespace windrow::compiler::comm {

namespace {

constexpr uint64_t place_bytes = 8, pe_bytes = 4, array_unit = 16;

// As struct windrow_comm_read has them.
enum : unsigned { places_field, pes_field, bytes_field, values_field, fields };
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

Value* gather_code::bytes_for(Value& rounds, uint64_t most) {
  auto* few = builder_.CreateICmpULT(&rounds, builder_.getInt64(most));
  auto* largest = builder_.CreateSelect(few, &rounds, builder_.getInt64(most));
  room_ = builder_.CreateAnd(builder_.CreateAdd(largest, builder_.getInt64(array_unit - 1)),
                             builder_.getInt64(~(array_unit - 1)), "room");
  return builder_.CreateMul(room_, builder_.getInt64(plan_.reads.size() * (place_bytes + pe_bytes)));
}

// Those of all places, then those of all PEs.
Value* gather_code::array_of(size_t number, bool pes) {
  const auto before = pes ? plan_.reads.size() * place_bytes + number * pe_bytes : number * place_bytes;
  return builder_.CreateInBoundsGEP(builder_.getInt8Ty(), memory_,
                                    builder_.CreateMul(room_, builder_.getInt64(before)));
}

void gather_code::make_descriptions(BasicBlock& entry) {
  auto* pointer = builder_.getPtrTy();
  auto* one = StructType::get(pointer, pointer, builder_.getInt64Ty(), pointer);
  const IRBuilder<>::InsertPointGuard back(builder_);
  builder_.SetInsertPoint(&entry, entry.getFirstInsertionPt());
  descriptions_ = builder_.CreateAlloca(ArrayType::get(one, plan_.reads.size()), nullptr, "reads");
  extents_ = builder_.CreateAlloca(ArrayType::get(builder_.getInt64Ty(), extent_words), nullptr, "extents");
}

Value* gather_code::field(size_t number, unsigned which) {
  return builder_.CreateConstInBoundsGEP1_64(builder_.getInt64Ty(), descriptions_, number * fields + which);
}

void gather_code::read(const gather_site& site) {
  auto& context = function_.getContext();
  const auto block = [&](const char* name) {
    return BasicBlock::Create(context, site.header->getName() + name, &function_, site.header);
  };
  auto *loop = block(".places"), *fetch = block(".gather"), *check = block(".gathered"),
       *drop = block(".drop");
  make_descriptions(function_.getEntryBlock());
  compute(site, *loop, *fetch);
  builder_.SetInsertPoint(fetch);
  for (size_t i = 0; i < plan_.reads.size(); ++i) {
    builder_.CreateStore(array_of(i, false), field(i, places_field));
    builder_.CreateStore(array_of(i, true), field(i, pes_field));
    builder_.CreateStore(builder_.getInt64(plan_.reads[i].bytes), field(i, bytes_field));
  }
  auto* wide = builder_.getInt64Ty();
  auto* pointer = builder_.getPtrTy();
  auto* done = builder_.CreateCall(
      runtime("windrow_comm_gather", builder_.getInt32Ty(), {pointer, wide, wide, pointer}),
      {descriptions_, builder_.getInt64(plan_.reads.size()), site.count, extents_});
  builder_.CreateCondBr(builder_.CreateICmpNE(done, builder_.getInt32(0)), check, site.stop);
  builder_.SetInsertPoint(check);
  for (size_t i = 0; i < plan_.reads.size(); ++i)
    values_.push_back(builder_.CreateLoad(pointer, field(i, values_field), "values"));
  builder_.CreateCondBr(any_meets(site), drop, site.header);
  builder_.SetInsertPoint(drop);
  release();
  builder_.CreateBr(site.stop);
  site.strip->getTerminator()->replaceSuccessorWith(site.header, loop);
  site.header->replacePhiUsesWith(site.strip, check);
}

namespace {

Value* copy_of(Value* value, const ValueToValueMapTy& copies) {
  const auto found = copies.find(value);
  return found == copies.end() ? value : static_cast<Value*>(found->second);
}

} // namespace

// Every round computes what it needs.
void gather_code::compute(const gather_site& site, BasicBlock& loop, BasicBlock& behind) {
  builder_.SetInsertPoint(&loop);
  auto* round = builder_.CreatePHI(builder_.getInt64Ty(), 2, "ahead");
  ValueToValueMapTy copies;
  for (auto* phi : plan_.phis) copies[phi] = builder_.CreatePHI(phi->getType(), 2, phi->getName() + ".ahead");
  copy_into(plan_.computed, copies);
  for (size_t i = 0; i < plan_.reads.size(); ++i) store_place(i, copies, *round);
  auto* last = builder_.GetInsertBlock();
  for (auto* phi : plan_.phis) {
    auto* copy = cast<PHINode>(copies[phi]);
    copy->addIncoming(phi->getIncomingValueForBlock(site.strip), site.strip);
    copy->addIncoming(copy_of(phi->getIncomingValueForBlock(site.latch), copies), last);
  }
  auto* next = builder_.CreateAdd(round, builder_.getInt64(1), "", true, true);
  round->addIncoming(builder_.getInt64(0), site.strip);
  round->addIncoming(next, last);
  builder_.CreateCondBr(builder_.CreateICmpEQ(next, site.count), &behind, &loop);
}

void gather_code::copy_into(ArrayRef<Instruction*> instructions, ValueToValueMapTy& copies) {
  for (auto* instruction : instructions) {
    auto* copy = instruction->clone();
    RemapInstruction(copy, copies, RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
    AAMDNodes tags;
    tags.TBAA = instruction->getAAMetadata().TBAA; // what holds in every round
    copy->setAAMetadata(tags);
    builder_.Insert(copy, instruction->getName());
    copies[instruction] = copy;
  }
}

// Where a condition does not hold, the round has no place: the descriptions', as has been agreed.
void gather_code::store_place(size_t number, ValueToValueMapTy& copies, Value& round) {
  const auto& read = plan_.reads[number];
  const auto& guards = plan_.guards[number];
  if (!guards.empty()) store_where(number, *descriptions_, *builder_.getInt32(0), round);
  auto& context = function_.getContext();
  auto* here = builder_.GetInsertBlock();
  auto* next = guards.empty() ? here : BasicBlock::Create(context, "next", &function_, here->getNextNode());
  for (const auto& one : guards) {
    auto* then = BasicBlock::Create(context, "guarded", &function_, next);
    auto* condition = copy_of(one.condition, copies);
    builder_.CreateCondBr(condition, one.when ? then : next, one.when ? next : then);
    builder_.SetInsertPoint(then);
    copy_into(one.computed, copies);
  }
  store_where(number, *copy_of(read.remote, copies), *copy_of(read.pe, copies), round);
  if (guards.empty()) return;
  builder_.CreateBr(next);
  builder_.SetInsertPoint(next);
  for (const auto& one : guards)
    for (auto* instruction : one.computed) copies.erase(instruction);
}

void gather_code::store_where(size_t number, Value& place, Value& pe, Value& round) {
  builder_.CreateStore(&place,
                       builder_.CreateInBoundsGEP(builder_.getPtrTy(), array_of(number, false), &round));
  builder_.CreateStore(&pe,
                       builder_.CreateInBoundsGEP(builder_.getInt32Ty(), array_of(number, true), &round));
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

Value* gather_code::value_of(size_t number, Value& round) {
  return builder_.CreateInBoundsGEP(builder_.getInt8Ty(), values_[number],
                                    builder_.CreateMul(&round, builder_.getInt64(plan_.reads[number].bytes)));
}

void gather_code::release() {
  builder_.CreateCall(runtime("windrow_comm_release", builder_.getVoidTy(), {builder_.getPtrTy()}),
                      {descriptions_});
}

} // namespace windrow::compiler::comm
