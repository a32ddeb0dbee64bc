// SPDX-License-Identifier: BSD-3-Clause
// Directives in clang's tree, where they are what plugin/pragma.cpp has made of them.
#pragma once

#include <clang/AST/ASTConsumer.h>
#include <clang/AST/Stmt.h>

#include <memory>

namespace windrow::compiler {

/// %0 is the directive's name.
inline constexpr char before_declaration_text[] =
    "'#pragma shmem %0' stands before a declaration; it goes before a statement: a loop, or a block";

/// What the annotation says, "windrow.defer:strict" for one, if the statement is what a directive has become;
/// else empty.
llvm::StringRef directive_of(const clang::IfStmt& statement);

/// Whether what has been parsed may have directives, also those of a file that -E has made.
bool may_have_directives(clang::ASTContext& context);

/// Refuses directives in front of declarations. In C those are no statements, and clang cannot parse them.
std::unique_ptr<clang::ASTConsumer> refuse_declarations();

} // namespace windrow::compiler
