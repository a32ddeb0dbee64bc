// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/plugin/strict_reach.hpp"

#include "compiler/comm/options.hpp"
#include "compiler/common/api/marker.hpp"
#include "compiler/plugin/directives.hpp"
#include "compiler/plugin/syntax_walker.hpp"

namespace windrow::compiler {

namespace {

using namespace clang;

const std::string strict_text = std::string(promise_text) + "strict";

class visitor : public syntax_walker {
  using base = syntax_walker;

 public:
  explicit visitor(ASTContext& context) : context_(context) {}

  bool TraverseDecl(Decl* declaration) override {
    auto* function = dyn_cast_or_null<FunctionDecl>(declaration);
    if (!function) return base::TraverseDecl(declaration);
    return in_function(*function, [&] { return base::TraverseDecl(declaration); });
  }

  bool TraverseLambdaExpr(LambdaExpr* lambda) override {
    return in_function(*lambda->getCallOperator(), [&] { return base::TraverseLambdaExpr(lambda); });
  }

  bool TraverseIfStmt(IfStmt* statement) override {
    if (directive_of(*statement) != strict_text) return base::TraverseIfStmt(statement);
    const auto outside = state_;
    state_.strict = true;
    state_.switches = 0;
    const bool goes_on = TraverseStmt(statement->getElse());
    state_ = outside;
    return goes_on;
  }

  bool TraverseSwitchStmt(SwitchStmt* statement) override {
    ++state_.switches;
    const bool goes_on = base::TraverseSwitchStmt(statement);
    --state_.switches;
    return goes_on;
  }

  bool VisitLabelStmt(LabelStmt* label) override { return look_at_label(label->getBeginLoc()); }

  bool VisitSwitchCase(SwitchCase* label) override {
    return state_.switches > 0 || look_at_label(label->getBeginLoc());
  }

  bool VisitBlockExpr(BlockExpr* block) override {
    if (state_.strict)
      tell(DiagnosticsEngine::Error, block->getBeginLoc(),
           "'#pragma shmem strict' does not reach into a block; put the directive into it");
    return true;
  }

 private:
  struct state {
    FunctionDecl* function = nullptr;
    bool strict = false;   ///< a strict statement is around
    unsigned switches = 0; ///< in it, or in the function
  };

  template <class F>
  bool in_function(FunctionDecl& function, F traverse) {
    const auto outside = state_;
    if (state_.strict) mark_all(function);
    state_.function = &function;
    state_.switches = 0;
    const bool goes_on = traverse();
    state_ = outside;
    return goes_on;
  }

  // The statement may be entered there, past the directive.
  bool look_at_label(SourceLocation where) {
    if (!state_.strict || !state_.function || is_marked(*state_.function)) return true;
    mark_all(*state_.function);
    tell(DiagnosticsEngine::Warning, where,
         "the statement of '#pragma shmem strict' may be entered by this label; all of '" +
             state_.function->getNameAsString() + "' is strict");
    return true;
  }

  static bool is_marked(const FunctionDecl& function) {
    return llvm::any_of(function.specific_attrs<AnnotateAttr>(),
                        [](const AnnotateAttr* one) { return one->getAnnotation() == strict_text; });
  }

  void mark_all(FunctionDecl& function) {
    mark(function);
    if (auto* pattern = function.getDescribedFunctionTemplate())
      for (auto* made : pattern->specializations()) mark(*made);
  }

  void mark(FunctionDecl& function) {
    if (!is_marked(function))
      function.addAttr(AnnotateAttr::CreateImplicit(context_, strict_text, nullptr, 0));
  }

  void tell(DiagnosticsEngine::Level level, SourceLocation where, const std::string& text) {
    auto& diagnostics = context_.getDiagnostics();
    diagnostics.Report(where, diagnostics.getCustomDiagID(level, "%0")) << text;
  }

  ASTContext& context_;
  state state_;
};

class consumer : public ASTConsumer {
  void Initialize(ASTContext& context) override { context_ = &context; }

  bool HandleTopLevelDecl(DeclGroupRef group) override {
    if (!may_have_directives(*context_) || !comm::active_options().is_on()) return true;
    for (auto* declaration : group) visitor(*context_).TraverseDecl(declaration);
    return true;
  }

  ASTContext* context_ = nullptr;
};

} // namespace

std::unique_ptr<ASTConsumer> find_strict_functions() {
  return std::make_unique<consumer>();
}

} // namespace windrow::compiler
