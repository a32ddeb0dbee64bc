// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/defer/plan/keep_order.hpp"

#include "compiler/defer/plan/context.hpp"

namespace windrow::compiler::defer {

namespace {

bool may_become_active(const plan& one) {
  return one.active() || one.conflict;
}

} // namespace

bool order_keeper::extend(SmallVectorImpl<plan*>& plans) {
  bool extended = false;
  for (size_t i = 0; i < plans.size(); ++i) // there may be more of them in the end
    if (auto* var = plans[i]->conflict; var && tried_.insert(var).second) extended |= defer_uses(*var, plans);
  if (!extended) return false;
  for (auto* one : plans)
    if (one->conflict) {
      one->refusal.clear();
      one->conflict = nullptr;
    }
  return true;
}

// All of them or none.
bool order_keeper::defer_uses(variable& var, SmallVectorImpl<plan*>& plans) {
  SmallVector<stretch, 4> places;
  for (auto* use : staying_uses(var, plans)) {
    const auto place = stretch_of(*use, plans);
    if (!place) return false;
    if (is_contained(places, *place)) continue;
    const auto behind = upper_bound(places, depth_of(*place), [&](unsigned depth, const stretch& other) {
      return depth < depth_of(other);
    });
    places.insert(behind, *place); // outer ones first
  }
  std::vector<ordered_plan> fresh;
  for (const auto& place : places) {
    const auto covers = [&](const ordered_plan& one) { return one.made->defers(place.start); };
    if (any_of(fresh, covers)) continue;
    SmallSetVector<variable*, 2> seeds;
    if (const auto* known = planned(place)) seeds = known->seeds;
    seeds.insert(&var);
    auto made = plan_for(place, seeds);
    if (!made->active()) return false;
    fresh.push_back({place, std::move(made)});
  }
  if (would_tear(fresh)) return false;
  drop_enclosed(fresh, plans);
  for (auto& one : fresh) {
    const auto known = find_if(made_, [&](const ordered_plan& other) { return other.where == one.where; });
    if (known == made_.end()) {
      plans.push_back(one.made.get());
      made_.push_back(std::move(one));
      continue;
    }
    *find(plans, known->made.get()) = one.made.get();
    replaced_.push_back(std::exchange(known->made, std::move(one.made)));
  }
  return !fresh.empty();
}

unsigned order_keeper::depth_of(const stretch& place) const {
  return structure_.dominators.getNode(place.start)->getLevel();
}

// What is opened in the middle of another record runs behind all of that.
bool order_keeper::would_tear(const std::vector<ordered_plan>& fresh) const {
  const auto is_torn = [&](const ordered_plan& inner) {
    return any_of(fresh, [&](const ordered_plan& one) { return one.made->surrounds(inner.where.start); });
  };
  return any_of(made_, is_torn) || any_of(fresh, is_torn);
}

// What is deferred as a whole needs no record of its own.
void order_keeper::drop_enclosed(const std::vector<ordered_plan>& fresh, SmallVectorImpl<plan*>& plans) {
  for (size_t i = made_.size(); i-- > 0;) {
    const auto covers = [&](const ordered_plan& one) { return one.made->defers(made_[i].where.start); };
    if (none_of(fresh, covers)) continue;
    plans.erase(find(plans, made_[i].made.get()));
    replaced_.push_back(std::move(made_[i].made));
    made_.erase(made_.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

SmallVector<Instruction*, 8> order_keeper::staying_uses(variable& var, ArrayRef<plan*> plans) const {
  SmallVector<Instruction*, 8> uses;
  for (auto* block : region_)
    for (auto& instruction : *block)
      if (body_.effects_of(instruction).touch(&var) && none_of(plans, [&](const plan* one) {
            return may_become_active(*one) && one->deferred.contains(&instruction);
          }))
        uses.push_back(&instruction);
  return uses;
}

// Not inside of another plan's record: what is opened there runs behind all of that. Nor where the program
// ends: nothing that waits runs behind that.
std::optional<order_keeper::stretch> order_keeper::stretch_of(Instruction& use, ArrayRef<plan*> plans) const {
  if (isa<UnreachableInst>(use.getParent()->getTerminator())) return std::nullopt;
  auto* start = start_of_scope(use.getParent(), entry_, structure_);
  for (const auto* one : plans)
    if (one->contains(start) || (one->start == start && !one->fetches.empty())) return std::nullopt;
  const auto units = units_of_scope(start, region_, structure_, body_.vars).units;
  stretch found{start, 0, 0};
  bool inside = false;
  for (size_t at = 0; at < units.size(); ++at) {
    if (units[at].fetches) {
      if (inside) break;
      found.first = at + 1;
    }
    inside |= units[at].instruction == &use;
    found.end = at + 1;
  }
  return inside ? std::optional(found) : std::nullopt;
}

std::unique_ptr<plan> order_keeper::plan_for(const stretch& where,
                                             const SmallSetVector<variable*, 2>& seeds) const {
  auto made = std::make_unique<plan>();
  made->start = where.start;
  made->seeds = seeds;
  made->scope = units_of_scope(where.start, region_, structure_, body_.vars);
  auto& units = made->scope.units;
  units.erase(units.begin() + static_cast<std::ptrdiff_t>(where.end), units.end());
  units.erase(units.begin(), units.begin() + static_cast<std::ptrdiff_t>(where.first));
  find_deferred(*made, body_, memory_);
  check_scope(*made, body_, structure_);
  return made;
}

plan* order_keeper::planned(const stretch& where) const {
  const auto known = find_if(made_, [&](const ordered_plan& one) { return one.where == where; });
  return known == made_.end() ? nullptr : known->made.get();
}

} // namespace windrow::compiler::defer
