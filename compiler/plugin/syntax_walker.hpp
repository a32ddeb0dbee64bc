// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <clang/AST/RecursiveASTVisitor.h>

namespace windrow::compiler {

/// A walk over declarations and statements. clang's visitor is a template, which takes as long to compile as
/// all else of a file that has one: the walks share this one, and override what they look at.
class syntax_walker : public clang::RecursiveASTVisitor<syntax_walker> {
  using base = clang::RecursiveASTVisitor<syntax_walker>;

 public:
  virtual ~syntax_walker() = default;

  // What RecursiveASTVisitor calls: to walk through such a node, or to look at it; false ends the walk.
  virtual bool TraverseDecl(clang::Decl* declaration) { return base::TraverseDecl(declaration); }
  virtual bool TraverseLambdaExpr(clang::LambdaExpr* lambda) { return base::TraverseLambdaExpr(lambda); }
  virtual bool TraverseIfStmt(clang::IfStmt* statement) { return base::TraverseIfStmt(statement); }
  virtual bool TraverseSwitchStmt(clang::SwitchStmt* statement) {
    return base::TraverseSwitchStmt(statement);
  }
  virtual bool VisitFunctionDecl(clang::FunctionDecl*) { return true; }
  virtual bool VisitLambdaExpr(clang::LambdaExpr*) { return true; }
  virtual bool VisitLabelStmt(clang::LabelStmt*) { return true; }
  virtual bool VisitSwitchCase(clang::SwitchCase*) { return true; }
  virtual bool VisitBlockExpr(clang::BlockExpr*) { return true; }
};

} // namespace windrow::compiler
