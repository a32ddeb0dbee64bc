// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/comm/write_regions.hpp"

#include <llvm/ADT/STLExtras.h>

#include "compiler/comm/counting.hpp"
#include "compiler/comm/invariants.hpp"
#include "compiler/comm/loop_plan.hpp"
#include "compiler/comm/obstacles.hpp"
#include "compiler/comm/options.hpp"
#include "compiler/comm/polling.hpp"
#include "compiler/comm/stores.hpp"

namespace windrow::compiler::comm {

namespace {

class region_finder {
 public:
  explicit region_finder(known_facts& facts) : facts_(facts) {}

  region_search run() {
    for (auto* loop : facts_.loops)
      if (visit(*loop)) break;
    if (result_.found) result_.refused.clear();
    return std::move(result_);
  }

 private:
  bool visit(Loop& loop) {
    auto writes = writes_at_computed_places(loop);
    if (writes.empty()) return false;
    const auto obstacle = obstacle_of_region(loop, writes);
    if (obstacle.empty()) {
      result_.found = write_region{&loop, std::move(writes)};
      return true;
    }
    for (auto* inner : loop)
      if (visit(*inner)) return true;
    for (const auto& one : writes)
      if (facts_.loops.getLoopFor(one.call->getParent()) == &loop)
        result_.refused.emplace_back(one.call, obstacle);
    return false;
  }

  template <class Action>
  static void each_instruction(const Loop& loop, Action action) {
    for (auto* block : loop.blocks())
      for (auto& instruction : *block) action(instruction);
  }

  std::vector<late_write> writes_at_computed_places(Loop& loop) {
    std::vector<late_write> found;
    each_instruction(loop, [&](Instruction& instruction) {
      const auto write = late_write_of(instruction);
      if (write && may_be_late(*write) && !moves_in_strips(*write)) found.push_back(*write);
    });
    return found;
  }

  static bool may_be_late(const late_write& write) {
    if (is_settled(*write.call) || is_strict(*write.call)) return false;
    return is_relaxed(*write.call) || !active_options().hold("promise");
  }

  // A bulk transfer for many rounds is the better form.
  bool moves_in_strips(const late_write& write) {
    const auto access = plain_access_of(*write.call);
    auto& loop = *facts_.loops.getLoopFor(write.call->getParent());
    if (!access || !has_form_of_strips(loop, facts_) || !loop.isLoopSimplifyForm()) return false;
    if (!is_in_every_round(*write.call, loop, facts_) || has_updates(loop)) return false;
    if (!obstacle_of_instructions(loop).empty()) return false; // so nothing may be moved in front of it
    hoist_operands(*access->pe, loop, facts_);
    hoist_operands(*plain_access_of(*write.call)->remote, loop, facts_);
    const bool moves = follow_access(*plain_access_of(*write.call), loop, facts_).first.has_value();
    facts_.moved.take_back(loop, facts_.evolution);
    return moves;
  }

  static bool has_updates(const Loop& loop) {
    bool any = false;
    each_instruction(loop, [&](Instruction& instruction) {
      any |= late_verb_of(instruction) && !plain_access_of(instruction);
    });
    return any;
  }

  std::string obstacle_of_region(Loop& loop, std::vector<late_write>& writes) {
    if (!loop.isLoopSimplifyForm() || !loop.isSafeToClone()) return "the loop cannot be copied";
    // So that it comes to its end whatever other PEs do.
    for (const auto* one : loop.getLoopsInPreorder())
      if (active_options().hold("collect-counts") && !counts(*one, facts_))
        return "a loop around it does not count";
    if (auto obstacle = obstacle_of_instructions(loop); !obstacle.empty()) return obstacle;
    if (const auto* load = watches_in(loop, facts_))
      return "what is loaded" + line_of(*load) + " may decide whether a loop goes on";
    if (auto obstacle = take_in_others(loop, writes); !obstacle.empty()) return obstacle;
    return obstacle_of_reads(loop, writes);
  }

  static std::string obstacle_of_instructions(const Loop& loop) {
    std::string found;
    each_instruction(loop, [&](Instruction& instruction) {
      if (found.empty() && !late_write_of(instruction)) found = obstacle_of(instruction);
    });
    return found;
  }

  bool are_apart(const Value& one, const late_write& other) const {
    return never_share(MemoryLocation::getBeforeOrAfter(&one), MemoryLocation::getBeforeOrAfter(other.remote),
                       facts_);
  }
  bool is_apart_from(const Value& place, ArrayRef<late_write> writes) const {
    return all_of(writes, [&](const late_write& one) { return are_apart(place, one); });
  }

  // Writes that may be to the same place are collected too, and so keep their order.
  std::string take_in_others(const Loop& loop, std::vector<late_write>& writes) {
    if (!active_options().hold("collect-writes")) return "";
    for (bool changed = true; changed;) {
      changed = false;
      for (auto* block : loop.blocks())
        for (auto& instruction : *block) {
          const auto* place = place_written(instruction);
          if (!place || is_taken(instruction, writes) || is_apart_from(*place, writes)) continue;
          const auto write = late_write_of(instruction);
          if (!write || !may_be_late(*write))
            return "a write" + line_of(instruction) + " stays as it is, and may be to the same place";
          writes.push_back(*write);
          changed = true;
        }
    }
    return "";
  }

  static Value* place_written(Instruction& instruction) {
    if (const auto write = late_write_of(instruction)) return write->remote;
    const auto access = plain_access_of(instruction);
    return access && !access->reads ? access->remote : nullptr;
  }
  static bool is_taken(const Instruction& instruction, ArrayRef<late_write> writes) {
    return any_of(writes, [&](const late_write& one) { return one.call == &instruction; });
  }

  std::string obstacle_of_reads(const Loop& loop, ArrayRef<late_write> writes) {
    std::string found;
    each_instruction(loop, [&](Instruction& instruction) {
      const auto access = plain_access_of(instruction);
      if (!found.empty() || !access || !access->reads) return;
      if (active_options().hold("collect-polls") &&
          may_poll(*access, facts_.loops.getLoopFor(instruction.getParent()), facts_))
        found = "what is read" + line_of(instruction) + " may decide whether a loop goes on";
      else if (active_options().hold("collect-reads") && !is_apart_from(*access->remote, writes))
        found = "the loop reads" + line_of(instruction) + ", and that may be the same place";
    });
    return found;
  }

  known_facts& facts_;
  region_search result_;
};

} // namespace

region_search find_write_region(known_facts& facts) {
  return region_finder(facts).run();
}

} // namespace windrow::compiler::comm
