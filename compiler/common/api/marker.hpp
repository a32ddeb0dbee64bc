// SPDX-License-Identifier: BSD-3-Clause
// What the directive looks like in the IR:
//     if (__builtin_annotation(1, "windrow.defer:CLAUSES") == 0) __builtin_assume(0); else STATEMENT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compiler/common/llvm/names.hpp"

namespace windrow::compiler {

/// The text in the annotation before the clauses.
inline constexpr const char* marker_text = "windrow.defer:";

/// That of `#pragma shmem relaxed` and `#pragma shmem strict`, before the word.
inline constexpr const char* promise_text = "windrow.comm:";

/// What functions of C are annotated with that are declared inline and not static.
inline constexpr const char* inline_text = "windrow.comm:inline";

struct marker {
  IntrinsicInst* annotation;
  BranchInst* branch; ///< null if the code around the annotation is none that the directive makes
  bool strict;        ///< the directive's clause: refusals are errors
  bool fuse;          ///< unless its clause says no_fusion
  bool wait;          ///< the function completes what it defers, unless its clause says nowait
  unsigned line;      ///< of the directive

  /// Where the statement begins.
  BasicBlock* entry() const { return branch->getSuccessor(0); }
};

/// Whether the instruction is an annotation that the directive has made.
bool is_marker(const Instruction& instruction);

/// What the annotation says behind `prefix`; empty if it is none, or of another kind.
std::optional<StringRef> annotation_text(const Instruction& instruction, StringRef prefix);
/// Functions that are annotated with the text.
SmallVector<Function*, 4> annotated_functions(Module& module, StringRef text);
/// The branch that chooses the statement behind the annotation, as its first way, or null.
BranchInst* branch_of(IntrinsicInst& annotation);

/// Of all directives: the way around the statement can be taken, as far as LLVM knows, so that the statement
/// ends where the ways join. To be called before anything looks at the function's code.
void open_ways_around(Function& function);

/// All markers of the function, outer ones first.
std::vector<marker> find_markers(Function& function);

/// Lets the program take the way to the statement, as it does without this plug-in.
void erase(const marker& mark);

/// A directive inside the statement of another one says nothing new: removes it from the code and the list.
void fold_nested(Function& function, std::vector<marker>& marks);

} // namespace windrow::compiler
