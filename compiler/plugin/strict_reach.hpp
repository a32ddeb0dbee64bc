// SPDX-License-Identifier: BSD-3-Clause
// How far `#pragma shmem strict` reaches, where that cannot be seen from the code that clang makes of it.
#pragma once

#include <clang/AST/ASTConsumer.h>

#include <memory>

namespace windrow::compiler {

/// Annotates functions as strict in whole: lambdas and members of local classes in a strict statement, and
/// functions with such a statement that may be entered by a label. Runs in front of clang's code generation.
std::unique_ptr<clang::ASTConsumer> find_strict_functions();

} // namespace windrow::compiler
