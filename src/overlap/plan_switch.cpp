// SPDX-License-Identifier: BSD-3-Clause
#include "overlap/plan_switch.hpp"

#include <fmt/format.h>

#include <sstream>
#include <string_view>
#include <utility>

#include "base/options.hpp"
#include "windrow/error.hpp"

namespace windrow::overlap {

namespace {

// "…:14:5".
bool ends_with_place(std::string_view text) {
  for (int numbers = 0; numbers < 2; ++numbers) {
    const auto digits = text.size() - (text.find_last_not_of("0123456789") + 1);
    text.remove_suffix(digits);
    if (digits == 0 || !text.ends_with(':')) return false;
    text.remove_suffix(1);
  }
  return !text.empty();
}

} // namespace

std::vector<std::string> ids_in(const std::string& list) {
  std::vector<std::string> found;
  std::istringstream parts(list);
  bool goes_on = false;
  for (std::string part; std::getline(parts, part, ',');) {
    if (goes_on)
      found.back() += "," + part;
    else
      found.push_back(part);
    goes_on = !ends_with_place(found.back());
  }
  return found;
}

plan_switch::plan_switch() {
  const auto text = base::text_option("WINDROW_OVERLAP").value_or("on");
  all_off_ = text == "off";
  if (all_off_ || text == "on") return;
  if (!text.starts_with("off:"))
    throw error(fmt::format(
        "WINDROW_OVERLAP is '{}': it must be on, off, or off:ID,... with entries of the plan", text));
  for (auto& id : ids_in(text.substr(4))) off_.insert(std::move(id));
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
