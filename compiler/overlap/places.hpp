// SPDX-License-Identifier: BSD-3-Clause
// Places in the source as the recording and the plan name them.
#pragma once

#include <map>
#include <string>

#include "compiler/common/llvm/names.hpp"

namespace windrow::compiler::overlap {

/// The file's name from the root of the file system.
std::string absolute_file(StringRef folder, StringRef file);

/// Hashes of the text of functions: of their tokens behind the preprocessor, which neither the level of
/// optimisation nor -g nor clang's release changes. The front end fills it (plugin/function_texts.cpp).
class function_hashes {
 public:
  /// Functions that begin on one line are told apart by nobody, and have one hash.
  void add(const std::string& file, unsigned line, uint64_t hash) { by_begin_[{file, line}] += hash; }
  /// 0 if nothing is known of it.
  uint64_t of(const DISubprogram& function) const;

 private:
  std::map<std::pair<std::string, unsigned>, uint64_t> by_begin_;
};
function_hashes& known_hashes();

/// A place in the source, without what it was inlined into.
struct place {
  std::string file;
  unsigned line = 0, column = 0;
  auto operator<=>(const place&) const = default;
};
place innermost_place(const DILocation& where);

/// The place with all that it was inlined into, as struct windrow_overlap_site has it.
std::string text_of(const Instruction& instruction);

} // namespace windrow::compiler::overlap
