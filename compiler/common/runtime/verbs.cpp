// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/common/runtime/verbs.hpp"

#include <llvm/ADT/StringSwitch.h>

#include "compiler/common/api/calls.hpp"
#include "compiler/common/runtime/inline_library.hpp"

namespace windrow::compiler {

StringRef verb_of(StringRef name) {
  const auto* known = routine_of(name);
  if (!known || !known->form->with_context) return "";
  return StringSwitch<StringRef>(known->form->operation)
      .Cases("g", "atomic_fetch", "fetch")
      .Case("atomic_fetch_inc", "fetch_inc")
      .Case("atomic_fetch_add", "fetch_add")
      .Case("atomic_fetch_and", "fetch_and")
      .Case("atomic_fetch_or", "fetch_or")
      .Case("atomic_fetch_xor", "fetch_xor")
      .Case("atomic_swap", "swap")
      .Case("atomic_compare_swap", "compare_swap")
      .Cases("p", "atomic_set", "put")
      .Case("atomic_inc", "inc")
      .Case("atomic_add", "add")
      .Case("atomic_and", "bit_and")
      .Case("atomic_or", "bit_or")
      .Case("atomic_xor", "bit_xor")
      .Default("");
}

std::string carrier_of(const Type& type) {
  if (type.isFloatTy()) return "float";
  if (type.isDoubleTy()) return "double";
  if (type.isIntegerTy(8) || type.isIntegerTy(16) || type.isIntegerTy(32) || type.isIntegerTy(64))
    return "i" + std::to_string(type.getIntegerBitWidth());
  return "";
}

bool exists(StringRef verb, const Type& type) {
  if (verb.empty() || carrier_of(type).empty()) return false;
  if (verb == "fetch" || verb == "put") return true;
  const bool small = type.isIntegerTy(8) || type.isIntegerTy(16);
  return !small && (type.isIntegerTy() || verb == "swap");
}

std::string inlined_name(StringRef kind, StringRef verb, const Type& type) {
  return (inlined_prefix + kind + "_" + verb + "_" + carrier_of(type)).str();
}

bool may_load_later(const CallInst& fetch) {
  return verb_of(callee_name(fetch)) == "fetch";
}

SmallVector<Type*, 8> types_behind_context(const CallInst& call) {
  SmallVector<Type*, 8> types;
  for (const auto& argument : drop_begin(call.args())) types.push_back(argument->getType());
  return types;
}

void copy_extensions(const CallInst& fetch, CallInst& call, unsigned first) {
  for (unsigned from = 1; from < fetch.arg_size(); ++from)
    for (const auto kind : {Attribute::ZExt, Attribute::SExt})
      if (fetch.paramHasAttr(from, kind)) call.addParamAttr(from + first - 1, kind);
}

} // namespace windrow::compiler
