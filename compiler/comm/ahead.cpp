// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/comm/ahead.hpp"

#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/ValueTracking.h>

#include "compiler/comm/options.hpp"
#include "compiler/comm/polling.hpp"
#include "compiler/comm/transfers.hpp"

namespace windrow::compiler::comm {

namespace {

constexpr uint64_t largest_value = 1024; // bytes, of a read that is made ahead

} // namespace

void ahead_finder::begin() {
  stores_ = stores_of(loop_, facts_);
  needed_.emplace(loop_, facts_);
}

std::string ahead_finder::add(const plain_access& read) {
  if (read.bytes > largest_value) return "what it reads is large";
  auto obstacle = needed_->add(*read.call, {read.remote, read.pe});
  if (obstacle.empty()) found_.reads.push_back(read);
  return obstacle;
}

std::string ahead_finder::finish(ahead& found) {
  for (auto* block : loop_.blocks())
    for (auto& instruction : *block)
      if (auto* load = dyn_cast<LoadInst>(&instruction); load && needed_->needed().contains(load))
        loads_.push_back(load);
  if (auto obstacle = obstacle_of_loads(); !obstacle.empty()) return obstacle;
  if (!stores_.obstacle.empty()) return stores_.obstacle;
  for (const auto& store : stores_.all)
    if (auto obstacle = compare(store); !obstacle.empty()) return obstacle;
  if (found_.apart.size() > most_comparisons) return too_many_comparisons;
  found_.needed = needed_->needed();
  found_.idle_choices = needed_->idle_choices();
  found = std::move(found_);
  return "";
}

std::string ahead_finder::obstacle_of_loads() const {
  const bool may_change = any_of(
      loads_, [&](const LoadInst* load) { return others_may_write(MemoryLocation::get(load), facts_); });
  const auto* wait = may_change ? waits_in(loop_, facts_) : nullptr;
  return wait ? "what is read" + line_of(*wait) + " may wait for another PE to write what names the place"
              : "";
}

// Memory of a near PE is in the reach of pointers that nobody knows.
bool ahead_finder::names_no_place(const plain_access& write) const {
  if (!active_options().hold("puts-apart")) return true;
  return all_of(loads_, [&](const LoadInst* load) {
    return isIdentifiedObject(getUnderlyingObject(load->getPointerOperand())) &&
           never_share(MemoryLocation::get(load), MemoryLocation::getBeforeOrAfter(write.remote), facts_);
  });
}

std::string ahead_finder::compare(const loop_store& store) {
  const auto told = "the loop writes" + line_of(*store.by);
  if (auto obstacle = compare_with_loads(store, told); !obstacle.empty()) return obstacle;
  const bool may_be_read = any_of(found_.reads, [&](const plain_access& read) {
    return !never_share(store.place, MemoryLocation::getBeforeOrAfter(read.remote), facts_);
  });
  if (!may_be_read || !active_options().hold("near-stores")) return "";
  if (!store.steps) return told + ", and that may be what is read";
  found_.stores.push_back(*store.steps);
  return "";
}

// In each round the load is never made again behind the store.
bool ahead_finder::comes_first(const LoadInst& load, const Instruction& store) const {
  if (!facts_.dominators.dominates(&load, &store)) return false;
  const auto* both = facts_.loops.getLoopFor(load.getParent());
  while (!both->contains(&store)) both = both->getParentLoop();
  return both == &loop_ || !active_options().hold("again-inside");
}

std::string ahead_finder::compare_with_loads(const loop_store& store, const std::string& told) {
  if (!active_options().hold("ahead")) return "";
  for (auto* load : loads_) {
    if (never_share(store.place, MemoryLocation::get(load), facts_)) continue;
    const auto loaded = follow_place(MemoryLocation::get(load), loop_, facts_);
    if (!store.steps || !loaded) return told + ", and that may be what names the place";
    if (!stores_behind(*store.steps, *loaded, comes_first(*load, *store.by), facts_.evolution))
      found_.apart.emplace_back(*store.steps, *loaded);
  }
  return "";
}

} // namespace windrow::compiler::comm
