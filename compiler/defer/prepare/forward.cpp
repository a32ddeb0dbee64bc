// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/defer/prepare/forward.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>

#include <optional>
#include <vector>

#include "compiler/common/api/calls.hpp"

namespace windrow::compiler::defer {

namespace {

constexpr unsigned deepest_copy = 16;

struct part_of_local {
  int64_t offset;
  uint64_t bytes;
};

bool overlap(const part_of_local& one, const part_of_local& other) {
  return one.offset < other.offset + static_cast<int64_t>(other.bytes) &&
         other.offset < one.offset + static_cast<int64_t>(one.bytes);
}

/// All that is done with a variable, if that is only to read and write parts of it that are known.
class uses_of_local {
 public:
  struct use {
    Instruction* at;
    part_of_local part;
  };

  explicit uses_of_local(AllocaInst& local) : layout_(local.getModule()->getDataLayout()) {
    known_ = collect(local, 0);
  }

  bool known() const { return known_; }
  ArrayRef<use> reads() const { return reads_; }
  ArrayRef<use> writes() const { return writes_; }
  ArrayRef<Instruction*> commentary() const { return commentary_; }
  ArrayRef<Instruction*> addresses() const { return addresses_; }

  /// The only write that concerns the part; null if there are several, or none.
  Instruction* only_write(const part_of_local& part) const {
    Instruction* only = nullptr;
    for (const auto& write : writes_)
      if (overlap(write.part, part)) {
        if (only) return nullptr;
        only = write.at;
      }
    return only;
  }
  const part_of_local& part_of(const Instruction& write) const {
    return find_if(writes_, [&](const use& one) { return one.at == &write; })->part;
  }

 private:
  bool collect(Value& address, int64_t offset) {
    return all_of(address.uses(), [&](Use& one) { return collect_use(one, offset); });
  }

  bool collect_use(Use& one, int64_t offset) {
    auto* user = dyn_cast<Instruction>(one.getUser());
    if (!user) return false;
    if (is_commentary(*user)) {
      commentary_.push_back(user);
      return true;
    }
    if (isa<GetElementPtrInst, BitCastInst>(user)) {
      APInt moved(64, static_cast<uint64_t>(offset), true);
      auto* element = dyn_cast<GEPOperator>(user);
      if (element && !element->accumulateConstantOffset(layout_, moved)) return false;
      addresses_.push_back(user);
      return collect(*user, moved.getSExtValue());
    }
    if (auto* load = dyn_cast<LoadInst>(user))
      return add(reads_, *load, offset, *load->getType(), load->isSimple());
    if (auto* store = dyn_cast<StoreInst>(user))
      return one.getOperandNo() == 1 &&
             add(writes_, *store, offset, *store->getValueOperand()->getType(), store->isSimple());
    if (auto* copy = dyn_cast<MemCpyInst>(user)) return add_copy(*copy, one, offset);
    return false;
  }

  bool add_copy(MemCpyInst& copy, const Use& one, int64_t offset) {
    const auto* length = dyn_cast<ConstantInt>(copy.getLength());
    if (!length || copy.isVolatile() || one.getOperandNo() > 1) return false;
    (one.getOperandNo() == 0 ? writes_ : reads_).push_back({&copy, {offset, length->getZExtValue()}});
    return true;
  }

  bool add(SmallVectorImpl<use>& to, Instruction& at, int64_t offset, Type& type, bool simple) {
    const auto bytes = layout_.getTypeStoreSize(&type);
    if (!simple || bytes.isScalable()) return false;
    to.push_back({&at, {offset, bytes.getFixedValue()}});
    return true;
  }

  const DataLayout& layout_;
  bool known_ = false;
  SmallVector<use, 4> reads_, writes_;
  SmallVector<Instruction*, 2> commentary_;
  SmallVector<Instruction*, 4> addresses_;
};

// The variable that the address lies in, and where.
std::optional<std::pair<AllocaInst*, int64_t>> local_at(Value& address, const DataLayout& layout) {
  APInt offset(64, 0);
  auto* base = address.stripAndAccumulateConstantOffsets(layout, offset, true);
  auto* local = dyn_cast<AllocaInst>(base);
  if (!local || !local->isStaticAlloca()) return std::nullopt;
  return std::pair(local, offset.getSExtValue());
}

bool is_address_of_local(const Value& value) {
  const auto* local =
      value.getType()->isPointerTy() ? dyn_cast<AllocaInst>(getUnderlyingObject(&value)) : nullptr;
  return local && local->isStaticAlloca();
}

class copy_forwarder {
 public:
  explicit copy_forwarder(Function& function)
      : layout_(function.getParent()->getDataLayout()), dominators_(function) {
    for (auto& instruction : function.getEntryBlock())
      if (auto* local = dyn_cast<AllocaInst>(&instruction); local && local->isStaticAlloca())
        locals_.push_back(local);
  }

  void run() {
    for (bool changed = true; changed;) {
      changed = false;
      known_.clear();
      for (auto& local : locals_)
        if (local) changed |= forward(*local) || read_in_arms(*local);
      for (auto& local : locals_)
        if (local && drop(*local)) {
          local = nullptr;
          changed = true;
        }
    }
  }

 private:
  const uses_of_local& uses_of(AllocaInst& local) {
    auto& uses = known_[&local];
    if (!uses) uses = std::make_unique<uses_of_local>(local);
    return *uses;
  }

  // What the local's uses are is looked at anew after each change.
  bool forward(AllocaInst& local) {
    if (!uses_of(local).known()) return false;
    const SmallVector<uses_of_local::use, 4> reads(uses_of(local).reads());
    bool changed = false;
    for (const auto& read : reads) {
      auto* load = dyn_cast<LoadInst>(read.at);
      if (!load) continue;
      if (auto* type = dyn_cast<StructType>(load->getType()))
        changed |= forward_members(local, read.part.offset, *type, *load);
      else
        changed |= forward_into(*load, local, read.part, *load);
    }
    return changed;
  }

  // A structure that a function returns in registers: what is taken out of it.
  bool forward_members(AllocaInst& local, int64_t offset, StructType& type, LoadInst& load) {
    const auto& places = *layout_.getStructLayout(&type);
    bool changed = false;
    for (auto* user : make_early_inc_range(load.users())) {
      auto* member = dyn_cast<ExtractValueInst>(user);
      if (!member || member->getNumIndices() != 1) continue;
      const uint64_t at = places.getElementOffset(member->getIndices().front());
      const auto bytes = layout_.getTypeStoreSize(member->getType()).getFixedValue();
      changed |= forward_into(*member, local, {offset + static_cast<int64_t>(at), bytes}, load);
    }
    if (!load.use_empty()) return changed;
    load.eraseFromParent();
    known_.erase(&local);
    return true;
  }

  bool forward_into(Instruction& read, AllocaInst& local, const part_of_local& part, LoadInst& load) {
    auto* value = value_at(local, part, *read.getType(), load, 0);
    if (!value || !(local.hasMetadata(of_callee) || is_address_of_local(*value))) return false;
    read.replaceAllUsesWith(value);
    read.eraseFromParent();
    known_.erase(&local);
    if (auto* other = dyn_cast<AllocaInst>(getUnderlyingObject(value))) known_.erase(other);
    return true;
  }

  // What was stored there, if it was stored once: the store dominates the read, so that it is the latest
  // execution of both that count.
  Value* value_at(AllocaInst& local, const part_of_local& part, const Type& type, Instruction& at,
                  unsigned depth) {
    const auto& uses = uses_of(local);
    auto* write = uses.known() && depth < deepest_copy ? uses.only_write(part) : nullptr;
    if (!write || !dominators_.dominates(write, &at)) return nullptr;
    const auto& written = uses.part_of(*write);
    if (auto* store = dyn_cast<StoreInst>(write)) {
      auto* value = store->getValueOperand();
      return written.offset == part.offset && value->getType() == &type ? value : nullptr;
    }
    auto* copy = cast<MemCpyInst>(write);
    if (part.offset < written.offset ||
        part.offset + static_cast<int64_t>(part.bytes) > written.offset + static_cast<int64_t>(written.bytes))
      return nullptr;
    const auto source = local_at(*copy->getRawSource(), layout_);
    if (!source) return nullptr;
    return value_at(*source->first, {source->second + part.offset - written.offset, part.bytes}, type, *copy,
                    depth + 1);
  }

  // A reference to one of several variables, as std::max returns it: what is read by it is read in the arms
  // of the condition that makes it.
  bool read_in_arms(AllocaInst& local) {
    const auto& uses = uses_of(local);
    if (!uses.known() || uses.reads().size() != 1 || uses.writes().size() < 2) return false;
    auto* reference = dyn_cast<LoadInst>(uses.reads().front().at);
    if (!reference || !reference->getType()->isPointerTy()) return false;
    SmallVector<StoreInst*, 2> arms;
    for (const auto& write : uses.writes()) {
      auto* store = dyn_cast<StoreInst>(write.at);
      if (!store || store->getValueOperand()->getType() != reference->getType() ||
          store->getParent()->getSingleSuccessor() != reference->getParent() ||
          !is_address_of_local(*store->getValueOperand()) ||
          any_of(arms, [&](const StoreInst* other) { return other->getParent() == store->getParent(); }))
        return false;
      arms.push_back(store);
    }
    if (pred_size(reference->getParent()) != arms.size()) return false;
    for (auto* user : make_early_inc_range(reference->users()))
      if (auto* load = dyn_cast<LoadInst>(user);
          load && load->isSimple() && is_read_at_once(*load, *reference))
        read_in(arms, *load, *reference->getParent());
    if (!reference->use_empty()) return false;
    reference->eraseFromParent();
    known_.clear();
    return true;
  }

  // Nothing is written between the join and the load.
  static bool is_read_at_once(const LoadInst& load, const LoadInst& reference) {
    const auto* block = reference.getParent();
    for (auto at = block->begin(); &*at != &load;) {
      if (at->mayWriteToMemory() && !is_commentary(*at)) return false;
      if (!at->isTerminator()) {
        ++at;
        continue;
      }
      const auto* next = block->getSingleSuccessor();
      if (!next || next->getSinglePredecessor() != block || next == reference.getParent()) return false;
      block = next;
      at = block->begin();
    }
    return true;
  }

  static void read_in(ArrayRef<StoreInst*> arms, LoadInst& load, BasicBlock& join) {
    IRBuilder<> builder(&join, join.begin());
    builder.SetCurrentDebugLocation(load.getDebugLoc());
    auto* one = builder.CreatePHI(load.getType(), static_cast<unsigned>(arms.size()));
    for (auto* arm : arms) {
      builder.SetInsertPoint(arm->getParent()->getTerminator());
      builder.SetCurrentDebugLocation(load.getDebugLoc());
      one->addIncoming(builder.CreateAlignedLoad(load.getType(), arm->getValueOperand(), load.getAlign()),
                       arm->getParent());
    }
    load.replaceAllUsesWith(one);
    load.eraseFromParent();
  }

  // A variable that is only written, with addresses of others, or with copies of such.
  bool drop(AllocaInst& local) {
    const auto& uses = uses_of(local);
    if (!uses.known() || !uses.reads().empty()) return false;
    const auto holds_address = [](const uses_of_local::use& write) {
      const auto* store = dyn_cast<StoreInst>(write.at);
      return !store || is_address_of_local(*store->getValueOperand());
    };
    if (!local.hasMetadata(of_callee) && none_of(uses.writes(), holds_address)) return false;
    const uses_of_local gone = uses;
    known_.clear(); // of what it held the addresses
    for (const auto& write : gone.writes()) write.at->eraseFromParent();
    for (auto* at : gone.commentary()) at->eraseFromParent();
    for (auto* address : reverse(gone.addresses())) address->eraseFromParent();
    local.eraseFromParent();
    return true;
  }

  const DataLayout& layout_;
  DominatorTree dominators_;
  SmallVector<AllocaInst*, 32> locals_;
  DenseMap<AllocaInst*, std::unique_ptr<uses_of_local>> known_;
};

} // namespace

void forward_copies(Function& function) {
  copy_forwarder(function).run();
}

} // namespace windrow::compiler::defer
