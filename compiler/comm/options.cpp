// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/comm/options.hpp"

#include <llvm/ADT/SmallVector.h>

namespace windrow::compiler::comm {

std::string options::read(llvm::StringRef list) {
  on_ = true;
  llvm::SmallVector<llvm::StringRef, 4> words;
  list.split(words, ',', -1, /*KeepEmpty=*/false);
  for (const auto word : words)
    if (const auto wrong = read_word(word); !wrong.empty()) return wrong;
  return "";
}

std::string options::read_word(llvm::StringRef word) {
  if (word == "relaxed")
    relaxed_ = true;
  else if (word == "strict")
    strict_ = true;
  else if (word == "vectorise" || word == "reuse" || word == "split" || word == "coalesce")
    parts_.insert(word);
  else
    return "-fcomm=" + word.str() +
           ": there is no such part; there are strict or relaxed, vectorise, reuse, split and coalesce";
  return relaxed_ && strict_ ? "-fcomm is given both strict and relaxed: name one of them" : "";
}

options& active_options() {
  static options active;
  return active;
}

} // namespace windrow::compiler::comm
