// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/common/api/routines.hpp"

#include <algorithm>

namespace windrow::compiler {

namespace {

template <class... Roles>
constexpr std::array<int8_t, number_of_roles> taking(Roles... roles) {
  std::array<int8_t, number_of_roles> positions{};
  for (auto& one : positions) one = -1;
  int8_t next = 0;
  ((positions[static_cast<size_t>(roles)] = next++), ...);
  return positions;
}

#include "routines.inc"

// A program may declare it as it likes.
bool has_arguments(const CallBase& call, const routine& form) {
  const auto taken = llvm::count_if(form.position, [](int8_t at) { return at >= 0; });
  return call.arg_size() == static_cast<size_t>(taken) && call.getType()->isVoidTy() != form.returns_value();
}

} // namespace

StringRef callee_name(const Instruction& instruction) {
  const auto* call = dyn_cast<CallBase>(&instruction);
  const auto* callee = call ? call->getCalledFunction() : nullptr;
  return callee ? callee->getName() : StringRef();
}

const named_routine* routine_of(StringRef name) {
  const auto* found = std::lower_bound(std::begin(names), std::end(names), name,
                                       [](const named_routine& one, StringRef to) { return one.name < to; });
  return found != std::end(names) && found->name == name ? found : nullptr;
}

Value* remote_access::argument(role what) const {
  const auto position = called_.form->position[static_cast<size_t>(what)];
  return position < 0 ? nullptr : call_.getArgOperand(static_cast<unsigned>(position));
}

std::optional<remote_access> access_of(const Instruction& instruction) {
  const auto* call = dyn_cast<CallBase>(&instruction);
  const auto* called = call ? routine_of(callee_name(*call)) : nullptr;
  if (!called || called->form->does == verb::none || called->form->does == verb::query ||
      !call->getCalledFunction()->isDeclaration() || !has_arguments(*call, *called->form))
    return std::nullopt;
  return remote_access(*call, *called);
}

bool is_routine(StringRef name) {
  return name.starts_with("shmem_") || name.starts_with("pshmem_") || name.starts_with("shmemx_");
}

order order_of(StringRef name) {
  if (const auto* known = routine_of(name)) return known->form->orders;
  return is_routine(name) ? order::unknown : order::none;
}

} // namespace windrow::compiler
