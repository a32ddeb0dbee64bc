// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/plugin/directives.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/Basic/SourceManager.h>

#include "compiler/common/api/marker.hpp"
#include "compiler/plugin/syntax_walker.hpp"

namespace windrow::compiler {

namespace {

// Of (__builtin_is_constant_evaluated() ? 1 : __builtin_annotation(1, TEXT)), or of the last alone.
const clang::CallExpr* annotation_in(const clang::Expr& value) {
  const auto* inner = value.IgnoreParenImpCasts();
  if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(inner))
    inner = choice->getFalseExpr()->IgnoreParenImpCasts();
  return llvm::dyn_cast<clang::CallExpr>(inner);
}

bool is_of_directive(llvm::StringRef text) {
  return text.starts_with(marker_text) || text.starts_with(promise_text);
}

bool declares(const clang::Stmt* statement) {
  while (true)
    if (const auto* label = llvm::dyn_cast_or_null<clang::LabelStmt>(statement))
      statement = label->getSubStmt();
    else if (const auto* choice = llvm::dyn_cast_or_null<clang::SwitchCase>(statement))
      statement = choice->getSubStmt();
    else
      return llvm::isa_and_nonnull<clang::DeclStmt>(statement);
}

class declaration_visitor : public syntax_walker {
 public:
  explicit declaration_visitor(clang::ASTContext& context) : context_(context) {}

  bool TraverseIfStmt(clang::IfStmt* statement) override {
    const auto text = directive_of(*statement);
    if (!text.empty() && declares(statement->getElse())) refuse(*statement, name_of(text));
    return syntax_walker::TraverseIfStmt(statement);
  }

 private:
  static llvm::StringRef name_of(llvm::StringRef text) {
    return text.consume_front(promise_text) ? text : "defer";
  }

  void refuse(const clang::IfStmt& directive, llvm::StringRef name) {
    auto& diagnostics = context_.getDiagnostics();
    const auto id = diagnostics.getCustomDiagID(clang::DiagnosticsEngine::Error, before_declaration_text);
    diagnostics.Report(context_.getSourceManager().getExpansionLoc(directive.getBeginLoc()), id) << name;
  }

  clang::ASTContext& context_;
};

class declaration_consumer : public clang::ASTConsumer {
  void Initialize(clang::ASTContext& context) override { context_ = &context; }

  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    if (!may_have_directives(*context_)) return true;
    for (auto* declaration : group) declaration_visitor(*context_).TraverseDecl(declaration);
    return true;
  }

  clang::ASTContext* context_ = nullptr;
};

} // namespace

llvm::StringRef directive_of(const clang::IfStmt& statement) {
  if (statement.isConsteval()) return {}; // has no condition
  const auto* compare = llvm::dyn_cast<clang::BinaryOperator>(statement.getCond()->IgnoreParenImpCasts());
  const auto* call =
      compare && compare->getOpcode() == clang::BO_EQ ? annotation_in(*compare->getLHS()) : nullptr;
  const auto* text = call && call->getNumArgs() == 2
                         ? llvm::dyn_cast<clang::StringLiteral>(call->getArg(1)->IgnoreParenImpCasts())
                         : nullptr;
  const bool found = text && statement.getElse() && text->isOrdinary() && is_of_directive(text->getString());
  return found ? text->getString() : llvm::StringRef();
}

// clang declares the built-in when it comes to a use of it.
bool may_have_directives(clang::ASTContext& context) {
  const auto found = context.Idents.find("__builtin_annotation");
  return found != context.Idents.end() && found->getValue()->getFETokenInfo() != nullptr;
}

std::unique_ptr<clang::ASTConsumer> refuse_declarations() {
  return std::make_unique<declaration_consumer>();
}

} // namespace windrow::compiler
