// SPDX-License-Identifier: BSD-3-Clause
// `#pragma shmem defer CLAUSES` becomes tokens in front of the next statement:
//     if (!__builtin_annotation(1, "windrow.defer:CLAUSES")) {} else STATEMENT
// The built-in needs no declaration and reaches the IR with the directive's text, file and line; without the
// pass it is 1. The form takes exactly one statement, and neither its `break` and `continue` nor an `else`
// behind it.
#include <clang/Basic/Diagnostic.h>
#include <clang/Lex/Preprocessor.h>

#include "compiler/pass/marker.hpp"

namespace windrow::defer {

namespace {

using namespace clang;

class token_list {
 public:
  token_list(Preprocessor& preprocessor, SourceLocation where) : preprocessor_(preprocessor), where_(where) {}

  // All tokens get a spelling, punctuation too, so that -E shows a program that means the same.
  void add(tok::TokenKind kind, llvm::StringRef text) {
    Token token;
    token.startToken();
    token.setKind(kind);
    preprocessor_.CreateString(text, token, where_, where_);
    if (kind == tok::identifier) {
      auto* name = preprocessor_.getIdentifierInfo(text);
      token.setIdentifierInfo(name);
      token.setKind(name->getTokenID());
    }
    token.setFlag(tokens_.empty() ? Token::StartOfLine : Token::LeadingSpace);
    tokens_.push_back(token);
  }

  void enter() const {
    auto copy = std::make_unique<Token[]>(tokens_.size()); // the preprocessor takes it over
    std::copy(tokens_.begin(), tokens_.end(), copy.get());
    preprocessor_.EnterTokenStream(std::move(copy), tokens_.size(), /*DisableMacroExpansion=*/true,
                                   /*IsReinject=*/false);
  }

 private:
  Preprocessor& preprocessor_;
  SourceLocation where_;
  llvm::SmallVector<Token, 16> tokens_;
};

class shmem_pragma : public PragmaHandler {
 public:
  shmem_pragma() : PragmaHandler("shmem") {}

  void HandlePragma(Preprocessor& preprocessor, PragmaIntroducer, Token& pragma) override {
    Token token;
    preprocessor.LexUnexpandedToken(token);
    if (token.isNot(tok::identifier) || token.getIdentifierInfo()->getName() != "defer")
      return ignore(preprocessor, token.is(tok::eod) ? pragma : token, token);
    const auto where = token.getLocation();
    insert_marker(preprocessor, where, read_clauses(preprocessor, token));
  }

 private:
  static void ignore(Preprocessor& preprocessor, const Token& told_at, Token& token) {
    auto& diagnostics = preprocessor.getDiagnostics();
    const auto id = diagnostics.getCustomDiagID(
        DiagnosticsEngine::Warning, "unknown '#pragma shmem' directive ignored; expected 'defer'");
    diagnostics.Report(told_at.getLocation(), id);
    while (token.isNot(tok::eod)) preprocessor.LexUnexpandedToken(token);
  }

  static std::string read_clauses(Preprocessor& preprocessor, Token& token) {
    std::string clauses;
    auto& diagnostics = preprocessor.getDiagnostics();
    for (preprocessor.LexUnexpandedToken(token); token.isNot(tok::eod);
         preprocessor.LexUnexpandedToken(token)) {
      const auto word = preprocessor.getSpelling(token);
      if (word == "strict" || word == "no_fusion") {
        clauses += (clauses.empty() ? "" : " ") + word;
        continue;
      }
      const auto id = diagnostics.getCustomDiagID(
          DiagnosticsEngine::Error,
          "unknown clause '%0' of '#pragma shmem defer'; there are 'strict' and 'no_fusion'");
      diagnostics.Report(token.getLocation(), id) << word;
    }
    return clauses;
  }

  static void insert_marker(Preprocessor& preprocessor, SourceLocation where, const std::string& clauses) {
    token_list list(preprocessor, where);
    list.add(tok::identifier, "if");
    list.add(tok::l_paren, "(");
    list.add(tok::exclaim, "!");
    list.add(tok::identifier, "__builtin_annotation");
    list.add(tok::l_paren, "(");
    list.add(tok::numeric_constant, "1");
    list.add(tok::comma, ",");
    list.add(tok::string_literal, "\"" + (marker_text + clauses) + "\"");
    list.add(tok::r_paren, ")");
    list.add(tok::r_paren, ")");
    list.add(tok::l_brace, "{");
    list.add(tok::r_brace, "}");
    list.add(tok::identifier, "else");
    list.enter();
  }
};

const PragmaHandlerRegistry::Add<shmem_pragma> registered("shmem", "OpenSHMEM directives");

} // namespace

} // namespace windrow::defer
