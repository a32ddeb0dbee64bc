// SPDX-License-Identifier: BSD-3-Clause
#include "base/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "base/fatal.hpp"

namespace windrow::base {

namespace {

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

std::optional<double> unit_factor(std::string unit) {
  while (!unit.empty() && unit.front() == ' ') unit.erase(unit.begin());
  if (unit.ends_with("ib"))
    unit.resize(unit.size() - 2);
  else if (unit.size() > 1 && unit.ends_with("b"))
    unit.resize(unit.size() - 1);
  if (unit.empty() || unit == "b") return 1.0;
  constexpr std::string_view units = "kmgt";
  const auto at = units.find(unit);
  if (unit.size() != 1 || at == std::string_view::npos) return std::nullopt;
  double factor = 1.0;
  for (std::size_t i = 0; i <= at; ++i) factor *= 1024.0;
  return factor;
}

[[noreturn]] void malformed(const char* name, std::string_view value, std::string_view wanted) {
  fatal(fmt::format("{}='{}' is not {}", name, value, wanted));
}

} // namespace

std::optional<std::uint64_t> parse_size(std::string_view text) {
  double number = 0;
  const auto [rest, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure != std::errc{} || !std::isfinite(number) || number < 0) return std::nullopt;
  const auto factor = unit_factor(lower({rest, static_cast<std::size_t>(text.data() + text.size() - rest)}));
  if (!factor || number * *factor >= 0x1p63) return std::nullopt;
  return static_cast<std::uint64_t>(number * *factor);
}

std::optional<std::uint64_t> parse_duration(std::string_view text) {
  double number = 0;
  const auto [rest, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure != std::errc{} || !std::isfinite(number) || number < 0) return std::nullopt;
  const std::string_view unit(rest, static_cast<std::size_t>(text.data() + text.size() - rest));
  if (unit.empty() && number == 0) return 0;
  constexpr std::array<std::pair<std::string_view, double>, 4> units{
      {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}}};
  const auto* const known =
      std::find_if(units.begin(), units.end(), [&](auto& u) { return u.first == unit; });
  if (known == units.end() || number * known->second >= 0x1p62) return std::nullopt;
  return static_cast<std::uint64_t>(number * known->second);
}

std::string format_size(std::uint64_t bytes) {
  constexpr std::array units{"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  double value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= 1024.0 && unit + 1 < units.size()) value /= 1024.0, ++unit;
  const bool whole = value == static_cast<double>(static_cast<std::uint64_t>(value));
  return whole ? fmt::format("{:.0f} {}", value, units[unit]) : fmt::format("{:.1f} {}", value, units[unit]);
}

std::optional<std::string> text_option(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr || *value == '\0') return std::nullopt;
  return value;
}

std::uint64_t size_option(const char* name, std::uint64_t otherwise, behind_unit behind) {
  auto text = text_option(name);
  if (!text) return otherwise;
  const auto unit = text->find_first_of("kKmMgGtT");
  if (behind == behind_unit::ignored && unit != std::string::npos) text->resize(unit + 1);
  const auto size = parse_size(*text);
  if (!size) malformed(name, *text, "a size such as 512M or 2GiB");
  return *size;
}

std::optional<std::uint64_t> duration_option(const char* name) {
  const auto text = text_option(name);
  if (!text) return std::nullopt;
  const auto duration = parse_duration(*text);
  if (!duration) malformed(name, *text, "a duration such as 50us or 0.5ms");
  return duration;
}

long integer_option(const char* name, long otherwise, long least, long most) {
  const auto text = text_option(name);
  if (!text) return otherwise;
  long value = 0;
  const auto [rest, failure] = std::from_chars(text->data(), text->data() + text->size(), value);
  if (failure != std::errc{} || *rest != '\0' || value < least || value > most)
    malformed(name, *text, fmt::format("a whole number from {} to {}", least, most));
  return value;
}

bool switches_off(std::string_view text) {
  const auto value = lower(text);
  return value == "0" || value == "off" || value == "no" || value == "false";
}

bool flag_option(const char* name, bool otherwise) {
  const auto text = text_option(name);
  if (!text) return otherwise;
  const auto value = lower(*text);
  if (value == "1" || value == "on" || value == "yes" || value == "true") return true;
  if (switches_off(value)) return false;
  malformed(name, *text, "a switch: 1 or 0, on or off");
}

} // namespace windrow::base
