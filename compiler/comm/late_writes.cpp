// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/comm/late_writes.hpp"

#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <bit>

#include "compiler/comm/accesses.hpp"
#include "compiler/common/api/calls.hpp"
#include "compiler/common/runtime/inline_library.hpp"

namespace windrow::compiler::comm {

namespace {

constexpr StringRef runtime_name = "windrow_comm_write";
constexpr StringRef collected_attribute = "windrow-comm-collected";
constexpr uint64_t largest_word = 8;
enum : unsigned { collector_position, routine_position, place_position };

bool fits_word(const Type& type, uint64_t bytes) {
  return type.isIntegerTy(static_cast<unsigned>(8 * bytes)) || (bytes == 4 && type.isFloatTy()) ||
         (bytes == 8 && type.isDoubleTy());
}

// As struct windrow_comm_routine has it. One for each routine and size in the module.
Constant* description_of(const late_write& write) {
  auto& module = *write.call->getModule();
  auto& context = module.getContext();
  const auto name = callee_name(*write.call);
  const auto symbol = ("windrow_comm_routine." + name + "." + Twine(write.bytes)).str();
  if (auto* known = module.getNamedGlobal(symbol)) return known;
  auto* text = ConstantDataArray::getString(context, name);
  auto* chars = new GlobalVariable(module, text->getType(), true, GlobalValue::PrivateLinkage, text);
  chars->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  const auto number = [&](uint32_t value) { return ConstantInt::get(Type::getInt32Ty(context), value); };
  auto* content = ConstantStruct::getAnon({chars, number(static_cast<uint32_t>(write.does)),
                                           number(static_cast<uint32_t>(std::countr_zero(write.bytes))),
                                           number(write.completes ? 1 : 0)});
  return new GlobalVariable(module, content->getType(), true, GlobalValue::PrivateLinkage, content, symbol);
}

Value* operand_of(const late_write& write, IRBuilder<>& builder) {
  auto* wide = builder.getInt64Ty();
  auto* word = builder.getIntNTy(static_cast<unsigned>(8 * write.bytes));
  auto* value = write.value;
  if (write.local) value = builder.CreateAlignedLoad(word, write.local, Align(1));
  if (!value) return builder.getInt64(0);
  return builder.CreateZExt(builder.CreateBitCast(value, word), wide);
}

std::optional<change> change_by(const Instruction& instruction) {
  const auto access = access_of(instruction);
  if (!access || (*access)->nonblocking) return std::nullopt;
  if ((*access)->with_context && !is_on_default_context(cast<CallBase>(instruction))) return std::nullopt;
  return StringSwitch<std::optional<change>>((*access)->operation)
      .Cases("p", "put", change::put)
      .Cases("atomic_set", "set", "atomic_swap", "swap", change::set)
      .Cases("atomic_inc", "inc", "atomic_fetch_inc", "finc", change::increment)
      .Cases("atomic_add", "add", "atomic_fetch_add", "fadd", change::add)
      .Cases("atomic_and", "atomic_fetch_and", change::bit_and)
      .Cases("atomic_or", "atomic_fetch_or", change::bit_or)
      .Cases("atomic_xor", "atomic_fetch_xor", change::bit_xor)
      .Default(std::nullopt);
}

} // namespace

bool is_update(const Instruction& instruction) {
  return change_by(instruction).has_value();
}

std::optional<change> late_verb_of(const Instruction& instruction) {
  return instruction.use_empty() ? change_by(instruction) : std::nullopt;
}

std::optional<late_write> late_write_of(Instruction& instruction) {
  auto* call = dyn_cast<CallInst>(&instruction);
  const auto does = late_verb_of(instruction);
  if (!call || !does) return std::nullopt;
  const auto access = *access_of(instruction);
  late_write found{call,
                   access.argument(role::remote),
                   access.argument(role::pe),
                   access.argument(role::value),
                   access.argument(role::local),
                   access.element_bytes(),
                   *does,
                   access->returns_value()};
  if (const auto plain = plain_access_of(instruction))
    found.bytes = plain->bytes;
  else if (found.local)
    return std::nullopt;
  if (!std::has_single_bit(found.bytes) || found.bytes > largest_word) return std::nullopt;
  if (found.value && !fits_word(*found.value->getType(), found.bytes)) return std::nullopt;
  const bool of_bits = *does == change::put || *does == change::set;
  if (!of_bits && found.value && !found.value->getType()->isIntegerTy()) return std::nullopt;
  return found;
}

void collect(const late_write& write, Value& collector) {
  IRBuilder<> builder(write.call);
  auto* pointer = builder.getPtrTy();
  const auto routine =
      runtime_function(*write.call->getModule(), runtime_name, builder.getVoidTy(),
                       {pointer, pointer, pointer, builder.getInt32Ty(), builder.getInt64Ty()});
  auto* made = builder.CreateCall(
      routine, {&collector, description_of(write), write.remote, write.pe, operand_of(write, builder)});
  made->setDoesNotThrow();
  made->addFnAttr(Attribute::WillReturn);
  made->addFnAttr(Attribute::get(made->getContext(), collected_attribute, callee_name(*write.call)));
  write.call->eraseFromParent();
}

Value* place_of_collected(const Instruction& instruction) {
  return callee_name(instruction) == runtime_name ? cast<CallBase>(instruction).getArgOperand(place_position)
                                                  : nullptr;
}

StringRef name_of_collected(const Instruction& instruction) {
  if (!place_of_collected(instruction)) return "";
  return cast<CallBase>(instruction).getFnAttr(collected_attribute).getValueAsString();
}

} // namespace windrow::compiler::comm
