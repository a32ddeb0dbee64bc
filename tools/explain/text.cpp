// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "tools/explain/source.hpp"
#include "windrow/error.hpp"

namespace windrow::tools {

namespace {

constexpr int lines_around = 2; // of a remark, that are shown

const char* colour_of(verdict what) {
  static constexpr const char* colours[] = {"\033[32m", "\033[36m", "\033[33m", "\033[31m"};
  return colours[static_cast<int>(what)];
}

std::string remark_line(const remark& one, text_style style) {
  const auto what = fmt::format("{:<7}", name_of(one.what));
  return fmt::format("      | {} {}\n", style.colours ? colour_of(one.what) + what + "\033[0m" : what,
                     one.text);
}

bool is_near_a_remark(int line, const std::vector<remark>& all) {
  return std::ranges::any_of(all,
                             [line](const remark& one) { return std::abs(one.line - line) <= lines_around; });
}

} // namespace

explained_source read_source(const std::string& file, std::vector<remark> remarks) {
  std::ifstream in(file);
  if (!in) throw error(fmt::format("{} cannot be read, but the compiler has something to say of it", file));
  explained_source source{file, {}, std::move(remarks)};
  for (std::string line; std::getline(in, line);) source.lines.push_back(line);
  return source;
}

std::string summary_of(const std::vector<remark>& all) {
  std::string text;
  for (const auto what : all_verdicts)
    if (const auto count = std::ranges::count(all, what, &remark::what))
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, name_of(what));
  return text;
}

std::string as_text(const explained_source& source, text_style style) {
  auto text = fmt::format("{}: {}\n", source.file, summary_of(source.remarks));
  bool left_out = false;
  auto next = source.remarks.begin();
  for (int line = 1; line <= static_cast<int>(source.lines.size()); ++line) {
    if (!style.all_lines && !is_near_a_remark(line, source.remarks)) {
      left_out = true;
      continue;
    }
    if (std::exchange(left_out, false)) text += "  ...\n";
    text += fmt::format("{:>5} | {}\n", line, source.lines[static_cast<std::size_t>(line - 1)]);
    for (; next != source.remarks.end() && next->line <= line; ++next) text += remark_line(*next, style);
  }
  return text;
}

} // namespace windrow::tools
