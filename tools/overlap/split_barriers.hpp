// SPDX-License-Identifier: BSD-3-Clause
// Analysis 2: how far the two halves of a barrier could be apart. It needs the accesses of all PEs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "tools/overlap/advice.hpp"

namespace windrow::overlap {

/// Barriers at one place. A PE could say that it has come as early as behind `after`, if its own transfers
/// are complete there, and has to wait for the others before `before`; and how often each. No call that
/// synchronizes lies between, nor half of another barrier. end_of_program in `after`: nothing precedes.
struct split_barrier : gain {
  std::uint32_t site;
  std::map<limit, std::size_t> after, before;
  /// A program has to be changed for it, so there is more to gain than where a plan moves a wait.
  bool worthwhile() const { return gain::worthwhile(10'000); }
};

/// Where one barrier, event `barrier` of PE `pe`, can be split: the events that its halves lie behind and
/// before. `after` is SIZE_MAX if nothing precedes.
struct split_place {
  int pe;
  std::size_t barrier, after, before;
};

/// By PE, then event. Empty for a recording without all accesses.
std::vector<split_place> split_places(const model&);
/// By site.
std::vector<split_barrier> split_barriers(const model&);

} // namespace windrow::overlap
