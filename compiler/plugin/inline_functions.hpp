// SPDX-License-Identifier: BSD-3-Clause
// Which functions are declared inline, where linkage does not tell: by the rules of C one file has a
// definition for all.
#pragma once

#include <clang/AST/ASTConsumer.h>

#include <memory>

namespace windrow::compiler {

/// Annotates them. Runs in front of clang's code generation.
std::unique_ptr<clang::ASTConsumer> find_inline_functions();

} // namespace windrow::compiler
