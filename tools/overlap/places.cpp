// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <filesystem>

#include "tools/overlap/findings.hpp"
#include "tools/overlap/places.hpp"

namespace windrow::overlap {

std::string shown_file(const std::string& file) {
  std::error_code failed;
  const auto here = std::filesystem::current_path(failed).string() + "/";
  return file.starts_with(here) ? file.substr(here.size()) : file;
}

std::string shown_place(const recording& run, std::uint32_t site) {
  if (run.sites[site].empty()) return "a place without debug information";
  const auto& inner = run.sites[site].front();
  if (inner.line == 0) return short_place(run, site);
  return fmt::format("{}:{}:{}", shown_file(inner.file), inner.line, inner.column);
}

std::string short_place(const recording& run, std::uint32_t site) {
  if (run.sites[site].empty()) return "unknown";
  const auto& frames = run.sites[site];
  const auto& inner = frames.front();
  auto text = fmt::format("{}:{}", shown_file(inner.file),
                          inner.line == 0 ? inner.function + "()" : std::to_string(inner.line));
  for (std::size_t i = 1; i < frames.size(); ++i) text += fmt::format("<{}", frames[i].line);
  return text;
}

std::string shown_kind(const event& one) {
  const bool is_atomic = one.atomic && (one.what == action::put || one.what == action::get);
  return fmt::format("{}{}", is_atomic ? "atomic " : "", name_of(one.what));
}

std::string shown_reason(const limit& what) {
  if (what == end_of_program) return "the end of the program";
  if (what.signal) return "the signal in";
  switch (what.what) {
    case action::unknown_code:
      return "code that was not recorded, called in";
    case action::end_of_life:
      return "the end of its memory's life in";
    default:
      return fmt::format("the {} in", name_of(what.what));
  }
}

std::string milliseconds(std::uint64_t ns) {
  return fmt::format("{:.3f}", static_cast<double>(ns) * 1e-6);
}

} // namespace windrow::overlap
