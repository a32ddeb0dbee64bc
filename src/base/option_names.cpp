// SPDX-License-Identifier: BSD-3-Clause
#include "base/option_names.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "base/fatal.hpp"

namespace windrow::base {

namespace {

// Edits that make `from` of `to`, exchanged neighbours being one: the optimal string alignment distance.
std::size_t edits(std::string_view from, std::string_view to) {
  std::vector<std::size_t> before(to.size() + 1), last(to.size() + 1), now(to.size() + 1);
  for (std::size_t j = 0; j <= to.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= from.size(); ++i) {
    now[0] = i;
    for (std::size_t j = 1; j <= to.size(); ++j) {
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + (from[i - 1] == to[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1])
        now[j] = std::min(now[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, now);
  }
  return last[to.size()];
}

} // namespace

std::string_view meant_option(std::string_view name) {
  constexpr std::size_t is_long = 17; // with WINDROW_
  if (std::find(option_names.begin(), option_names.end(), name) != option_names.end()) return {};
  for (const auto option : option_names)
    if (edits(name, option) <= (option.size() < is_long ? 1 : 2)) return option;
  return {};
}

void tell_misspelt_options() {
  for (auto* const* variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    const auto name = text.substr(0, text.find('='));
    if (!name.starts_with("WINDROW_")) continue;
    if (const auto meant = meant_option(name); !meant.empty())
      say(fmt::format("nothing reads {}, which is set: {} is perhaps meant", name, meant));
  }
}

} // namespace windrow::base
