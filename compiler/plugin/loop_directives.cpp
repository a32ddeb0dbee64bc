// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/plugin/loop_directives.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

namespace windrow::compiler {

namespace {

llvm::StringRef line_above(const clang::SourceManager& sources, clang::SourceLocation where) {
  const auto [file, offset] = sources.getDecomposedLoc(where);
  const auto before = sources.getBufferData(file).take_front(offset).rtrim();
  return before.drop_front(before.rfind('\n') + 1).trim();
}

llvm::StringRef take_word(llvm::StringRef& text) {
  text = text.ltrim();
  const auto word = text.take_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
  text = text.drop_front(word.size());
  return word;
}

bool wants_loop_in_openmp(llvm::StringRef rest) {
  bool found = false;
  for (auto word = take_word(rest); !word.empty() && word != "declare"; word = take_word(rest))
    found |= llvm::is_contained<llvm::StringRef>({"for", "simd", "loop", "distribute", "taskloop"}, word);
  return found;
}

bool wants_loop(llvm::StringRef line, bool openmp) {
  if (!line.consume_front("#") || take_word(line) != "pragma") return false;
  const auto family = take_word(line);
  if (family == "clang") return take_word(line) == "loop";
  if (family == "GCC") return take_word(line) == "unroll";
  if (family == "omp") return openmp && wants_loop_in_openmp(line);
  return llvm::is_contained<llvm::StringRef>({"unroll", "nounroll", "unroll_and_jam", "nounroll_and_jam"},
                                             family);
}

} // namespace

bool stands_behind_loop_directive(const clang::Preprocessor& preprocessor, clang::SourceLocation where) {
  return where.isFileID() && wants_loop(line_above(preprocessor.getSourceManager(), where),
                                        preprocessor.getLangOpts().OpenMP != 0);
}

} // namespace windrow::compiler
