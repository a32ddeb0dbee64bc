// SPDX-License-Identifier: BSD-3-Clause
// The plan that `windrow overlap plan` has made, as far as the compiler needs it.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "compiler/overlap/places.hpp"

namespace windrow::compiler::overlap {

struct planned_place {
  place where;
  std::string function;
  uint64_t hash = 0; ///< of the function
};

struct plan_entry {
  std::string id, call; ///< "put", "get", "put with signal" or "quiet"
  planned_place site;
  std::vector<planned_place> complete; ///< before each of these
};

struct plan {
  std::vector<plan_entry> entries; ///< those that are approved
  std::vector<planned_place> silent_puts;
  std::set<std::string> files;
};

/// Reads the file into `to`. Returns what is wrong with it, in a sentence; empty if nothing is.
std::string read_plan(const std::string& file, plan& to);

/// That of the compilation; null if it has none.
const plan*& active_plan();

} // namespace windrow::compiler::overlap
