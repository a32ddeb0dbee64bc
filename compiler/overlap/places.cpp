// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/overlap/places.hpp"

#include <llvm/ADT/SmallString.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

namespace windrow::compiler::overlap {

namespace {

// The same file may be named from several folders. Only the file system knows what is above a link.
std::string without_parents(StringRef file) {
  if (!file.contains("/../")) return file.str();
  static StringMap<std::string> known;
  auto& found = known[file];
  if (!found.empty()) return found;
  SmallString<128> real;
  const bool failed = static_cast<bool>(sys::fs::real_path(file, real));
  return found = failed ? file.str() : real.str().str();
}

} // namespace

std::string absolute_file(StringRef folder, StringRef file) {
  if (sys::path::is_absolute(file)) return without_parents(file);
  SmallString<128> whole(folder);
  sys::path::append(whole, file);
  sys::path::remove_dots(whole, /*remove_dot_dot=*/false);
  return without_parents(whole.str());
}

uint64_t function_hashes::of(const DISubprogram& function) const {
  const auto found =
      by_begin_.find({absolute_file(function.getDirectory(), function.getFilename()), function.getLine()});
  return found == by_begin_.end() ? 0 : found->second;
}

function_hashes& known_hashes() {
  static function_hashes all;
  return all;
}

place innermost_place(const DILocation& where) {
  return {absolute_file(where.getDirectory(), where.getFilename()), where.getLine(), where.getColumn()};
}

namespace {

std::string text_of(const place& where, const DISubprogram& function) {
  return std::to_string(where.file.size()) + "\t" + where.file + "\t" + function.getName().str() + "\t" +
         std::to_string(where.line) + "\t" + std::to_string(where.column) + "\t" +
         utohexstr(known_hashes().of(function)) + "\n";
}

} // namespace

std::string text_of(const Instruction& instruction) {
  std::string text;
  for (const auto* at = instruction.getDebugLoc().get(); at; at = at->getInlinedAt())
    text += text_of(innermost_place(*at), *at->getScope()->getSubprogram());
  // What the optimiser has made of other instructions may have no place but its function.
  if (const auto* function = instruction.getFunction()->getSubprogram(); text.empty() && function)
    text = text_of({absolute_file(function->getDirectory(), function->getFilename()), 0, 0}, *function);
  return text;
}

} // namespace windrow::compiler::overlap
