// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/defer/outline/owner_captures.hpp"

#include "compiler/common/runtime/inline_library.hpp"
#include "compiler/defer/lower/owner_items.hpp"

namespace windrow::compiler::defer {

// Addresses mean something on their own PE only: they travel as places in symmetric memory. They become
// addresses again where they are used, for only there is it sure that they are such places.
Value* owner_captures::there(Value& value) {
  auto* type = value.getType();
  if (is_common(value)) return common_there(value);
  auto* arrived = load_sent(at_owner_, *part_.function->getArg(0), send_once(value));
  return type->isPointerTy() ? address_of(*arrived) : arrived;
}

void owner_captures::store(IRBuilder<>& builder, Value& to) const {
  for (const auto& [value, sent] : travelling_)
    builder.CreateAlignedStore(sent.first, field(builder, to, sent.second), Align(1));
}

const owner_captures::sent_value& owner_captures::send_once(Value& value) {
  auto known = travelling_.find(&value);
  if (known != travelling_.end()) return known->second;
  auto* sent = as_sent(value);
  return travelling_[&value] = {sent, part_.add_field(*sent->getType())};
}

Value* owner_captures::load_sent(IRBuilder<>& builder, Value& captured, const sent_value& value) {
  const auto& [sent, offset] = value;
  const Align alignment = commonAlignment(Align(8), offset);
  return builder.CreateAlignedLoad(sent->getType(), field(builder, captured, offset), alignment, "captured");
}

Value* owner_captures::as_sent(Value& value) {
  IRBuilder<> origin(place_);
  return value.getType()->isPointerTy() ? offset_of(origin, value) : &value;
}

// One word that the loops around do not change travels apart from what each item brings.
bool owner_captures::is_common(Value& value) {
  if (common_of_) return common_of_ == &value;
  const auto* type = value.getType();
  if ((!type->isPointerTy() && !type->isIntegerTy(64)) || !around_.in_loop() || !around_.is_invariant(value))
    return false;
  common_of_ = &value;
  common_ = IRBuilder<>(place_).CreateFreeze(as_sent(value)); // compared, and perhaps not set yet
  return true;
}

Value* owner_captures::common_there(const Value& value) {
  auto* arrived = part_.function->getArg(3);
  return value.getType()->isPointerTy() ? address_of(*arrived) : arrived;
}

Value* owner_captures::offset_of(IRBuilder<>& origin, Value& object) {
  const auto* name = place_->isTerminator() ? "windrow_defer_symmetric_offset_if_any" // perhaps not used
                                            : "windrow_defer_symmetric_offset";
  auto* call = origin.CreateCall(runtime_function(module_, name, origin.getInt64Ty(), {pointer_}), {&object});
  call->setDoesNotThrow();
  call->setDoesNotAccessMemory(); // a function of its argument: once per loop is enough
  call->addFnAttr(Attribute::WillReturn);
  return call;
}

Value* owner_captures::address_of(Value& offset) {
  if (can_inline(module_)) return at_owner_.CreateCall(symmetric_address(module_), {&offset});
  return at_owner_.CreateCall(
      runtime_function(module_, "windrow_defer_symmetric_address", pointer_, {offset.getType()}), {&offset});
}

} // namespace windrow::compiler::defer
