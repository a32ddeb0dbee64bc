// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/overlap/accesses.hpp"

#include <llvm/IR/DataLayout.h>

#include <optional>

namespace windrow::compiler::overlap {

namespace {

// The runtime marks the page before too where memory begins so near to the start of one.
constexpr uint64_t longest_checked = 64;
// Vectors whose length is that of the processor have at most so many times their least length.
constexpr uint64_t most_lengths = 16;

uint64_t most_bytes_of(Type* type, const DataLayout& layout) {
  const auto bytes = layout.getTypeStoreSize(type);
  return bytes.isScalable() ? bytes.getKnownMinValue() * most_lengths : bytes.getFixedValue();
}

struct memory_access {
  Instruction* where;
  Value* address;
  uint64_t bytes;
  bool store;
  bool shared; ///< volatile or atomic: perhaps others write what it reads, or wait for what it writes
  bool loads_too = false; ///< a store that changes what it has read, as one step
};

std::optional<memory_access> access_of_instruction(Instruction& one, const DataLayout& layout) {
  const auto made = [&](Value* address, Type* type, bool store, bool shared) {
    return memory_access{&one, address, most_bytes_of(type, layout), store, shared};
  };
  if (auto* load = dyn_cast<LoadInst>(&one))
    return made(load->getPointerOperand(), load->getType(), false, load->isVolatile() || load->isAtomic());
  if (auto* store = dyn_cast<StoreInst>(&one))
    return made(store->getPointerOperand(), store->getValueOperand()->getType(), true,
                store->isVolatile() || store->isAtomic());
  const auto changed = [&](Value* address, Type* type) {
    auto access = made(address, type, true, true);
    access.loads_too = true;
    return access;
  };
  if (auto* change = dyn_cast<AtomicRMWInst>(&one))
    return changed(change->getPointerOperand(), change->getType());
  if (auto* change = dyn_cast<AtomicCmpXchgInst>(&one))
    return changed(change->getPointerOperand(), change->getNewValOperand()->getType());
  return std::nullopt;
}

class block_worker {
 public:
  explicit block_worker(const DataLayout& layout) : layout_(layout) {}

  // What is to be checked; the block changes later.
  void look_at(BasicBlock& block) {
    for (auto& one : block) {
      if (isa<CallBase>(one) && !isa<IntrinsicInst>(one)) seen_.clear(); // a transfer may begin in it
      const auto access = access_of_instruction(one, layout_);
      if (access && !is_known(*access) && !is_private(access->address)) found.push_back(*access);
    }
  }

  std::vector<memory_access> found;

 private:
  // A store is in conflict with all that a load is.
  struct checked {
    uint64_t touched = 0, stored = 0; ///< bytes from the address on
  };

  bool is_known(const memory_access& one) {
    if (one.shared) return false;
    auto& known = seen_[one.address];
    if ((one.store ? known.stored : known.touched) >= one.bytes) return true;
    known.touched = std::max(known.touched, one.bytes);
    if (one.store) known.stored = one.bytes;
    return false;
  }

  const DataLayout& layout_;
  SmallDenseMap<Value*, checked, 16> seen_;
};

// Where others may wait, what comes is of use even if nothing is tracked on the page.
Instruction* place_of_check(const memory_access& one, instruments& with) {
  if (one.shared && !one.store) return one.where;
  if (one.loads_too) return with.if_calls_are_followed(one.where);
  if (one.shared) return with.if_anything_has_begun(one.where);
  if (one.bytes > longest_checked) return with.if_anything_is_tracked(one.where);
  return with.if_page_is_tracked(one.where, one.address);
}

StringRef check_of(const memory_access& one) {
  if (one.loads_too) return "exchange";
  return one.store ? "publish" : "poll";
}

void check(const memory_access& one, instruments& with) {
  auto* site = with.site_of(*one.where);
  IRBuilder<> builder(place_of_check(one, with));
  auto* bytes = builder.getInt64(one.bytes);
  if (one.shared)
    with.call(builder, check_of(one), {one.address, bytes, site});
  else if (one.bytes > longest_checked)
    with.call(builder, "range", {one.address, bytes, site, builder.getInt32(one.store)});
  else
    with.call(builder, one.store ? "store" : "load", {one.address, bytes, site});
  if (!one.shared || (one.store && !one.loads_too)) return;
  auto* behind = one.where->getNextNode();
  builder.SetInsertPoint(one.store ? with.if_calls_are_followed(behind) : behind);
  with.call(builder, "polled", {});
}

void check_range(Instruction& before, Value* address, Value* bytes, bool store, instruments& with) {
  if (is_private(address)) return;
  auto* site = with.site_of(before);
  IRBuilder<> builder(with.if_anything_is_tracked(&before));
  auto* count = builder.CreateZExtOrTrunc(bytes, builder.getInt64Ty());
  with.call(builder, "range", {address, count, site, builder.getInt32(store)});
}

// Lanes that are masked may be anywhere; nothing is read there.
void check_lanes(IntrinsicInst& one, Value* addresses, Type* values, bool store, instruments& with) {
  auto* type = cast<FixedVectorType>(addresses->getType());
  const auto bytes = with.module().getDataLayout().getTypeStoreSize(values->getScalarType());
  auto* site = with.site_of(one);
  IRBuilder<> builder(with.if_anything_is_tracked(&one));
  for (unsigned i = 0; i < type->getNumElements(); ++i)
    with.call(
        builder, "range",
        {builder.CreateExtractElement(addresses, i), builder.getInt64(bytes), site, builder.getInt32(store)});
}

// What marks, prepares or counts; ends of life have checks of their own.
bool is_harmless(const IntrinsicInst& one) {
  switch (one.getIntrinsicID()) {
    case Intrinsic::lifetime_start:
    case Intrinsic::lifetime_end:
    case Intrinsic::invariant_start:
    case Intrinsic::invariant_end:
    case Intrinsic::stacksave:
    case Intrinsic::stackrestore:
    case Intrinsic::stackprotector:
    case Intrinsic::localescape:
    case Intrinsic::prefetch:
    case Intrinsic::clear_cache:
    case Intrinsic::var_annotation:
    case Intrinsic::ptr_annotation:
    case Intrinsic::vastart:
    case Intrinsic::vacopy:
    case Intrinsic::vaend:
      return true;
    default:
      return !one.mayReadOrWriteMemory() || one.onlyAccessesInaccessibleMemory() ||
             one.getCalledFunction()->getName().starts_with("llvm.eh.") ||
             one.getCalledFunction()->getName().starts_with("llvm.instrprof.");
  }
}

// Lanes that have addresses of their own, or steps that may go downwards.
bool may_be_anywhere(const IntrinsicInst& one) {
  const auto name = one.getCalledFunction()->getName();
  const auto is_vector = [](const Value* argument) { return argument->getType()->isVectorTy(); };
  const auto is_pointer = [](const Value* argument) { return argument->getType()->isPointerTy(); };
  return name.contains("gather") || name.contains("scatter") || name.contains("strided") ||
         (any_of(one.args(), is_vector) && none_of(one.args(), is_pointer));
}

// Vector instructions of a processor, say: from each pointer on, as far as memory goes. Without one, an
// intrinsic reads a clock or the state of the processor.
void check_unknown(IntrinsicInst& one, instruments& with) {
  if (is_harmless(one)) return;
  if (may_be_anywhere(one)) return with.conflict_with_all(one);
  auto* all = ConstantInt::get(Type::getInt64Ty(one.getContext()), UINT64_MAX);
  for (unsigned i = 0; i < one.arg_size(); ++i)
    if (one.getArgOperand(i)->getType()->isPointerTy())
      check_range(one, one.getArgOperand(i), all, !one.onlyReadsMemory() && !one.onlyReadsMemory(i), with);
}

void instrument_intrinsic(IntrinsicInst& one, instruments& with) {
  const auto& layout = with.module().getDataLayout();
  auto* const word = Type::getInt64Ty(one.getContext());
  const auto width = [&](Type* type) { return ConstantInt::get(word, most_bytes_of(type, layout)); };
  if (auto* memory = dyn_cast<MemTransferInst>(&one)) {
    check_range(one, memory->getRawSource(), memory->getLength(), false, with);
    return check_range(one, memory->getRawDest(), memory->getLength(), true, with);
  }
  if (auto* memory = dyn_cast<MemSetInst>(&one))
    return check_range(one, memory->getRawDest(), memory->getLength(), true, with);
  switch (one.getIntrinsicID()) {
    case Intrinsic::masked_load:
      return check_range(one, one.getArgOperand(0), width(one.getType()), false, with);
    case Intrinsic::masked_store:
      return check_range(one, one.getArgOperand(1), width(one.getArgOperand(0)->getType()), true, with);
    case Intrinsic::masked_gather:
      if (isa<ScalableVectorType>(one.getType())) break;
      return check_lanes(one, one.getArgOperand(0), one.getType(), false, with);
    case Intrinsic::masked_scatter:
      if (isa<ScalableVectorType>(one.getArgOperand(0)->getType())) break;
      return check_lanes(one, one.getArgOperand(1), one.getArgOperand(0)->getType(), true, with);
    default:
      break;
  }
  check_unknown(one, with);
}

void end_life(Instruction& before, Value& memory, uint64_t bytes, instruments& with) {
  auto* site = with.site_of(before);
  IRBuilder<> builder(with.if_anything_is_tracked(&before));
  with.call(builder, "dies", {&memory, builder.getInt64(bytes), site});
}

void end_life(Instruction& before, AllocaInst& variable, instruments& with) {
  const auto size = variable.getAllocationSize(with.module().getDataLayout());
  if (size && !size->isScalable()) end_life(before, variable, size->getFixedValue(), with);
}

// All of the stack below: arrays of variable length that end there.
void end_stack(Instruction& before, Value* until, instruments& with) {
  auto* site = with.site_of(before);
  IRBuilder<> builder(with.if_anything_is_tracked(&before));
  auto* address = PointerType::get(before.getContext(), 0);
  auto* word = builder.getInt64Ty();
#if LLVM_VERSION_MAJOR >= 18
  auto* from = builder.CreateIntrinsic(Intrinsic::stacksave, {address}, {});
#else
  auto* from = builder.CreateIntrinsic(Intrinsic::stacksave, {}, {});
#endif
  if (!until) until = builder.CreateIntrinsic(Intrinsic::frameaddress, {address}, {builder.getInt32(0)});
  auto* bytes = builder.CreateSub(builder.CreatePtrToInt(until, word), builder.CreatePtrToInt(from, word));
  with.call(builder, "dies", {from, bytes, site});
}

// A call that must be the last thing of its function takes the place of it: the variables end before.
Instruction* last_of_function(Instruction& end) {
  auto* call = dyn_cast_or_null<CallInst>(end.getPrevNode());
  return call && call->isMustTailCall() ? call : &end;
}

// An exception may end functions further out without coming to any code of theirs.
bool leaves_by_exception(const Instruction& end) {
  const auto* cleanup = dyn_cast<CleanupReturnInst>(&end);
  return isa<ResumeInst>(end) || (cleanup && cleanup->unwindsToCaller());
}

/// What ends with a function, and has a size that nobody knows before.
struct stack_of {
  bool has_arrays = false;
  SmallVector<IntrinsicInst*, 4> restores;

  explicit stack_of(Function& function) {
    for (auto& one : instructions(function)) {
      const auto* variable = dyn_cast<AllocaInst>(&one);
      if (variable && !variable->isStaticAlloca()) has_arrays = true;
      auto* call = dyn_cast<IntrinsicInst>(&one);
      if (call && call->getIntrinsicID() == Intrinsic::stackrestore) restores.push_back(call);
    }
  }
};

} // namespace

void instrument_accesses(Function& function, const SmallPtrSet<const BasicBlock*, 32>& unchecked,
                         instruments& with) {
  std::vector<memory_access> found;
  SmallVector<IntrinsicInst*, 8> intrinsics;
  for (auto& block : function) {
    if (unchecked.contains(&block)) continue;
    block_worker own(function.getParent()->getDataLayout());
    own.look_at(block);
    found.insert(found.end(), own.found.begin(), own.found.end());
    for (auto& one : block)
      if (auto* intrinsic = dyn_cast<IntrinsicInst>(&one)) intrinsics.push_back(intrinsic);
  }
  for (const auto& one : reverse(found)) check(one, with);
  for (auto* one : reverse(intrinsics)) instrument_intrinsic(*one, with);
}

void instrument_ends_of_life(Function& function, instruments& with) {
  SmallVector<AllocaInst*, 8> known;
  SmallVector<Instruction*, 8> returns, unwinding;
  SmallVector<std::pair<Instruction*, AllocaInst*>, 8> ends;
  for (auto& one : instructions(function)) {
    auto* variable = dyn_cast<AllocaInst>(&one);
    if (variable && variable->isStaticAlloca() && !is_private(variable)) known.push_back(variable);
    if (isa<ReturnInst>(one)) returns.push_back(last_of_function(one));
    if (leaves_by_exception(one)) unwinding.push_back(&one);
    const auto* call = dyn_cast<IntrinsicInst>(&one);
    if (!call || call->getIntrinsicID() != Intrinsic::lifetime_end) continue;
    auto* ended = dyn_cast<AllocaInst>(call->getArgOperand(1)->stripPointerCasts());
    if (ended && !is_private(ended)) ends.emplace_back(&one, ended);
  }
  const stack_of stack(function);
  for (auto* end : returns)
    for (auto* variable : known) ends.emplace_back(end, variable);
  for (auto [where, variable] : ends) end_life(*where, *variable, with);
  for (auto* end : returns) {
    for (auto& argument : function.args())
      if (auto* type = argument.getParamByValType())
        end_life(*end, argument, function.getParent()->getDataLayout().getTypeAllocSize(type), with);
    if (!stack.has_arrays) continue;
    if (isa<CallInst>(end))
      with.conflict_with_all(*end); // a function that asks for its frame cannot give it up
    else
      end_stack(*end, nullptr, with);
  }
  for (auto* end : stack.restores) end_stack(*end, end->getArgOperand(0), with);
  for (auto* end : unwinding) with.conflict_with_all(*end);
}

} // namespace windrow::compiler::overlap
