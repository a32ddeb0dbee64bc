// SPDX-License-Identifier: BSD-3-Clause
// WINDROW_OVERLAP: which entries of a plan are carried out.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace windrow::overlap {

/// The names of entries in "ID,ID": each ends with a line and a column, so that commas in the name of a file
/// are none between two.
std::vector<std::string> ids_in(const std::string& list);

class plan_switch {
 public:
  /// Reads WINDROW_OVERLAP: "on", "off", or "off:ID,ID". Throws windrow::error for anything else.
  plan_switch();

  bool is_off(const std::string& id) const { return all_off_ || off_.contains(id); }
  /// Entries of the same name have the same number, from 1.
  std::uint32_t number_of(const std::string& id);
  /// What was turned off, and is no entry of the program.
  std::set<std::string> unknown() const;

 private:
  bool all_off_ = false;
  std::set<std::string> off_;
  std::map<std::string, std::uint32_t> numbers_;
};

} // namespace windrow::overlap
