// SPDX-License-Identifier: BSD-3-Clause
// All that is found in a recording, and the forms in which people and programs get it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/explain/source.hpp"
#include "tools/overlap/advice.hpp"
#include "tools/overlap/barriers.hpp"
#include "tools/overlap/races.hpp"
#include "tools/overlap/split_barriers.hpp"

namespace windrow::overlap {

struct findings {
  std::vector<advice> waits;
  std::vector<barrier_use> barriers;
  std::vector<split_barrier> splits;
  std::vector<race> races;
};
/// `small_too`: waits, and barriers that can be split, are listed however little it gains.
findings find_all(const model&, bool small_too);

/// A table for a terminal, no line longer than 100 characters.
std::string as_table(const model&, const findings&);
/// What was recorded, an event a line: what, PE, milliseconds since the beginning, place.
std::string as_event_list(const model&);
/// What is said of each line of the sources, as of `windrow explain`: files as they are named from here.
tools::remarks_by_file as_remarks(const model&, const findings&);
/// A picture of what each PE did: transfers, waits, and where waits would be. Part of a page.
std::string as_timeline(const model&);

/// "prog.c:14:5", from this folder if it is below; "prog.c:main()" for what has no line.
std::string shown_place(const recording&, std::uint32_t site);
/// "prog.c:14<80": line 14, called in line 80 by a function that it was inlined into.
std::string short_place(const recording&, std::uint32_t site);
/// "put", "atomic put" for what sets a word as one step.
std::string shown_kind(const event&);
/// "the store in", "the barrier in", "the signal in".
std::string shown_reason(const limit&);
/// With three decimal places, and no unit.
std::string milliseconds(std::uint64_t ns);

} // namespace windrow::overlap
