// SPDX-License-Identifier: BSD-3-Clause
#include "tools/compiler_line.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string_view>
#include <utility>

namespace windrow::tools {

namespace {

using words = std::vector<std::string>;

constexpr int deepest = 100; // of response files that name each other

// Words between white space; quotes of both kinds and backslashes protect what they do everywhere.
words split_quoted(std::istream& text) {
  words result;
  std::string word;
  bool begun = false;
  char quote = 0;
  for (char c = 0; text.get(c);) {
    if (c == '\\' && text.get(c)) {
      word += c;
      begun = true;
    } else if (quote != 0 ? c == quote : c == '\'' || c == '"') {
      quote = quote != 0 ? '\0' : c;
      begun = true;
    } else if (quote == 0 && std::isspace(static_cast<unsigned char>(c)) != 0) {
      if (begun) result.push_back(std::exchange(word, {}));
      begun = false;
    } else {
      word += c;
      begun = true;
    }
  }
  if (begun) result.push_back(word);
  return result;
}

void expand(const words& arguments, words& to, int depth) {
  for (const auto& word : arguments) {
    std::ifstream file(word.starts_with('@') && depth < deepest ? word.substr(1) : "");
    if (file)
      expand(split_quoted(file), to, depth + 1);
    else
      to.push_back(word);
  }
}

// Options whose value is the next word.
constexpr auto with_value =
    std::to_array<std::string_view>({"-o",         "-x",           "-I",
                                     "-D",         "-U",           "-L",
                                     "-include",   "-imacros",     "-isystem",
                                     "-idirafter", "-iquote",      "-iprefix",
                                     "-isysroot",  "-iwithprefix", "-iwithprefixbefore",
                                     "-MF",        "-MT",          "-MQ",
                                     "-Xlinker",   "-Xassembler",  "-Xpreprocessor",
                                     "-Xclang",    "-mllvm",       "-u",
                                     "-T",         "-z",           "-e",
                                     "-A",         "-B",           "-aux-info",
                                     "-dumpbase",  "-dumpdir",     "-dumpbase-ext",
                                     "-wrapper",   "-target",      "-arch",
                                     "--param",    "-h",           "-R",
                                     "-Tbss",      "-Tdata",       "-Ttext",
                                     "-rpath",     "-soname",      "-framework",
                                     "--sysroot",  "-specs",       "-gcc-toolchain"});

constexpr auto stop_early = std::to_array<std::string_view>(
    {"-c", "--compile", "-S", "--assemble", "-E", "--preprocess", "-M", "--dependencies", "-MM",
     "--user-dependencies", "-fsyntax-only", "--precompile", "--analyze", "-emit-ast", "--version",
     "-dumpversion", "-dumpmachine", "-dumpfullversion"});

constexpr auto of_headers =
    std::to_array<std::string_view>({".h", ".H", ".hh", ".hp", ".hxx", ".hpp", ".HPP", ".h++", ".tcc"});

template <class List>
bool has(const List& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

// Options for the linker, however they are passed on to it.
words linker_options(const words& arguments) {
  words result;
  for (auto word = arguments.begin(); word != arguments.end(); ++word) {
    if (word->starts_with("-Wl,")) {
      std::istringstream list(word->substr(4));
      for (std::string part; std::getline(list, part, ',');) result.push_back(part);
    } else if ((*word == "-Xlinker" || *word == "-z") && std::next(word) != arguments.end()) {
      result.push_back(*++word);
    } else {
      result.push_back(*word);
    }
  }
  return result;
}

struct input_kinds {
  bool headers = false, others = false;
};

// Libraries are inputs too; headers are compiled to what the compiler reads faster.
input_kinds inputs_of(const words& arguments) {
  input_kinds kinds;
  bool as_header = false;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const auto& word = arguments[i];
    if (word == "-x" && i + 1 < arguments.size()) as_header = arguments[i + 1].ends_with("-header");
    if (word.starts_with("-x") && word.size() > 2) as_header = word.ends_with("-header");
    if (has(with_value, word))
      ++i;
    else if (!word.starts_with('-') || word == "-" || word.starts_with("-l"))
      (as_header || has(of_headers, std::filesystem::path(word).extension().string()) ? kinds.headers
                                                                                      : kinds.others) = true;
  }
  return kinds;
}

bool has_any(const words& list, std::initializer_list<std::string_view> of) {
  return std::any_of(of.begin(), of.end(), [&](auto word) { return has(list, word); });
}

words without_values(const words& arguments) {
  words result;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    result.push_back(arguments[i]);
    if (has(with_value, arguments[i])) ++i;
  }
  return result;
}

bool stops_early(const words& arguments) {
  const auto options = without_values(arguments);
  return std::any_of(options.begin(), options.end(), [](const std::string& word) {
    return has(stop_early, word) || word.starts_with("-print-") || word.starts_with("--print-");
  });
}

std::string output_of(const words& arguments) {
  std::string file;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const auto& word = arguments[i];
    if (word == "-o" && i + 1 < arguments.size())
      file = arguments[++i];
    else if (word.starts_with("-o"))
      file = word.substr(2);
  }
  return std::filesystem::path(file).filename();
}

// By PEP 3149 and its kin: NAME.abi3.so, NAME.cpython-311-x86_64-linux-gnu.so,
// NAME.pypy39-pp73-x86_64-linux-gnu.so.
bool is_of_python(const std::string& file) {
  return file.ends_with(".so") && (file.find(".cpython-") != std::string::npos ||
                                   file.ends_with(".abi3.so") || file.find(".pypy") != std::string::npos);
}

} // namespace

words with_response_files(const words& arguments) {
  words result;
  expand(arguments, result, 0);
  return result;
}

product product_of(const words& arguments) {
  if (stops_early(arguments) || !inputs_of(arguments).others) return product::none;
  const auto options = linker_options(arguments);
  if (has_any(options, {"-r", "-i", "--relocatable"})) return product::relocatable;
  if (has_any(options, {"-shared", "--shared", "-Bshareable"}))
    return has(arguments, "-lwindrow") || is_of_python(output_of(arguments)) ? product::module
                                                                             : product::library;
  const bool open = has_any(options, {"-rdynamic", "--export-dynamic", "-export-dynamic", "-E"});
  return open ? product::open_program : product::program;
}

bool forbids_undefined(const words& arguments) {
  return has_any(linker_options(arguments), {"--no-undefined", "-no-undefined", "defs"});
}

} // namespace windrow::tools
