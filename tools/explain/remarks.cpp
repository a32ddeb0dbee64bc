// SPDX-License-Identifier: BSD-3-Clause
#include "tools/explain/remarks.hpp"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>

namespace windrow::tools {

namespace {

using json = nlohmann::ordered_json;

/// Takes what stands in front of `mark` off `text`, with it.
std::optional<std::string_view> take_until(std::string_view& text, std::string_view mark) {
  const auto end = text.find(mark);
  if (end == std::string_view::npos) return std::nullopt;
  const auto taken = text.substr(0, end);
  text.remove_prefix(end + mark.size());
  return taken;
}

/// The number behind the last colon, which is taken off `text` with it; 0 if there is none.
int take_number(std::string_view& text) {
  const auto colon = text.rfind(':');
  if (colon == std::string_view::npos) return 0;
  int number = 0;
  std::from_chars(text.data() + colon + 1, text.data() + text.size(), number);
  text.remove_suffix(text.size() - colon);
  return number;
}

struct line_parts {
  std::string file;
  remark said;
};

// "FILE:LINE:COLUMN: remark: TEXT [-Rpass=windrow-defer]".
std::optional<line_parts> parse_line(std::string_view line) {
  struct kind {
    std::string_view word, flag;
    verdict what;
  };
  static constexpr kind kinds[] = {{": remark: ", " [-Rpass=windrow-", verdict::done},
                                   {": remark: ", " [-Rpass-analysis=windrow-", verdict::cost},
                                   {": remark: ", " [-Rpass-missed=windrow-", verdict::missed},
                                   {": warning: ", " [-Wpass-failed", verdict::refused}};
  for (const auto& [word, flag, what] : kinds) {
    auto rest = line;
    auto place = take_until(rest, word);
    const auto text = take_until(rest, flag);
    if (!place || !text) continue;
    const int column = take_number(*place), number = take_number(*place);
    const auto pass = what == verdict::refused ? "defer" : rest.substr(0, rest.find(']'));
    return line_parts{std::string(*place), {number, column, what, std::string(pass), std::string(*text)}};
  }
  return std::nullopt;
}

void drop_what_is_said_twice(std::vector<remark>& all) {
  std::ranges::sort(all);
  const auto repeated = std::ranges::unique(all);
  all.erase(repeated.begin(), repeated.end());
  const auto refused_too = [&](const remark& one) {
    return one.what == verdict::missed && std::ranges::any_of(all, [&](const remark& other) {
             return other.what == verdict::refused && other.line == one.line && other.text == one.text;
           });
  };
  std::vector<remark> kept;
  std::ranges::remove_copy_if(all, std::back_inserter(kept), refused_too);
  all = std::move(kept);
}

json as_object(const remark& one) {
  return {{"line", one.line},
          {"column", one.column},
          {"verdict", name_of(one.what)},
          {"by", one.by},
          {"text", one.text}};
}

} // namespace

const char* name_of(verdict what) {
  static constexpr const char* names[] = {"done", "cost", "missed", "refused"};
  return names[static_cast<int>(what)];
}

compiler_output parse_remarks(std::string_view text) {
  compiler_output all;
  while (!text.empty()) {
    const auto line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (auto parts = parse_line(line))
      all.remarks[parts->file].push_back(std::move(parts->said));
    else
      all.rest.append(line).append("\n");
  }
  for (auto& [file, remarks] : all.remarks) drop_what_is_said_twice(remarks);
  return all;
}

std::string as_json(const remarks_by_file& all) {
  json counts, files = json::array();
  for (const auto what : all_verdicts) counts[name_of(what)] = 0;
  for (const auto& [file, remarks] : all) {
    auto list = json::array();
    for (const auto& one : remarks) {
      list.push_back(as_object(one));
      auto& count = counts[name_of(one.what)];
      count = count.get<int>() + 1;
    }
    files.push_back({{"file", file}, {"remarks", list}});
  }
  return json{{"version", 1}, {"counts", counts}, {"files", files}}.dump(2, ' ', false,
                                                                         json::error_handler_t::replace) +
         "\n";
}

} // namespace windrow::tools
