// SPDX-License-Identifier: BSD-3-Clause
// The plan: which waits are to move, and where to. `windrow cc -foverlap-plan` carries out what is approved.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tools/overlap/findings.hpp"

namespace windrow::overlap {

/// A wait, at one place in the source: what it was inlined into is evidence only, since the place has one
/// code.
struct plan_entry {
  std::string id; ///< "prog.c:14:5"
  action what = action::put;
  frame where;
  std::vector<site> inlined;           ///< what it was inlined into, each way once
  std::map<limit, std::size_t> latest; ///< where it has to be complete, and how often that came first
  std::size_t times = 0;
  std::uint64_t waited_ns = 0, saved_ns = 0;
  std::string refused; ///< why it cannot be approved; empty if it can
  bool approved = false;
};

struct plan {
  std::vector<plan_entry> entries; ///< those that save most first
  /// Puts that changed no word which any PE waits for, tests or fetches: nobody learns anything by them.
  std::vector<frame> silent_puts;
  std::set<std::string> files; ///< of the program, as far as the run has been in them
};

plan make_plan(const model&, const findings&);

/// Whether the event is at an entry that may be approved.
bool is_planned(const plan&, const event&, const recording&);

/// Approves entries: `which` is "all", or their names with commas between. "All" leaves out those that cannot
/// be approved. Throws windrow::error for a name that the plan does not have, and for an entry that cannot be
/// approved.
void approve(plan&, const std::string& which);

std::string as_json(const plan&, const recording&);

/// Part of a page: the entries, to be approved and saved there as the file that `as_json` makes.
std::string as_approval(const plan&, const recording&);

} // namespace windrow::overlap
