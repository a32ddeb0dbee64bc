// SPDX-License-Identifier: BSD-3-Clause
#include "tools/explain/remarks.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>
#include <utility>

#include "apps/support/json.hpp"

namespace windrow::tools {

namespace {

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

// "FILE:LINE:COLUMN"; a name may have colons, too.
void set_place(line_parts& of, std::string_view place) {
  of.said.column = take_number(place);
  of.said.line = take_number(place);
  of.file = place;
}

// "FILE:LINE:COLUMN: error: TEXT": what a strict directive makes of a refusal, which names no pass.
std::optional<line_parts> parse_error(std::string_view line) {
  constexpr std::string_view word = ": error: ";
  for (const std::string_view text :
       {"fetch not deferred: ", "region not deferred: ", "'#pragma shmem defer' "}) {
    const auto begin = line.find(std::string(word).append(text));
    if (begin == std::string_view::npos) continue;
    line_parts parts{"", {0, 0, verdict::refused, "defer", std::string(line.substr(begin + word.size()))}};
    set_place(parts, line.substr(0, begin));
    return parts;
  }
  return std::nullopt;
}

// "FILE:LINE:COLUMN: remark: TEXT [-Rpass=windrow-defer]".
std::optional<line_parts> parse_line(std::string_view line) {
  struct kind {
    std::string_view word, flag;
    verdict what;
  };
  static constexpr kind kinds[] = {{": remark: ", " [-Rpass=windrow-", verdict::done},
                                   {": remark: ", " [-Rpass-analysis=windrow-", verdict::cost},
                                   {": remark: ", " [-Rpass-missed=windrow-", verdict::missed},
                                   {": warning: ", " [-Wpass-failed=windrow-", verdict::refused}};
  for (const auto& [word, flag, what] : kinds) {
    const auto end = line.rfind(flag), begin = line.rfind(word, end);
    if (end == std::string_view::npos || begin == std::string_view::npos) continue;
    const auto text = line.substr(begin + word.size(), end - begin - word.size());
    auto pass = line.substr(end + flag.size());
    pass = pass.substr(0, pass.find(']'));
    line_parts parts{"", {0, 0, what, std::string(pass), std::string(text)}};
    set_place(parts, line.substr(0, begin));
    return parts;
  }
  return parse_error(line);
}

// Where a file is not there (#line), clang tells the place of the function instead, and the place of the
// remark by a note behind it, and mostly by another one before it.
constexpr std::string_view note = ": note: could not determine the original source location for ";

/// Sorts what clang says, line by line.
class output_reader {
 public:
  void take(std::string_view line) {
    if (auto parts = parse_line(line)) {
      said_.push_back(std::move(*parts));
      way_.clear();
      behind_remark_ = true;
    } else {
      if (!behind_remark_ || !corrects_last(line)) take_other(line);
      behind_remark_ = false;
    }
  }

  compiler_output end() && {
    compiler_output all;
    for (auto& parts : said_) all.remarks[parts.file].push_back(std::move(parts.said));
    all.rest = rest_ + way_;
    return all;
  }

 private:
  bool corrects_last(std::string_view line) {
    const auto found = line.find(note);
    if (found == std::string_view::npos) return false;
    auto instead = said_.back();
    set_place(instead, line.substr(0, found));
    if (instead.file != said_.back().file || instead.said != said_.back().said) return false;
    set_place(said_.back(), line.substr(found + note.size()));
    return true;
  }
  void take_other(std::string_view line) {
    way_.append(line).append("\n");
    const bool is_ahead = line.starts_with("In file included from ") || line.find(note) != line.npos;
    if (!is_ahead) rest_ += std::exchange(way_, {});
  }

  std::vector<line_parts> said_;
  std::string rest_;
  std::string way_; ///< to the place that the next message is about
  bool behind_remark_ = false;
};

void drop_what_is_said_twice(std::vector<remark>& all) {
  std::ranges::sort(all);
  const auto repeated = std::ranges::unique(all);
  all.erase(repeated.begin(), repeated.end());
  std::set<std::pair<int, std::string>> refused;
  for (const auto& one : all)
    if (one.what == verdict::refused) refused.emplace(one.line, one.text);
  std::erase_if(all, [&](const remark& one) {
    return one.what == verdict::missed && refused.contains({one.line, one.text});
  });
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
  output_reader reader;
  while (!text.empty()) {
    const auto line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    reader.take(line);
  }
  auto all = std::move(reader).end();
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
