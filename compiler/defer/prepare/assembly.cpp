// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/defer/prepare/assembly.hpp"

#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/IR/InlineAsm.h>

namespace windrow::compiler::defer {

namespace {

const StringSet<> defining{".set",   ".equ",    ".equiv",  ".eqv",  ".comm",
                           ".lcomm", ".common", ".symver", ".macro"};
constexpr const char* number_of_copy = "${:uid}"; // what clang makes of %=
constexpr const char* blanks = " \t\r\v\f";

// Of a colon that ends a label; those in ${…} belong to operands.
size_t end_of_label(StringRef statement) {
  bool in_operand = false;
  for (size_t at = 0; at < statement.size(); ++at) {
    const auto letter = statement[at];
    if (in_operand)
      in_operand = letter != '}';
    else if (statement.substr(at).starts_with("${"))
      in_operand = true;
    else if (letter == ':')
      return at;
  }
  return StringRef::npos;
}

bool is_label_of_each_copy(StringRef label) {
  return all_of(label, isDigit) || label.contains(number_of_copy);
}

// A name with blanks in quotation marks would be one, too.
bool may_be_name(StringRef text) {
  return !text.empty() && (text.starts_with("\"") || text.find_first_of(blanks) == StringRef::npos);
}

bool is_assignment(StringRef statement) {
  const auto [name, value] = statement.split('=');
  return name.size() < statement.size() && !value.starts_with("=") && may_be_name(name.rtrim(blanks)) &&
         !name.starts_with("$");
}

StringRef first_word(StringRef text) {
  return text.ltrim(blanks).take_until([](char letter) { return isSpace(letter); });
}

class symbol_finder {
 public:
  bool defines(StringRef statement) {
    while (true) {
      statement = statement.ltrim(blanks);
      if (statement.starts_with("#") || statement.starts_with("//")) return false;
      const auto end = end_of_label(statement);
      const auto label = statement.take_front(end).rtrim(blanks);
      if (end == StringRef::npos || !may_be_name(label)) break;
      if (!is_label_of_each_copy(label) && !unless_defined_.contains(label)) return true;
      statement = statement.drop_front(end + 1);
    }
    const auto word = first_word(statement);
    if (word == ".ifndef" || word == ".ifnotdef")
      unless_defined_.insert(first_word(statement.drop_front(word.size())));
    return defining.contains(word.lower()) || is_assignment(statement);
  }

 private:
  StringSet<> unless_defined_; // as probes for tracing define their base
};

bool defines_symbol(StringRef assembly) {
  symbol_finder finder;
  for (auto rest = assembly; !rest.empty();) {
    const auto end = rest.find_first_of("\n;");
    if (finder.defines(rest.take_front(end))) return true;
    rest = end == StringRef::npos ? StringRef() : rest.drop_front(end + 1);
  }
  return false;
}

} // namespace

void keep_definitions_single(Module& module) {
  for (auto& function : module)
    for (auto& instruction : instructions(function)) {
      auto* call = dyn_cast<CallBase>(&instruction);
      const auto* assembly = call ? dyn_cast<InlineAsm>(call->getCalledOperand()) : nullptr;
      if (assembly && defines_symbol(assembly->getAsmString())) call->addFnAttr(Attribute::NoDuplicate);
    }
}

} // namespace windrow::compiler::defer
