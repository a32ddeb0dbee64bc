// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/defer/outline/fields.hpp"

#include <llvm/ADT/MapVector.h>
#include <llvm/IR/IRBuilder.h>

#include <algorithm>

namespace windrow::compiler::defer {

namespace {

/// The loads of one captured variable, or of parts of it; none if there are other uses.
class field_reads {
 public:
  field_reads(GetElementPtrInst& field, const variable& var)
      : field_(field),
        layout_(field.getModule()->getDataLayout()),
        bytes_(layout_.getTypeAllocSize(var.type)),
        only_read_(collect(field, 0)) {}

  void load_first() {
    if (!only_read_) return;
    IRBuilder<> builder(field_.getNextNode());
    for (auto& [part, loads] : parts_) {
      const auto& [offset, type] = part;
      Value* address = &field_;
      if (offset != 0) address = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), address, offset);
      const auto known = std::min_element(
          loads.begin(), loads.end(),
          [](const LoadInst* one, const LoadInst* other) { return one->getAlign() < other->getAlign(); });
      auto* value = builder.CreateAlignedLoad(type, address, (*known)->getAlign(), field_.getName());
      for (auto* load : loads) {
        load->replaceAllUsesWith(value);
        load->eraseFromParent();
      }
    }
  }

 private:
  bool collect(GetElementPtrInst& address, uint64_t offset) {
    return all_of(address.users(), [&](User* user) {
      if (auto* load = dyn_cast<LoadInst>(user)) {
        parts_[{offset, load->getType()}].push_back(load);
        return load->isSimple() && offset + layout_.getTypeStoreSize(load->getType()) <= bytes_;
      }
      auto* part = dyn_cast<GetElementPtrInst>(user);
      APInt behind(64, 0);
      return part && part->accumulateConstantOffset(layout_, behind) &&
             collect(*part, offset + behind.getZExtValue());
    });
  }

  GetElementPtrInst& field_;
  const DataLayout& layout_;
  uint64_t bytes_;
  MapVector<std::pair<uint64_t, Type*>, SmallVector<LoadInst*, 4>> parts_;
  bool only_read_;
};

} // namespace

void load_fields_first(code& callback) {
  if (!callback.open || callback.function->hasFnAttribute(Attribute::OptimizeNone)) return;
  SmallVector<GetElementPtrInst*, 16> fields;
  for (auto* user : callback.record->users())
    if (auto* address = dyn_cast<GetElementPtrInst>(user)) fields.push_back(address);
  for (auto* field : fields)
    if (const auto* var = callback.vars.at(field)) field_reads(*field, *var).load_first();
}

} // namespace windrow::compiler::defer
