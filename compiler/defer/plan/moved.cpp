// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/defer/plan/moved.hpp"

namespace windrow::compiler::defer {

void moved_pointers::add(const footprint& print) {
  for (const auto& one : print.stored) {
    stored_.insert(one.of);
    const auto there = class_of(*pointers_->behind(one.at));
    unite(there, class_of(*one.of));
  }
}

// What is stored somewhere in an object may be what is read at each place of it.
unsigned moved_pointers::class_of(const origin& object) {
  if (const auto known = classes_.find(&object); known != classes_.end()) return known->second;
  const auto fresh = static_cast<unsigned>(classes_.size());
  SmallVector<unsigned, 4> alike;
  for (const auto& [member, its] : classes_)
    if (may_be_same(*member, object)) alike.push_back(its);
  classes_[&object] = fresh;
  for (const auto its : alike) unite(fresh, its);
  return fresh;
}

void moved_pointers::unite(unsigned one, unsigned other) {
  for (auto& [member, its] : classes_)
    if (its == other) its = one;
}

bool moved_pointers::has_stored(const footprint& print) const {
  return !stored_.empty() &&
         any_of(print.accesses, [&](const access& one) { return stored_.contains(one.where.object); });
}

// Of what it is read from, too.
const moved_pointers::classes& moved_pointers::classes_around(const origin& object) const {
  const auto [known, fresh] = known_.try_emplace(&object);
  if (!fresh) return known->second;
  for (const auto* part = &object; part; part = part->parent)
    for (const auto& [member, its] : classes_)
      if (may_be_same(*member, *part)) known->second.insert(its);
  return known->second;
}

bool moved_pointers::conflict(const footprint& one, const footprint& other) const {
  if (classes_.empty()) return false;
  return any_of(one.accesses, [&](const access& first) {
    return any_of(other.accesses, [&](const access& second) {
      if (!first.writes && !second.writes) return false;
      const auto mine = classes_around(*first.where.object); // a copy: the next one may move it
      return any_of(classes_around(*second.where.object), [&](unsigned its) { return mine.contains(its); });
    });
  });
}

} // namespace windrow::compiler::defer
