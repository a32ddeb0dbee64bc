// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/plugin/function_texts.hpp"

#include <clang/Basic/CodeGenOptions.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Lex/Preprocessor.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/Support/Path.h>

#include <utility>
#include <vector>

#include "compiler/overlap/places.hpp"
#include "compiler/plugin/syntax_walker.hpp"

namespace windrow::compiler {

namespace {

// FNV-1a, the same everywhere.
std::uint64_t added_to(std::uint64_t hash, llvm::StringRef text) {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
  return (hash ^ 0xff) * 1099511628211U;
}

/// The tokens that the parser has read, in this order, by where they stand; those of a macro stand where it
/// is used.
class token_record {
 public:
  void add(clang::SourceLocation where, llvm::StringRef text) {
    const auto index = static_cast<unsigned>(hashes_.size());
    const auto [known, is_new] = places_.try_emplace(where.getRawEncoding(), std::pair(index, index));
    if (!is_new) known->second.second = index;
    hashes_.push_back(added_to(14695981039346656037U, text));
  }

  /// 0 if they are not known.
  std::uint64_t hash_between(clang::SourceLocation begin, clang::SourceLocation end) const {
    const auto first = places_.find(begin.getRawEncoding()), last = places_.find(end.getRawEncoding());
    if (first == places_.end() || last == places_.end()) return 0;
    std::uint64_t hash = 0;
    for (auto i = first->second.first; i <= last->second.second; ++i)
      hash = (hash ^ hashes_[i]) * 1099511628211U;
    return hash;
  }

 private:
  llvm::DenseMap<unsigned, std::pair<unsigned, unsigned>> places_; ///< the first and the last there
  std::vector<std::uint64_t> hashes_;
};

class text_visitor : public syntax_walker {
 public:
  text_visitor(const clang::CompilerInstance& compiler, const std::string& folder, const token_record& tokens)
      : sources_(compiler.getSourceManager()),
        options_(compiler.getCodeGenOpts()),
        folder_(as_told(folder)),
        tokens_(tokens) {}

  bool VisitFunctionDecl(clang::FunctionDecl* function) override {
    if (function->doesThisDeclarationHaveABody()) add(*function);
    return true;
  }
  bool VisitLambdaExpr(clang::LambdaExpr* lambda) override {
    add(*lambda->getCallOperator());
    return true;
  }

 private:
  // As clang tells the debugger where the function is.
  void add(const clang::FunctionDecl& function) {
    const auto place = sources_.getPresumedLoc(function.getLocation());
    if (place.isInvalid()) return;
    const auto hash = tokens_.hash_between(sources_.getExpansionLoc(function.getBeginLoc()),
                                           sources_.getExpansionLoc(function.getEndLoc()));
    overlap::known_hashes().add(overlap::absolute_file(folder_, as_told(place.getFilename())),
                                place.getLine(), hash);
  }

  // By -ffile-prefix-map.
  std::string as_told(llvm::StringRef path) const {
    llvm::SmallString<128> told(path);
    for (const auto& [from, to] : llvm::reverse(options_.DebugPrefixMap))
      if (llvm::sys::path::replace_path_prefix(told, from, to)) break;
    return told.str().str();
  }

  const clang::SourceManager& sources_;
  const clang::CodeGenOptions& options_;
  std::string folder_;
  const token_record& tokens_;
};

class text_consumer : public clang::ASTConsumer {
 public:
  explicit text_consumer(clang::CompilerInstance& compiler) : compiler_(compiler) {
    auto& preprocessor = compiler.getPreprocessor();
    preprocessor.setTokenWatcher([this, &preprocessor](const clang::Token& token) {
      if (!token.isAnnotation() && token.isNot(clang::tok::eof))
        tokens_.add(compiler_.getSourceManager().getExpansionLoc(token.getLocation()),
                    preprocessor.getSpelling(token));
    });
  }

  void HandleTranslationUnit(clang::ASTContext& context) override {
    const auto folder = compiler_.getVirtualFileSystem().getCurrentWorkingDirectory();
    text_visitor(compiler_, folder ? *folder : "", tokens_).TraverseDecl(context.getTranslationUnitDecl());
  }

 private:
  clang::CompilerInstance& compiler_;
  token_record tokens_;
};

} // namespace

std::unique_ptr<clang::ASTConsumer> hash_functions(clang::CompilerInstance& compiler) {
  return std::make_unique<text_consumer>(compiler);
}

} // namespace windrow::compiler
