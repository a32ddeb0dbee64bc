// SPDX-License-Identifier: BSD-3-Clause
#include "overlap/plan_switch.hpp"

#include <fmt/format.h>

#include <sstream>

#include "base/options.hpp"
#include "windrow/error.hpp"

namespace windrow::overlap {

plan_switch::plan_switch() {
  const auto text = base::text_option("WINDROW_OVERLAP").value_or("on");
  all_off_ = text == "off";
  if (all_off_ || text == "on") return;
  if (!text.starts_with("off:"))
    throw error(fmt::format(
        "WINDROW_OVERLAP is '{}': it must be on, off, or off:ID,... with entries of the plan", text));
  std::istringstream names(text.substr(4));
  for (std::string id; std::getline(names, id, ',');) off_.insert(id);
}

std::uint32_t plan_switch::number_of(const std::string& id) {
  return numbers_.try_emplace(id, static_cast<std::uint32_t>(numbers_.size() + 1)).first->second;
}

std::set<std::string> plan_switch::unknown() const {
  auto left = off_;
  for (const auto& [id, number] : numbers_) left.erase(id);
  return left;
}

} // namespace windrow::overlap
