// SPDX-License-Identifier: BSD-3-Clause
// `#pragma shmem defer CLAUSES` becomes tokens in front of the next statement:
//     if (__builtin_annotation(1, "windrow.defer:CLAUSES") == 0) __builtin_assume(0); else STATEMENT
// The built-in needs no declaration and reaches the IR with the directive's text, file and line; without the
// pass it is 1. The form takes exactly one statement, and neither its `break` and `continue` nor an `else`
// behind it. clang's warnings take the way around for one that is never taken, as it is, and the `else` has
// no place in the file: in `if (c) DIRECTIVE STATEMENT` clang would warn there that it might be for the outer
// `if`. `#pragma shmem relaxed` and `strict` become the same with "windrow.comm:". In a constexpr function it
// reads
//     if ((__builtin_is_constant_evaluated() ? 1 : __builtin_annotation(1, TEXT)) == 0) …
// of which only the annotation reaches the IR; a `&&` would be a decision to MC/DC coverage. A consteval
// function is never run by the program, so that the directive says nothing there.
#include <clang/AST/ASTLambda.h>
#include <clang/Basic/Diagnostic.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Sema/Sema.h>

#include "compiler/common/api/marker.hpp"
#include "compiler/plugin/directives.hpp"
#include "compiler/plugin/loop_directives.hpp"
#include "compiler/plugin/session.hpp"

namespace windrow::compiler {

namespace {

using namespace clang;

constexpr char behind_loop_directive_text[] =
    "'#pragma shmem %0' stands between a loop and a directive for it; put it in front of that one";

void enter(Preprocessor& preprocessor, llvm::ArrayRef<Token> tokens) {
  if (tokens.empty()) return;
  auto copy = std::make_unique<Token[]>(tokens.size()); // the preprocessor takes it over
  std::copy(tokens.begin(), tokens.end(), copy.get());
  preprocessor.EnterTokenStream(std::move(copy), tokens.size(), /*DisableMacroExpansion=*/true,
                                /*IsReinject=*/false);
}

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

  void add_without_place(tok::TokenKind kind, llvm::StringRef text) {
    add(kind, text);
    tokens_.back().setLocation(SourceLocation());
  }

  llvm::ArrayRef<Token> tokens() const { return tokens_; }

 private:
  Preprocessor& preprocessor_;
  SourceLocation where_;
  llvm::SmallVector<Token, 32> tokens_;
};

class shmem_pragma : public PragmaHandler {
 public:
  shmem_pragma() : PragmaHandler("shmem") {}

  void HandlePragma(Preprocessor& preprocessor, PragmaIntroducer introducer, Token& pragma) override {
    Token token;
    preprocessor.LexUnexpandedToken(token);
    const auto name = token.is(tok::identifier) ? token.getIdentifierInfo()->getName() : llvm::StringRef();
    if (name != "defer" && name != "relaxed" && name != "strict")
      return ignore(preprocessor, token.is(tok::eod) ? pragma : token, token);
    if (name == "defer" && !carries_out_defer) return skip(preprocessor, token);
    const auto where = token.getLocation();
    const auto text = name == "defer" ? marker_text + read_clauses(preprocessor, token)
                                      : promise_text + read_promise(preprocessor, token, name.str());
    if (begins_declaration(preprocessor, token.getLocation()))
      return refuse(preprocessor, where, name, before_declaration_text);
    if (stands_behind_loop_directive(preprocessor, introducer.Loc))
      return refuse(preprocessor, where, name, behind_loop_directive_text);
    const auto when = evaluation_of(preprocessor);
    if (when == evaluation::compiling) return;
    llvm::SmallVector<Token, 8> labels;
    if (name == "defer") labels = take_labels(preprocessor, token.getLocation());
    insert_marker(preprocessor, where, text, when);
    enter(preprocessor, labels);
  }

 private:
  static void ignore(Preprocessor& preprocessor, const Token& told_at, Token& token) {
    auto& diagnostics = preprocessor.getDiagnostics();
    const auto id = diagnostics.getCustomDiagID(
        DiagnosticsEngine::Warning,
        "unknown '#pragma shmem' directive ignored; expected 'defer', 'relaxed' or 'strict'");
    diagnostics.Report(told_at.getLocation(), id);
    skip(preprocessor, token);
  }

  static void skip(Preprocessor& preprocessor, Token& token) {
    while (token.isNot(tok::eod)) preprocessor.LexUnexpandedToken(token);
  }

  // What follows the directive, as it stands in the file: macros are not looked into. Of C alone, where clang
  // would say less clearly that a declaration is no statement; of C++ refuse_declarations sees all.
  static bool begins_declaration(Preprocessor& preprocessor, SourceLocation end) {
    if (end.isMacroID() || preprocessor.getLangOpts().CPlusPlus) return false;
    const auto word = next_token(preprocessor, end);
    if (!word || word->isNot(tok::raw_identifier)) return false;
    const auto behind = next_token(preprocessor, word->getLocation());
    const bool names_only = behind && behind->isOneOf(tok::l_paren, tok::colon);
    auto* name = preprocessor.getIdentifierInfo(word->getRawIdentifier());
    return !names_only && (is_declaring_keyword(name->getTokenID()) || is_type(*name, word->getLocation()));
  }

  static std::optional<Token> next_token(const Preprocessor& preprocessor, SourceLocation behind) {
    return Lexer::findNextToken(behind, preprocessor.getSourceManager(), preprocessor.getLangOpts());
  }

  static bool is_declaring_keyword(tok::TokenKind kind) {
    switch (kind) {
      case tok::kw_int:
      case tok::kw_char:
      case tok::kw_short:
      case tok::kw_long:
      case tok::kw_signed:
      case tok::kw_unsigned:
      case tok::kw_float:
      case tok::kw_double:
      case tok::kw__Bool:
      case tok::kw_bool:
      case tok::kw_void:
      case tok::kw_struct:
      case tok::kw_union:
      case tok::kw_enum:
      case tok::kw_const:
      case tok::kw_volatile:
      case tok::kw_static:
      case tok::kw_extern:
      case tok::kw_register:
      case tok::kw_auto:
      case tok::kw_constexpr:
      case tok::kw_typedef:
        return true;
      default:
        return false;
    }
  }

  // The parser is where the directive stands, so that its scope is the one to look in.
  static bool is_type(const IdentifierInfo& name, SourceLocation where) {
    auto* compiler = current_compiler();
    if (compiler == nullptr || !compiler->hasSema()) return false;
    auto& sema = compiler->getSema();
    return sema.getCurScope() != nullptr &&
           static_cast<bool>(sema.getTypeName(name, where, sema.getCurScope()));
  }

  // Labels of the statement go in front of the directive's tokens, so that who jumps to it comes by them. (Of
  // a promise the label may have been meant to be a part.)
  static llvm::SmallVector<Token, 8> take_labels(Preprocessor& preprocessor, SourceLocation end) {
    llvm::SmallVector<Token, 8> labels;
    while (begins_label(preprocessor, end)) {
      const auto first = labels.size();
      take_label(preprocessor, labels);
      if (labels[first].is(tok::identifier)) take_attributes(preprocessor, labels);
      end = labels.back().getLocation();
    }
    return labels;
  }

  static bool begins_label(Preprocessor& preprocessor, SourceLocation end) {
    if (end.isMacroID()) return false;
    const auto word = next_token(preprocessor, end);
    if (!word || word->isNot(tok::raw_identifier)) return false;
    const auto* name = preprocessor.getIdentifierInfo(word->getRawIdentifier());
    if (name->hasMacroDefinition()) return false;
    if (name->getTokenID() == tok::kw_case) return true;
    const auto behind = next_token(preprocessor, word->getLocation());
    return behind && behind->is(tok::colon);
  }

  static void take_label(Preprocessor& preprocessor, llvm::SmallVectorImpl<Token>& labels) {
    unsigned choices = 0; // of `case c ? 1 : 2:`
    while (true) {
      Token token;
      preprocessor.Lex(token);
      if (token.is(tok::eof)) return;
      labels.push_back(token);
      if (token.isOneOf(tok::semi, tok::l_brace, tok::r_brace)) return; // clang says what is wrong
      if (token.is(tok::question)) ++choices;
      if (token.is(tok::colon) && choices-- == 0) return;
    }
  }

  // Of the label, in C; in C++ those behind it are the statement's.
  static void take_attributes(Preprocessor& preprocessor, llvm::SmallVectorImpl<Token>& labels) {
    while (begins_attribute(preprocessor, labels.back().getLocation())) {
      unsigned open = 0;
      Token token;
      preprocessor.Lex(token);
      do {
        labels.push_back(token);
        preprocessor.Lex(token);
        open += token.is(tok::l_paren);
        open -= open > 0 && token.is(tok::r_paren);
      } while (open > 0 && token.isNot(tok::eof));
      labels.push_back(token);
    }
  }

  static bool begins_attribute(Preprocessor& preprocessor, SourceLocation end) {
    if (preprocessor.getLangOpts().CPlusPlus || end.isMacroID()) return false;
    const auto word = next_token(preprocessor, end);
    return word && word->is(tok::raw_identifier) &&
           preprocessor.getIdentifierInfo(word->getRawIdentifier())->getTokenID() == tok::kw___attribute;
  }

  // Of the function that the parser is in.
  enum class evaluation { running, either, compiling };

  // Bodies of members are kept to be parsed when the class is complete, and of a lambda it shows at its end
  // whether it is constexpr: they may be.
  static evaluation evaluation_of(const Preprocessor& preprocessor) {
    if (!preprocessor.getLangOpts().CPlusPlus) return evaluation::running;
    auto* compiler = current_compiler();
    if (compiler == nullptr || !compiler->hasSema()) return evaluation::either;
    const auto* function = compiler->getSema().getCurFunctionDecl(/*AllowLambda=*/true);
    if (function == nullptr || isLambdaCallOperator(function)) return evaluation::either;
    if (function->isConsteval()) return evaluation::compiling;
    return function->isConstexpr() ? evaluation::either : evaluation::running;
  }

  template <unsigned N>
  static void refuse(Preprocessor& preprocessor, SourceLocation where, llvm::StringRef name,
                     const char (&why)[N]) {
    auto& diagnostics = preprocessor.getDiagnostics();
    diagnostics.Report(where, diagnostics.getCustomDiagID(DiagnosticsEngine::Error, why)) << name;
  }

  static std::string read_clauses(Preprocessor& preprocessor, Token& token) {
    std::string clauses;
    auto& diagnostics = preprocessor.getDiagnostics();
    for (preprocessor.LexUnexpandedToken(token); token.isNot(tok::eod);
         preprocessor.LexUnexpandedToken(token)) {
      const auto word = preprocessor.getSpelling(token);
      if (word == "strict" || word == "no_fusion" || word == "nowait") {
        clauses += (clauses.empty() ? "" : " ") + word;
        continue;
      }
      const auto id = diagnostics.getCustomDiagID(
          DiagnosticsEngine::Error,
          "unknown clause '%0' of '#pragma shmem defer'; there are 'strict', 'no_fusion' and 'nowait'");
      diagnostics.Report(token.getLocation(), id) << word;
    }
    return clauses;
  }

  // It has no clauses.
  static std::string read_promise(Preprocessor& preprocessor, Token& token, const std::string& name) {
    auto& diagnostics = preprocessor.getDiagnostics();
    for (preprocessor.LexUnexpandedToken(token); token.isNot(tok::eod);
         preprocessor.LexUnexpandedToken(token)) {
      const auto id = diagnostics.getCustomDiagID(DiagnosticsEngine::Error,
                                                  "'#pragma shmem %0' has no clauses, but there is '%1'");
      diagnostics.Report(token.getLocation(), id) << name << preprocessor.getSpelling(token);
    }
    return name;
  }

  static void add_constant(token_list& list) {
    list.add(tok::l_paren, "(");
    list.add(tok::identifier, "__builtin_is_constant_evaluated");
    list.add(tok::l_paren, "(");
    list.add(tok::r_paren, ")");
    list.add(tok::question, "?");
    list.add(tok::numeric_constant, "1");
    list.add(tok::colon, ":");
  }

  static void insert_marker(Preprocessor& preprocessor, SourceLocation where, const std::string& text,
                            evaluation when) {
    token_list list(preprocessor, where);
    list.add(tok::identifier, "if");
    list.add(tok::l_paren, "(");
    if (when == evaluation::either) add_constant(list);
    list.add(tok::identifier, "__builtin_annotation");
    list.add(tok::l_paren, "(");
    list.add(tok::numeric_constant, "1");
    list.add(tok::comma, ",");
    list.add(tok::string_literal, "\"" + text + "\"");
    list.add(tok::r_paren, ")");
    if (when == evaluation::either) list.add(tok::r_paren, ")");
    list.add(tok::equalequal, "==");
    list.add(tok::numeric_constant, "0");
    list.add(tok::r_paren, ")");
    list.add(tok::identifier, "__builtin_assume");
    list.add(tok::l_paren, "(");
    list.add(tok::numeric_constant, "0");
    list.add(tok::r_paren, ")");
    list.add(tok::semi, ";");
    list.add_without_place(tok::identifier, "else");
    enter(preprocessor, list.tokens());
  }
};

const PragmaHandlerRegistry::Add<shmem_pragma> registered_pragma("shmem", "OpenSHMEM directives");

} // namespace

} // namespace windrow::compiler
