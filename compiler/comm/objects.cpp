// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/comm/objects.hpp"

#include <llvm/Analysis/ValueTracking.h>

namespace windrow::compiler::comm {

SmallVector<MemoryLocation, 2> in_any_round(const MemoryLocation& place) {
  if (!isa<PHINode, SelectInst>(getUnderlyingObject(place.Ptr))) return {place};
  SmallVector<const Value*, 4> objects;
  getUnderlyingObjects(place.Ptr, objects);
  SmallVector<MemoryLocation, 2> found;
  for (const auto* one : objects) found.push_back(MemoryLocation::getBeforeOrAfter(one, place.AATags));
  return found;
}

} // namespace windrow::compiler::comm
