// SPDX-License-Identifier: BSD-3-Clause
#include "tools/shell_line.hpp"

#include <unistd.h>

#include <array>
#include <cerrno>

#include "os/process.hpp"

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
  auto shell = os::start_piped({"/bin/sh", "-c", "exec " + line}, os::child_output::standard);
  shell_result result{};
  std::array<char, 4096> part;
  for (ssize_t bytes = 1; bytes != 0;) {
    bytes = ::read(shell.output.get(), part.data(), part.size());
    if (bytes > 0) result.output.append(part.data(), static_cast<std::size_t>(bytes));
    if (bytes < 0 && errno != EINTR) break;
  }
  result.code = os::wait_for(shell.pid).code();
  return result;
}

} // namespace windrow::tools
