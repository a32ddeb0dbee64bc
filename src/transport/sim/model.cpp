// SPDX-License-Identifier: BSD-3-Clause
#include "transport/sim/model.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fstream>
#include <optional>
#include <set>
#include <sstream>
#include <utility>

#include "transport/host/heap_size.hpp"
#include "transport/sim/presets.hpp"
#include "windrow/error.hpp"

namespace windrow::transport {

namespace {

std::string_view trimmed(std::string_view text) {
  constexpr auto blank = " \t\r";
  const auto first = text.find_first_not_of(blank);
  return first == std::string_view::npos ? std::string_view{}
                                         : text.substr(first, text.find_last_not_of(blank) - first + 1);
}

/// "0.08ns", "1.5us": to picoseconds.
std::optional<std::uint64_t> parse_time(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, double>, 5> units{
      {{"ps", 1}, {"ns", 1e3}, {"us", 1e6}, {"ms", 1e9}, {"s", 1e12}}};
  constexpr double longest_ps = 1e15; // 1,000 s
  double number = 0;
  const auto [rest, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure != std::errc{} || !std::isfinite(number) || number < 0) return std::nullopt;
  const auto unit = trimmed({rest, static_cast<std::size_t>(text.data() + text.size() - rest)});
  if (unit.empty() && number == 0) return 0;
  const auto* const known = std::ranges::find(units, unit, &std::pair<std::string_view, double>::first);
  if (known == units.end() || number * known->second > longest_ps) return std::nullopt;
  return static_cast<std::uint64_t>(std::llround(number * known->second));
}

/// Takes the lines of a model one by one.
class reader {
 public:
  explicit reader(std::string source) : source_(std::move(source)) { read_.name = source_; }

  void take_line(std::string_view line, int number) {
    line = trimmed(line.substr(0, line.find('#')));
    if (!line.empty()) take(line, fmt::format("{}, line {}", source_, number));
  }
  void take(std::string_view assignment, const std::string& where) {
    const auto sign = assignment.find('=');
    if (sign == std::string_view::npos)
      throw error(fmt::format("{}: '{}' is not of the form name = value", where, assignment));
    const auto name = trimmed(assignment.substr(0, sign)), value = trimmed(assignment.substr(sign + 1));
    if (name == "pes_per_host")
      read_.pes_per_host = whole_number(value, where);
    else
      take_time(*time_named(name, where), name, value, where);
    given_.emplace(name);
  }
  model end() const {
    for (const auto name : names())
      if (!given_.contains(name)) throw error(fmt::format("{}: a value for {} is missing", source_, name));
    // A PE that polls must come to the moment at which there is something to be seen.
    if (read_.poll_ps < 1000 || read_.direct_ps < 1000)
      throw error(fmt::format("{}: poll and direct must take at least 1ns", source_));
    return read_;
  }
  void rename(std::string name) { read_.name = std::move(name); }

 private:
  static pe_t whole_number(std::string_view value, const std::string& where) {
    pe_t number = 0;
    const auto [rest, failure] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (failure != std::errc{} || rest != value.data() + value.size() || number < 1 || number > most_pes)
      throw error(fmt::format("{}: pes_per_host '{}' is not a whole number from 1 to {}", where, value,
                              static_cast<int>(most_pes)));
    return number;
  }
  std::uint64_t* time_named(std::string_view name, const std::string& where) {
    const auto found = std::ranges::find(times_, name, &entry::first);
    if (found != times_.end()) return found->second;
    throw error(
        fmt::format("{}: there is no parameter '{}'; a model has {}", where, name, fmt::join(names(), ", ")));
  }
  std::vector<std::string_view> names() const {
    std::vector<std::string_view> all{"pes_per_host"};
    for (const auto& [name, place] : times_) all.push_back(name);
    return all;
  }
  static void take_time(std::uint64_t& into, std::string_view name, std::string_view value,
                        const std::string& where) {
    const auto time = parse_time(value);
    if (!time)
      throw error(fmt::format("{}: {} '{}' is not a time such as 0.08ns, 1.2us or 0", where, name, value));
    into = *time;
  }

  using entry = std::pair<std::string_view, std::uint64_t*>;

  std::string source_;
  model read_{};
  std::set<std::string, std::less<>> given_;
  std::vector<entry> times_{{"near.latency", &read_.near.latency_ps},
                            {"near.overhead", &read_.near.overhead_ps},
                            {"near.gap", &read_.near.gap_ps},
                            {"near.per_byte", &read_.near.per_byte_ps},
                            {"far.latency", &read_.far.latency_ps},
                            {"far.overhead", &read_.far.overhead_ps},
                            {"far.gap", &read_.far.gap_ps},
                            {"far.per_byte", &read_.far.per_byte_ps},
                            {"direct", &read_.direct_ps},
                            {"poll", &read_.poll_ps},
                            {"item.sent", &read_.item_sent_ps},
                            {"item.handled", &read_.item_handled_ps}};
};

void take_text(reader& to, std::string_view text) {
  int number = 0;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    to.take_line(text.substr(0, end), ++number);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

std::string text_of(const std::string& name) {
  for (const auto& p : presets)
    if (p.name == name) return std::string(p.text);
  std::ifstream file(name);
  std::ostringstream text;
  if (!file || !(text << file.rdbuf()))
    throw error(fmt::format("there is no model '{}': neither a file that can be read nor one of {}", name,
                            fmt::join(preset_names(), ", ")));
  return text.str();
}

} // namespace

std::vector<std::string_view> preset_names() {
  std::vector<std::string_view> names;
  for (const auto& p : presets) names.push_back(p.name);
  return names;
}

model parse_model(std::string_view text, const std::string& source) {
  reader lines(source);
  take_text(lines, text);
  return lines.end();
}

model model_named(const std::string& words) {
  const auto comma = std::min(words.find(','), words.size());
  const auto name = words.substr(0, comma);
  reader lines("the model " + name);
  take_text(lines, text_of(name));
  auto changes = std::string_view(words).substr(comma);
  while (!changes.empty()) {
    changes.remove_prefix(1);
    const auto end = std::min(changes.find(','), changes.size());
    lines.take(trimmed(changes.substr(0, end)), "the model " + words);
    changes.remove_prefix(end);
  }
  lines.rename(words);
  return lines.end();
}

} // namespace windrow::transport
