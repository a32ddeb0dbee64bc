// SPDX-License-Identifier: BSD-3-Clause
// What a loop stores in memory of this PE.
#pragma once

#include <string>

#include "compiler/comm/analyses.hpp"

namespace windrow::compiler::comm {

/// Memory that a round uses, which moves by a constant distance, perhaps 0, from one round to the next.
struct stepping_place {
  const SCEV* start;
  int64_t step;
  uint64_t bytes;
};

struct loop_store {
  Instruction* by;
  MemoryLocation place;
  std::optional<stepping_place> steps; ///< empty: it moves in another way
};

struct loop_stores {
  SmallVector<loop_store, 4> all;
  std::string obstacle; ///< why they are not known; else empty
};

/// All but writes to PEs, of which this may be one, unless they are collected: those to this PE are made in
/// their rounds.
loop_stores stores_of(Loop& loop, known_facts& facts);

/// Empty if the place moves in another way, or cannot be computed in front of the loop.
std::optional<stepping_place> follow_place(const MemoryLocation& place, Loop& loop, known_facts& facts);

/// Whether the two are apart, in whichever rounds of a loop: by types, and by where pointers come from.
bool never_share(const MemoryLocation& one, const MemoryLocation& other, known_facts& facts);

/// Whether a round stores only what it has loaded, or the rounds before it, so that loading ahead sees
/// nothing that is stored later than it should. `loads_first`: that is the order in each round.
bool stores_behind(const stepping_place& store, const stepping_place& load, bool loads_first,
                   ScalarEvolution& evolution);

/// " at line N", or nothing.
std::string line_of(const Instruction& instruction);
/// "line N", "line N of FILE" if the file is another one than that of the function.
std::string line_in(const DebugLoc& where, const Function& function);

} // namespace windrow::compiler::comm
