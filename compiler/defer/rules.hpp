// SPDX-License-Identifier: BSD-3-Clause
// The rules that keep the transformation right. Tests switch one off at a time and expect that it is missed.
#pragma once

#include <llvm/ADT/StringRef.h>
#include <llvm/ADT/StringSet.h>

namespace windrow::compiler::defer {

class rules {
 public:
  /// `-fplugin-arg-windrow-without-NAME`
  void leave_out(llvm::StringRef name) { left_out_.insert(name); }
  bool hold(llvm::StringRef name) const { return !left_out_.contains(name); }

  bool defer = true; ///< else directives change nothing
  bool fuse_at_owner = true, vectorise = true;

 private:
  llvm::StringSet<> left_out_;
};

} // namespace windrow::compiler::defer
