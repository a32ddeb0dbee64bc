// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/comm/bulk.hpp"

#include <llvm/IR/Constants.h>

#include "compiler/comm/accesses.hpp"
#include "compiler/common/api/routines.hpp"

namespace windrow::compiler::comm {

namespace {

constexpr uint64_t most_whole = uint64_t{1} << 32; // so that the bytes of them fit

} // namespace

LocationSize bulk_access::size() const {
  const auto* constant = dyn_cast<ConstantInt>(count);
  if (local_stride || !constant || constant->getValue().ugt(most_whole)) return LocationSize::afterPointer();
  return LocationSize::precise(constant->getZExtValue() * element_bytes);
}

std::optional<bulk_access> bulk_access_of(Instruction& instruction) {
  auto* call = dyn_cast<CallInst>(&instruction);
  if (!call || !is_blocking_access(*call)) return std::nullopt;
  const auto access = *access_of(*call);
  if (!access->takes(role::count) || !access->takes(role::local)) return std::nullopt;
  return bulk_access{call,
                     access->does == verb::read,
                     access.argument(role::remote),
                     access.argument(role::pe),
                     access.argument(role::local),
                     access.argument(role::count),
                     access.element_bytes(),
                     access.argument(role::local_stride),
                     access.argument(role::remote_stride)};
}

} // namespace windrow::compiler::comm
