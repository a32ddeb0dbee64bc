// SPDX-License-Identifier: BSD-3-Clause
// What -fcomm allows, and the rules that keep the pass right. Tests leave out one rule at a time and expect
// that it is missed.
#pragma once

#include <llvm/ADT/StringSet.h>

#include <string>

namespace windrow::compiler::comm {

class options {
 public:
  /// Reads what stands behind `-fcomm=`, which may be given several times. Returns what is wrong with it, as
  /// a sentence; empty if nothing is.
  std::string read(llvm::StringRef list);

  /// `-fplugin-arg-windrow-without-NAME`
  void leave_out(llvm::StringRef rule) { left_out_.insert(rule); }
  bool hold(llvm::StringRef rule) const { return !left_out_.contains(rule); }

  bool is_on() const { return on_; }
  /// Whether the whole file makes the promise of `#pragma shmem relaxed`.
  bool relaxed() const { return relaxed_; }
  /// Whether this part of the pass may act: all do, if none is named.
  bool has(llvm::StringRef part) const { return parts_.empty() || parts_.contains(part); }

 private:
  std::string read_word(llvm::StringRef word);

  bool on_ = false, relaxed_ = false, strict_ = false;
  llvm::StringSet<> parts_, left_out_;
};

/// What holds in this compiler: one and the same for the two ways in which clang may have been given the
/// pass.
options& active_options();

} // namespace windrow::compiler::comm
