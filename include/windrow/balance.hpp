// SPDX-License-Identifier: BSD-3-Clause
// Load balancing as arithmetic: from the loads of objects and where they are to the moves that even them out.
// Nothing here knows of messages or of the PE that runs it, so a policy can be tried on recorded loads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "windrow/types.hpp"

namespace windrow::balance {

/// What a policy knows of an object.
struct object_load {
  double load;             ///< time per step, in any unit: finite, not negative
  pe_t pe;                 ///< where it is
  std::uint64_t bytes = 0; ///< what moving it costs; for reports
};

/// Objects on PEs 0 … pes - 1.
struct problem {
  std::span<const object_load> objects;
  pe_t pes;
};

/// Object number `object` of the problem goes to PE `to`.
struct move {
  std::size_t object;
  pe_t to;
  bool operator==(const move&) const = default;
};
using moves = std::vector<move>;

/// A policy is a pure function: the same problem gives the same moves on every PE. Any callable will do.
using policy = std::function<moves(const problem&)>;

/// Moves nothing.
struct none {
  moves operator()(const problem&) const;
};

/// Every object to the next PE: finds out whether a program's objects can move at all.
struct rotate {
  moves operator()(const problem&) const;
};

/// Every object anywhere.
struct random {
  std::uint64_t seed = 1;
  moves operator()(const problem&) const;
};

/// The heaviest object first, always to the least loaded PE, wherever the object is: the best balance (LPT:
/// Graham, "Bounds on multiprocessing timing anomalies", 1969), with nearly every object moved.
struct greedy {
  moves operator()(const problem&) const;
};

/// As few moves as it takes to bring every PE below `tolerance` times the mean load: PEs above give away
/// their heaviest objects that fit elsewhere. Where objects are too large for that it comes as close as it
/// can; no PE becomes heavier than the heaviest was.
struct refine {
  double tolerance = 1.01;
  moves operator()(const problem&) const;
};

/// `refine` between groups of neighbouring PEs, then inside each group: most moves stay in a group, and the
/// groups could decide at the same time.
struct hierarchical {
  double tolerance = 1.01;
  pe_t group = 0; ///< PEs in a group; 0: the square root of all
  moves operator()(const problem&) const;
};

/// One of "none", "rotate", "random", "greedy", "refine" and "hierarchical". Throws windrow::error for any
/// other name.
policy named_policy(std::string_view name);
std::span<const std::string_view> policy_names();

/// What the policy wants, without moves to where an object is already. Throws windrow::error if that is
/// nonsense: an object or a PE that is not there, an object that moves twice; or if the problem is.
moves plan(const policy&, const problem&);

/// The load of each PE, before and after.
std::vector<double> loads(const problem&);
std::vector<double> loads(const problem&, const moves&);
/// The heaviest PE's load by the mean: 1 is ideal. 1 if there is no load.
double imbalance(std::span<const double> loads);
/// The bytes of the objects that move.
std::uint64_t moved_bytes(const problem&, const moves&);

} // namespace windrow::balance
