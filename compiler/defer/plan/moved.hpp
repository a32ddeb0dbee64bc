// SPDX-License-Identifier: BSD-3-Clause
// Pointers that code moves: of a list that it builds, or that it swaps. What they point to is one object
// under several names, so that the promise says nothing of it (docs/defer-pragma.md).
#pragma once

#include <llvm/ADT/SmallSet.h>

#include "compiler/common/analysis/footprints.hpp"

namespace windrow::compiler::defer {

class moved_pointers {
 public:
  explicit moved_pointers(origins& pointers) : pointers_(&pointers) {}

  /// Code that stores these.
  void add(const footprint& print);
  /// Whether an address of what is accessed there is stored.
  bool has_stored(const footprint& print) const;
  /// Whether one writes what the other accesses, by a pointer that has been moved in between.
  bool conflict(const footprint& one, const footprint& other) const;

 private:
  using classes = SmallSet<unsigned, 2>;
  unsigned class_of(const origin& object);
  void unite(unsigned one, unsigned other);
  const classes& classes_around(const origin& object) const;

  origins* pointers_;
  SmallPtrSet<const origin*, 8> stored_;
  MapVector<const origin*, unsigned> classes_; ///< of objects that may be the same in the end
  mutable DenseMap<const origin*, classes> known_;
};

} // namespace windrow::compiler::defer
