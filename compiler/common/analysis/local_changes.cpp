// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/common/analysis/local_changes.hpp"

#include <llvm/Analysis/ValueTracking.h>

#include "compiler/common/api/calls.hpp"

namespace windrow::compiler {

namespace {

class change_search {
 public:
  change_search(const AllocaInst& local, captures& addresses)
      : layout_(local.getModule()->getDataLayout()), addresses_(addresses) {
    look_at(local, 0);
  }
  local_changes found;

 private:
  void look_at(const Value& address, const place& offset) {
    if (!seen_.insert(&address).second) return;
    for (const auto& use : address.uses()) look_at_use(use, address, offset);
  }

  void look_at_use(const Use& use, const Value& address, const place& offset) {
    const auto* user = use.getUser();
    const auto* instruction = dyn_cast<Instruction>(user);
    if (const auto write = written_by(*user, layout_)) {
      if (write->value == &address && isa<StoreInst>(user))
        look_at_copies(*write->address);
      else
        found.others |= write->value == &address;
      if (write->address != &address) return;
      found.changes.push_back({write->value, write->narrow ? offset : std::nullopt});
    } else if (const auto* element = dyn_cast<GEPOperator>(user))
      look_at(*element, moved_by(offset, *element, layout_));
    else if (isa<BitCastOperator>(user))
      look_at(*user, offset);
    else if (isa<PHINode, SelectInst>(user))
      look_at(*user, std::nullopt);
    else if (!instruction || !(isa<LoadInst, ICmpInst>(user) || is_commentary(*instruction)))
      look_at_call(dyn_cast<CallBase>(user), use, offset);
  }

  // A reference, a member of a local structure: what is read from there may be the address.
  void look_at_copies(const Value& kept_at) {
    const auto* variable = dyn_cast<AllocaInst>(getUnderlyingObject(&kept_at));
    if (!variable) found.others = true;
    if (!variable || !holders_.insert(variable).second) return;
    SmallVector<const Value*, 4> parts{variable};
    while (!parts.empty())
      for (const auto& use : parts.pop_back_val()->uses()) {
        const auto* user = use.getUser();
        const auto* instruction = dyn_cast<Instruction>(user);
        if (isa<LoadInst>(user))
          look_at(*user, std::nullopt);
        else if (isa<GEPOperator, BitCastOperator>(user))
          parts.push_back(user);
        else if (!instruction ||
                 !(isa<ICmpInst>(user) || is_commentary(*instruction) || isa<MemSetInst>(user) ||
                   (isa<StoreInst>(user) && use.getOperandNo() == 1)))
          found.others = true;
      }
  }

  void look_at_call(const CallBase* call, const Use& use, const place& offset) {
    if (!call || !call->isArgOperand(&use))
      found.others = true;
    else if (!isa<MemTransferInst>(call) || call->getArgOperandNo(&use) == 0) { // else it is only read
      found.calls.push_back({call, call->getArgOperandNo(&use), offset});
      const bool forgotten =
          call->getType()->isIntOrIntVectorTy() || addresses_.of_argument(*call, use) == fate::forgotten;
      if (!forgotten) look_at(*call, std::nullopt); // which may lead to it
    }
  }

  const DataLayout& layout_;
  captures& addresses_;
  SmallPtrSet<const Value*, 8> seen_;
  SmallPtrSet<const AllocaInst*, 4> holders_; // of the address
};

} // namespace

bool is_narrow(const Type& type, const DataLayout& layout) {
  const auto bytes = layout.getTypeStoreSize(const_cast<Type*>(&type));
  return !bytes.isScalable() && bytes.getFixedValue() <= sizeof(void*);
}

std::optional<written> written_by(const User& user, const DataLayout& layout) {
  const auto found = [&](const Value& value, const Value& address) {
    return written{&value, &address, is_narrow(*value.getType(), layout)};
  };
  if (const auto* store = dyn_cast<StoreInst>(&user))
    return found(*store->getValueOperand(), *store->getPointerOperand());
  if (const auto* update = dyn_cast<AtomicRMWInst>(&user))
    return found(*update->getValOperand(), *update->getPointerOperand());
  if (const auto* swap = dyn_cast<AtomicCmpXchgInst>(&user))
    return found(*swap->getNewValOperand(), *swap->getPointerOperand());
  return std::nullopt;
}

local_changes changes_of(const AllocaInst& local, captures& addresses) {
  return change_search(local, addresses).found;
}

place moved_by(const place& from, const GEPOperator& element, const DataLayout& layout) {
  APInt by(layout.getIndexTypeSizeInBits(element.getType()), 0);
  return from && element.accumulateConstantOffset(layout, by) ? place(*from + by.getSExtValue())
                                                              : std::nullopt;
}

bool may_overlap(const place& one, const place& other) {
  return !one || !other || std::abs(*one - *other) < static_cast<int64_t>(sizeof(void*));
}

} // namespace windrow::compiler
