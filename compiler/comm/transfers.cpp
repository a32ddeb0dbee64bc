// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/comm/transfers.hpp"

#include <llvm/ADT/STLExtras.h>

#include "compiler/comm/options.hpp"
#include "compiler/comm/stores.hpp"

namespace windrow::compiler::comm {

namespace {

constexpr int64_t most_apart = 1024; // bytes between reads that are worth one transfer
constexpr uint64_t most_wasted = 4;  // times as many bytes as are read

std::optional<int64_t> distance_between(const SCEV* from, const SCEV* to, ScalarEvolution& evolution) {
  const auto* difference = dyn_cast<SCEVConstant>(evolution.getMinusSCEV(to, from));
  if (!difference || difference->getAPInt().getSignificantBits() > 62) return std::nullopt;
  return difference->getAPInt().getSExtValue();
}

bool is_element(uint64_t bytes) {
  return bytes <= 16 && (bytes & (bytes - 1)) == 0;
}

/// Accesses of one kind, PE and step, at known distances from the first one.
struct family {
  SmallVector<stepping_access, 4> accesses;
  SmallVector<int64_t, 4> offsets;
};

class grouper {
 public:
  explicit grouper(ScalarEvolution& evolution) : evolution_(evolution) {}

  grouping run(ArrayRef<stepping_access> accesses) {
    for (const auto& one : accesses) add_to_family(one);
    for (const auto& one : families_)
      if (one.accesses.front().access.reads)
        group_reads(one);
      else
        group_writes(one);
    return std::move(result_);
  }

 private:
  void add_to_family(const stepping_access& one) {
    for (auto& known : families_) {
      const auto& first = known.accesses.front();
      if (first.access.reads != one.access.reads || first.pe != one.pe || first.step != one.step) continue;
      const auto offset = distance_between(first.address->getStart(), one.address->getStart(), evolution_);
      if (!offset || *offset > most_apart || *offset < -most_apart) continue;
      known.accesses.push_back(one);
      known.offsets.push_back(*offset);
      return;
    }
    families_.push_back({{one}, {0}});
  }

  // One transfer with what lies between, or one for each.
  void group_reads(const family& all) {
    uint64_t useful = 0;
    for (const auto& one : all.accesses) useful += one.access.bytes;
    auto whole = transfer_of(all);
    if (whole.distance() <= most_wasted * useful)
      result_.transfers.push_back(std::move(whole));
    else
      for (const auto& one : all.accesses) add_strided(one);
  }

  void group_writes(const family& all) {
    auto whole = transfer_of(all);
    if (covers_exactly(whole) || !active_options().hold("coverage"))
      result_.transfers.push_back(std::move(whole));
    else
      for (const auto& one : all.accesses) add_strided(one);
  }

  transfer transfer_of(const family& all) const {
    const auto& first = all.accesses.front();
    const auto lowest = *std::min_element(all.offsets.begin(), all.offsets.end());
    transfer made{first.access.reads, false, start_at(first, lowest), first.pe, first.step, 0, {}};
    for (const auto& [one, offset] : zip(all.accesses, all.offsets)) {
      made.members.push_back({one.access, offset - lowest});
      made.span = std::max(made.span, static_cast<uint64_t>(offset - lowest) + one.access.bytes);
    }
    return made;
  }

  const SCEV* start_at(const stepping_access& one, int64_t offset) const {
    const auto* start = one.address->getStart();
    auto* type = evolution_.getEffectiveSCEVType(start->getType());
    return evolution_.getAddExpr(start, evolution_.getConstant(type, static_cast<uint64_t>(offset), true));
  }

  // No byte twice, and none that the program does not write, in all rounds together.
  static bool covers_exactly(const transfer& writes) {
    auto members = writes.members;
    llvm::sort(members, [](const member& one, const member& other) { return one.offset < other.offset; });
    uint64_t end = 0;
    for (const auto& one : members) {
      if (static_cast<uint64_t>(one.offset) != end) return false;
      end += one.access.bytes;
    }
    return end == writes.distance();
  }

  void add_strided(const stepping_access& one) {
    transfer made{one.access.reads,       true, one.address->getStart(), one.pe, one.step, one.access.bytes,
                  {member{one.access, 0}}};
    const auto apart = made.distance();
    if (!is_element(made.span) || apart % made.span != 0)
      result_.left.emplace_back(one, "its places lie apart, by a distance that no strided transfer has");
    else if (apart == 0 || (!made.reads && apart < made.span))
      result_.left.emplace_back(one, "each round writes what the last one has written");
    else
      result_.transfers.push_back(std::move(made));
  }

  ScalarEvolution& evolution_;
  std::vector<family> families_;
  grouping result_;
};

} // namespace

size_t comparisons_of(ArrayRef<transfer> transfers, size_t kept) {
  const auto writes =
      static_cast<size_t>(count_if(transfers, [](const transfer& one) { return !one.reads; }));
  return writes * (transfers.size() + kept);
}

grouping make_transfers(ArrayRef<stepping_access> accesses, ScalarEvolution& evolution) {
  return grouper(evolution).run(accesses);
}

namespace {

stepping_place place_of(const transfer& one, const member& part, ScalarEvolution& evolution) {
  auto* type = evolution.getEffectiveSCEVType(one.start->getType());
  const auto* offset = evolution.getConstant(type, static_cast<uint64_t>(part.offset), true);
  return {evolution.getAddExpr(one.start, offset), one.step, part.access.bytes};
}

} // namespace

bool all_reads_first(const transfer& reads, const transfer& writes, known_facts& facts) {
  if (!active_options().hold("reads-first")) return true;
  if (reads.pe != writes.pe) return false;
  return all_of(writes.members, [&](const member& to) {
    return all_of(reads.members, [&](const member& from) {
      const bool in_order = facts.dominators.dominates(from.access.call, to.access.call);
      return stores_behind(place_of(writes, to, facts.evolution), place_of(reads, from, facts.evolution),
                           in_order, facts.evolution);
    });
  });
}

bool are_neighbours(const transfer& one, const transfer& other, ScalarEvolution& evolution) {
  if (one.pe != other.pe || one.step != other.step) return false;
  const auto apart = distance_between(one.start, other.start, evolution);
  return apart && static_cast<uint64_t>(*apart < 0 ? -*apart : *apart) <= one.distance();
}

bool never_meet(const transfer& one, const transfer& other, ScalarEvolution& evolution) {
  if (one.pe != other.pe || one.step != other.step || one.step == 0) return false;
  const auto apart = distance_between(one.start, other.start, evolution);
  if (!apart) return false;
  const auto round = static_cast<int64_t>(one.distance());
  const auto behind = ((*apart % round) + round) % round; // of `other`, in the round of `one`
  return behind >= static_cast<int64_t>(one.span) && behind + static_cast<int64_t>(other.span) <= round;
}

} // namespace windrow::compiler::comm
