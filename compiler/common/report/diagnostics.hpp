// SPDX-License-Identifier: BSD-3-Clause
// What the programmer is told. Collected while a function is transformed, since that may be given up.
#pragma once

#include <llvm/IR/DebugLoc.h>

#include <string>
#include <vector>

#include "compiler/common/llvm/names.hpp"

namespace windrow::compiler {

/// Where a message is about code of an inlined function: at the call of that, or in it.
enum class lines { of_function, of_callees };

/// " at line 7", in the function that the instruction stands in; empty where that is not known.
std::string at_line(const Instruction& where);

class diagnostics {
 public:
  /// `pass`: its name in -Rpass=, -Rpass-missed= and -Rpass-analysis=.
  diagnostics(const char* pass, Function& function, lines told = lines::of_function)
      : pass_(pass), function_(function), lines_(told) {}

  /// Something was deferred: a remark.
  void deferred(const DebugLoc& where, std::string text) { add(kind::deferred, where, std::move(text)); }
  /// Something was done that is not deferral: a remark.
  void done(const DebugLoc& where, std::string text) { add(kind::done, where, std::move(text)); }
  /// Something was added that costs time: an analysis remark.
  void analysis(const DebugLoc& where, std::string text) { add(kind::analysis, where, std::move(text)); }
  /// Nothing could be done, nor asked for: a remark.
  void missed(const DebugLoc& where, std::string text) { add(kind::missed, where, std::move(text)); }
  /// The directive could not be honoured: a warning that is on by default, or an error if the directive is
  /// strict.
  void refused(const DebugLoc& where, std::string text, bool strict) {
    add(strict ? kind::error : kind::warning, where, std::move(text));
  }

  /// How often the directive could not be honoured.
  unsigned refusals() const;

  /// Forgets that anything was transformed.
  void withdraw();

  /// Forgets all.
  void forget() { messages_.clear(); }

  /// Tells all, and forgets it.
  void emit();

 private:
  enum class kind { deferred, done, analysis, missed, warning, error };
  struct message {
    kind what;
    DebugLoc where;
    std::string text;
  };

  void add(kind what, const DebugLoc& where, std::string text) {
    messages_.push_back({what, lines_ == lines::of_function ? place_of(where) : place_outside_library(where),
                         std::move(text)});
  }
  void emit(const message& one);

  const char* pass_;
  Function& function_;
  lines lines_;
  std::vector<message> messages_;
};

} // namespace windrow::compiler
