// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <clang/Lex/Preprocessor.h>

namespace windrow::compiler {

/// Whether the line above `where` is a directive that wants a loop as the very next thing, as `#pragma
/// unroll` does: the tokens of another directive must not stand between. The text alone can say it: by then
/// the parser has read the loop's directive.
bool stands_behind_loop_directive(const clang::Preprocessor& preprocessor, clang::SourceLocation where);

} // namespace windrow::compiler
