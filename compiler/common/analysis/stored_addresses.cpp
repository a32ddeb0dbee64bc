// SPDX-License-Identifier: BSD-3-Clause
// Which addresses an instruction stores, and where.
#include "compiler/common/analysis/footprints.hpp"

namespace windrow::compiler {

namespace {

// A part of one, too, and one that is taken for a floating-point number, if nothing is computed of that.
bool may_hold_address(const Value& value) {
  return !value.getType()->isFPOrFPVectorTy() ||
         isa<LoadInst, BitCastOperator, PHINode, SelectInst, ExtractElementInst, InsertElementInst,
             ShuffleVectorInst>(value);
}

} // namespace

void footprints::add_stored(const Value& value, const Value& to_address, footprint& to) {
  const auto& type = *value.getType();
  if (!may_hold_address(value)) return;
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
void footprints::add_copied(const memory_copy& copy, footprint& to) {
  for (const auto& target : origins_.of(*copy.to))
    for (const auto& source : origins_.of(*copy.from))
      each_copied_pointer(copy, target, source, [&](const location& at, const location& from) {
        for (const auto& held : origins_.held_at(from)) add_stored({at, held.object}, to);
      });
}

} // namespace windrow::compiler
