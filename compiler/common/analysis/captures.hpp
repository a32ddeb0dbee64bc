// SPDX-License-Identifier: BSD-3-Clause
// What may know the address of a variable. Functions whose code is here are looked into; attributes are not
// believed.
#pragma once

#include "compiler/common/analysis/recursion.hpp"
#include "compiler/common/llvm/names.hpp"

namespace windrow::compiler {

/// What a function does with an address that it is given.
enum class fate { forgotten, returned, kept };

class captures {
 public:
  /// Whether others may know the address, by a use for which `counts` holds.
  bool escapes(const Value& base, function_ref<bool(const Instruction&)> counts);
  bool escapes(const Value& base) {
    return escapes(base, [](const Instruction&) { return true; });
  }

  /// What becomes of an address, local variables that it is kept in included.
  fate follow(const Value& address);
  /// What a call does with an argument; of a function that is not here to see: keeps it.
  fate of_argument(const CallBase& call, const Use& use);

 private:
  fate of_parameter(const Argument& parameter);
  bool keeps(const Use& use);

  DenseMap<const Argument*, fate> known_; ///< of functions that are not transformed; forgotten at first
  open_questions<Argument> questions_;
};

} // namespace windrow::compiler
