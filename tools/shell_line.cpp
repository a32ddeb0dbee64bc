// SPDX-License-Identifier: BSD-3-Clause
#include "tools/shell_line.hpp"

#include <array>
#include <cstdio>

#include "os/process.hpp"
#include "windrow/error.hpp"

namespace windrow::tools {

namespace {

// So that a shell reads the word as it is.
std::string quoted(const std::string& word) {
  constexpr const char* harmless = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%";
  if (!word.empty() && word.find_first_not_of(harmless) == std::string::npos) return word;
  std::string result = "'";
  for (const char c : word) result += c == '\'' ? "'\\''" : std::string(1, c);
  return result + "'";
}

} // namespace

std::string shell_line(const std::vector<std::string>& words) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : " ") + quoted(word);
  return text;
}

shell_result run_in_shell(const std::string& line) {
  auto* output = ::popen(line.c_str(), "re");
  if (output == nullptr) throw error("cannot start a shell for: " + line);
  shell_result result{};
  std::array<char, 4096> part;
  while (const auto bytes = std::fread(part.data(), 1, part.size(), output))
    result.output.append(part.data(), bytes);
  result.code = os::exit_status(::pclose(output)).code();
  return result;
}

} // namespace windrow::tools
