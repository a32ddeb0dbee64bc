// SPDX-License-Identifier: BSD-3-Clause
// The compiler behind a wrapper: the one that a variable names, or the one that Windrow was built with. Never
// the wrapper itself, though CC=oshcc is in the environment of every build that uses it.
#pragma once

#include <string>
#include <vector>

namespace windrow::tools {

/// Variables that name a compiler.
struct compiler_variables {
  const char* own;   ///< for the wrappers; must not lead back to them
  const char* usual; ///< everybody's, ignored where it leads back; null: not read
};

struct compiler_choice {
  std::vector<std::string> line; ///< the program and its first arguments; empty: none is named
  std::string variable;          ///< that names it
};

/// What the variables name. Throws windrow::error if `variables.own` names a wrapper of Windrow.
compiler_choice named_compiler(const compiler_variables& variables);

/// Whether this process was started, perhaps through a script or ccache, by a wrapper that ran what
/// everybody's variable names: then its arguments are complete, and the default compiler is wanted. Throws
/// windrow::error if it was started by what the wrapper's own variable, or nothing, named.
bool is_started_by_wrapper(const compiler_variables& variables);

/// Makes what is started from now on know that a wrapper has started what `variable` names ("": the default).
void mark_as_wrapper(const std::string& variable);

} // namespace windrow::tools
