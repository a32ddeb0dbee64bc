// SPDX-License-Identifier: BSD-3-Clause
// Which addresses an instruction stores, and where.
#include "compiler/common/analysis/footprints.hpp"

namespace windrow::compiler {

namespace {

bool may_hold_address(const Type& type) {
  return !type.isFloatingPointTy() && !(type.isIntegerTy() && type.getIntegerBitWidth() < 64);
}

} // namespace

void footprints::add_stored(const Value& value, const Value& to_address, footprint& to) {
  const auto& type = *value.getType();
  if (!may_hold_address(type)) return;
  auto places = origins_.of(to_address);
  erase_if(places, [&](const location& one) { return is_private(*one.object); });
  if (places.empty()) return;
  const auto values = origins_.of(value);
  for (const auto& at : places)
    for (const auto& one : values)
      if (one.object->root || type.isPointerTy()) // a number that is made of much is no address
        add_stored({type.isVectorTy() ? location{at.object, std::nullopt} : at, one.object}, to);
}

void footprints::add_stored(const stored_address& one, footprint& to) {
  if (!is_private(*one.at.object) && !is_contained(to.stored, one)) to.stored.push_back(one);
}

// A structure with addresses in it.
void footprints::add_copied(const MemTransferInst& copy, footprint& to) {
  for (const auto& target : origins_.of(*copy.getRawDest()))
    for (const auto& source : origins_.of(*copy.getRawSource()))
      each_copied_pointer(copy, target, source, [&](const location& at, const location& from) {
        for (const auto& held : origins_.held_at(from)) add_stored({at, held.object}, to);
      });
}

} // namespace windrow::compiler
