// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <utility>

#include "base/fatal.hpp"
#include "tools/explain/source.hpp"

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
  const auto next = std::ranges::lower_bound(all, line - lines_around, {}, &remark::line);
  return next != all.end() && next->line <= line + lines_around;
}

explained_source read_source(const std::string& file, const std::vector<remark>& remarks) {
  explained_source source{file, {}, remarks};
  std::ifstream in(file);
  if (!in) base::say(fmt::format("{} cannot be read: its lines cannot be shown", file));
  for (std::string line; std::getline(in, line);) source.lines.push_back(line);
  return source;
}

} // namespace

std::vector<explained_source> read_sources(const remarks_by_file& all) {
  std::vector<explained_source> sources;
  for (const auto& [file, said] : all) sources.push_back(read_source(file, said));
  return sources;
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
  const auto tell_up_to = [&](int line) {
    for (; next != source.remarks.end() && next->line <= line; ++next) text += remark_line(*next, style);
  };
  tell_up_to(0);
  for (int line = 1; line <= static_cast<int>(source.lines.size()); ++line) {
    if (!style.all_lines && !is_near_a_remark(line, source.remarks)) {
      left_out = true;
      continue;
    }
    if (std::exchange(left_out, false)) text += "  ...\n";
    text += fmt::format("{:>5} | {}\n", line, source.lines[static_cast<std::size_t>(line - 1)]);
    tell_up_to(line);
  }
  while (next != source.remarks.end()) {
    text += fmt::format("{:>5} |\n", next->line);
    tell_up_to(next->line);
  }
  return text;
}

} // namespace windrow::tools
