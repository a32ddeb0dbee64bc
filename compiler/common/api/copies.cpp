// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/common/api/copies.hpp"

#include "compiler/common/api/calls.hpp"

namespace windrow::compiler {

namespace {

std::optional<uint64_t> known(const Value& length) {
  const auto* number = dyn_cast<ConstantInt>(&length);
  return number ? std::optional(number->getValue().getLimitedValue()) : std::nullopt;
}

bool copies_to_its_first(StringRef name) {
  name.consume_front("__");
  name.consume_back("_chk");
  return is_contained<StringRef>(
      {"memcpy", "memmove", "mempcpy", "memccpy", "wmemcpy", "wmemmove", "wmempcpy"}, name);
}

} // namespace

std::optional<memory_copy> copied_by(const Instruction& instruction) {
  if (const auto* copy = dyn_cast<MemTransferInst>(&instruction)) {
    constexpr uint64_t pointer = sizeof(void*);
    const auto fits = [](MaybeAlign one) { return one.valueOrOne().value() >= pointer; };
    return memory_copy{copy->getRawDest(), copy->getRawSource(), known(*copy->getLength()),
                       fits(copy->getDestAlign()) && fits(copy->getSourceAlign())};
  }
  const auto* call = dyn_cast<CallBase>(&instruction);
  const auto* callee = call ? call->getCalledFunction() : nullptr;
  if (!callee || !callee->isDeclaration() || call->arg_size() < 3) return std::nullopt;
  const auto *first = call->getArgOperand(0), *second = call->getArgOperand(1);
  if (!first->getType()->isPointerTy() || !second->getType()->isPointerTy()) return std::nullopt;
  const auto name = callee_name(*call);
  if (name == "bcopy") return memory_copy{second, first, std::nullopt, false};
  if (copies_to_its_first(name)) return memory_copy{first, second, std::nullopt, false};
  return std::nullopt;
}

void each_stored_by(const IntrinsicInst& call,
                    function_ref<void(const Value& value, const Value& address)> take) {
  if (call.onlyReadsMemory()) return;
  for (const auto& address : call.args())
    if (address->getType()->isPointerTy())
      for (const auto& value : call.args())
        if (&value != &address && !isa<ConstantData>(value)) take(*value, *address);
}

} // namespace windrow::compiler
