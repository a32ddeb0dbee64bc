// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/plugin/inline_functions.hpp"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>

#include "compiler/comm/options.hpp"
#include "compiler/common/api/marker.hpp"

namespace windrow::compiler {

namespace {

class inline_consumer : public clang::ASTConsumer {
  void Initialize(clang::ASTContext& context) override { context_ = &context; }

  bool HandleTopLevelDecl(clang::DeclGroupRef group) override {
    if (!comm::active_options().relaxed()) return true;
    for (auto* declaration : group) look_at(*declaration);
    return true;
  }

  void look_at(clang::Decl& declaration) {
    if (llvm::isa<clang::NamespaceDecl, clang::LinkageSpecDecl>(declaration))
      for (auto* inner : llvm::cast<clang::DeclContext>(declaration).decls()) look_at(*inner);
    auto* function = llvm::dyn_cast<clang::FunctionDecl>(&declaration);
    if (function && function->isInlined() && function->isExternallyVisible() && follows_rules_of_c(*function))
      function->addAttr(clang::AnnotateAttr::CreateImplicit(*context_, inline_text, nullptr, 0));
  }

  bool follows_rules_of_c(const clang::FunctionDecl& function) const {
    return !context_->getLangOpts().CPlusPlus || function.hasAttr<clang::GNUInlineAttr>();
  }

  clang::ASTContext* context_ = nullptr;
};

} // namespace

std::unique_ptr<clang::ASTConsumer> find_inline_functions() {
  return std::make_unique<inline_consumer>();
}

} // namespace windrow::compiler
