// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include "apps/support/whole_file.hpp"
#include "tools/explain/source.hpp"
#include "tools/markup.hpp"

namespace windrow::tools {

namespace {

constexpr const char* style = R"(
:root { color-scheme: light dark; --line: #8888; --done: #1a7f37; --cost: #0a7d8c; --missed: #9a6700; --refused: #cf222e; }
@media (prefers-color-scheme: dark) {
  :root { --done: #3fb950; --cost: #39c5cf; --missed: #d29922; --refused: #f85149; }
}
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 75rem; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; }
td { padding: 0 .6rem; vertical-align: top; }
td.number { color: var(--line); text-align: right; user-select: none; }
td.code { font-family: ui-monospace, monospace; font-size: 13px; white-space: pre-wrap; tab-size: 4; }
tr.said td { padding: .1rem .6rem .3rem; font-size: 13px; }
tr.said div { border-left: 3px solid; padding-left: .6rem; margin: .1rem 0; }
.done { color: var(--done); } .cost { color: var(--cost); } .missed { color: var(--missed); } .refused { color: var(--refused); }
b { display: inline-block; min-width: 4.2rem; }
)";

std::string remark_entry(const remark& one) {
  return fmt::format("<div class=\"{0}\"><b>{0}</b> {1}</div>", name_of(one.what), escaped(one.text));
}

std::string code_row(const std::string& number, const std::string& code) {
  return fmt::format("<tr><td class=\"number\">{}</td><td class=\"code\">{}</td></tr>\n", number, code);
}

/// Takes the remarks of lines up to this one.
std::string remark_row(std::vector<remark>::const_iterator& next, const std::vector<remark>& all, int line) {
  std::string said;
  for (; next != all.end() && next->line <= line; ++next) said += remark_entry(*next);
  return said.empty() ? said : fmt::format("<tr class=\"said\"><td></td><td>{}</td></tr>\n", said);
}

std::string table_of(const explained_source& source) {
  auto next = source.remarks.begin();
  auto text = "<table>\n" + remark_row(next, source.remarks, 0);
  int line = 0;
  for (const auto& code : source.lines) {
    text += code_row(std::to_string(++line), escaped(code));
    text += remark_row(next, source.remarks, line);
  }
  while (next != source.remarks.end()) {
    line = next->line;
    text += code_row(std::to_string(line), "");
    text += remark_row(next, source.remarks, line);
  }
  return text + "</table>\n";
}

} // namespace

std::string as_html(const std::vector<explained_source>& sources, const std::string& title,
                    const std::string& before) {
  auto text = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>{0}</title>\n<style>{1}</style>\n</head>\n<body>\n<h1>{0}</h1>\n",
      escaped(title), style);
  text += before;
  for (const auto& source : sources)
    text += fmt::format("<h2>{}</h2>\n<p>{}</p>\n{}", escaped(source.file), summary_of(source.remarks),
                        table_of(source));
  return text + "</body>\n</html>\n";
}

void write_page(const std::string& file, const std::string& page) {
  apps::whole_file out(file);
  out.write(page);
  out.finish();
}

} // namespace windrow::tools
