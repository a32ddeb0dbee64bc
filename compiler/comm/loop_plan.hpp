// SPDX-License-Identifier: BSD-3-Clause
// Which accesses of a loop become bulk transfers, and why the others do not.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compiler/comm/ahead.hpp"
#include "compiler/comm/analyses.hpp"
#include "compiler/comm/bound.hpp"
#include "compiler/comm/transfers.hpp"

namespace windrow::compiler::comm {

/// Rounds of which a strip has at most: each of its buffers is of this size at most, and all are freed behind
/// the loop.
inline constexpr uint64_t buffer_bytes = 16384;

/// Places that are computed ahead at a time: so many that the way to and fro does not count.
inline constexpr uint64_t most_places = 16384;

struct loop_plan {
  const SCEV* taken;  ///< how often the loop goes round, less one
  frozen_bound bound; ///< of which `taken` was made
  std::vector<transfer> transfers;
  ahead gathered;              ///< reads of places that are computed ahead
  std::vector<kept_read> kept; ///< reads that must not meet a write
  /// What the loop stores in memory of this PE, where some transfers may be from memory that it can load from
  /// and others not; empty where that cannot be, or where it is not known.
  std::optional<std::vector<stepping_place>> beside_near_reads;
  uint64_t strip_rounds; ///< for which the buffers have room
  uint64_t places_ahead; ///< of each gathered read: as many as there is room for
  /// Whether the loop has loops inside: a round may have any number of gathered reads.
  bool is_nest;
  /// In the order of the program; those of loops inside too, which may do better with them.
  std::vector<std::pair<CallInst*, std::string>> refused;

  bool does_nothing() const { return transfers.empty() && gathered.reads.empty(); }
};

/// The access, if its place is known before the loop, which is in LLVM's simplified form; else why not.
std::pair<std::optional<stepping_access>, std::string> follow_access(const plain_access& access, Loop& loop,
                                                                     known_facts& facts);
bool is_in_every_round(const CallInst& call, const Loop& loop, const known_facts& facts);
/// Whether the loop counts, and has one way out, at its end.
bool has_form_of_strips(const Loop& loop, known_facts& facts);

/// The loop is in LLVM's simplified form.
loop_plan plan_loop(Loop& loop, known_facts& facts);

} // namespace windrow::compiler::comm
