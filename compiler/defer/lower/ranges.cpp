// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/defer/lower/ranges.hpp"

#include <llvm/IR/IRBuilder.h>

namespace windrow::compiler::defer {

namespace {

void load_once(Value& address) {
  for (auto* user : address.users()) {
    if (auto* element = dyn_cast<GetElementPtrInst>(user)) load_once(*element);
    if (auto* load = dyn_cast<LoadInst>(user)) load->setAtomic(AtomicOrdering::Monotonic);
  }
}

} // namespace

void load_from_range(code& callback) {
  if (!callback.layout.bulk || !callback.lowered.in_place) return;
  auto& values = *callback.layout.bulk->inside;
  IRBuilder<> builder(&values);
  auto* address = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), callback.record,
                                                     callback.layout.bulk->address_at);
  auto* from = builder.CreateLoad(values.getType(), address, "values");
  values.replaceAllUsesWith(from);
  values.eraseFromParent();
  callback.layout.bulk->inside = nullptr;
  load_once(*from);
}

} // namespace windrow::compiler::defer
