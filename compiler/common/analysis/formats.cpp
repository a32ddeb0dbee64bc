// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/common/analysis/formats.hpp"

#include <llvm/Analysis/ValueTracking.h>

#include "compiler/common/api/calls.hpp"

namespace windrow::compiler {

namespace {

// As in %n, with whatever stands between.
bool has_conversion(StringRef format, char letter) {
  for (auto at = format.find('%'); at != StringRef::npos; at = format.find('%', at + 1)) {
    at = format.find_first_not_of("0123456789$.*-+ #'hlLqjzt", at + 1);
    if (at == StringRef::npos) return false;
    if (format[at] == letter) return true;
  }
  return false;
}

} // namespace

bool only_prints(const CallBase& call) {
  if (!callee_name(call).contains("printf")) return false;
  bool known = false;
  for (const auto& argument : call.args()) {
    StringRef text;
    if (!argument->getType()->isPointerTy() || !getConstantStringInfo(argument, text)) continue;
    if (has_conversion(text, 'n')) return false;
    known = true;
  }
  return known;
}

bool may_print_errno(const Module& module) {
  return any_of(module.globals(), [](const GlobalVariable& variable) {
    const auto* text =
        variable.hasInitializer() ? dyn_cast<ConstantDataArray>(variable.getInitializer()) : nullptr;
    return text && text->isString() && has_conversion(text->getAsString(), 'm');
  });
}

} // namespace windrow::compiler
