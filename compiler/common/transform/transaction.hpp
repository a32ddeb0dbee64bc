// SPDX-License-Identifier: BSD-3-Clause
// A function that a pass changes, and that can be had back as it was.
#pragma once

#include <string>

#include "compiler/common/llvm/names.hpp"

namespace windrow::compiler {

/// What a pass has added to the module for the function: other functions, and variables. In the order in
/// which they can be erased once no function has a body.
using additions = SmallVector<GlobalValue*, 16>;

/// Erases the code of the function. What others see of it stays: linkage, metadata, data in front of it.
void drop_body(Function& function);

class transaction {
 public:
  /// Keeps a copy of the function.
  explicit transaction(Function& function);
  /// Drops the copy, unless it has been taken.
  ~transaction();
  transaction(const transaction&) = delete;
  transaction& operator=(const transaction&) = delete;

  /// What the verifier finds wrong with the function and what has been added for it: the first line; empty if
  /// nothing is.
  std::string fault(const additions& added) const;

  /// Makes the function what it was when this began, and erases what has been added. It may then be changed,
  /// and restored, again.
  void restore(const additions& added);

  /// The copy, which belongs to the caller from now on.
  Function& take_original();

 private:
  Function& function_;
  Function* original_;
};

} // namespace windrow::compiler
