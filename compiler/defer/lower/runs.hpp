// SPDX-License-Identifier: BSD-3-Clause
// Functions that run records one after the other.
#pragma once

#include <optional>

#include "compiler/common/runtime/inline_library.hpp"

namespace windrow::compiler::defer {

/// A function that will run records of the body one after the other, and what gives it its code, when the
/// size of the records is known: with what they have in common, if they are in batches. `leads_to_others`:
/// the body opens records.
Function* make_run(const Function& body, const Twine& suffix);
void complete_run(Function& run, Function& body, uint64_t bytes, std::optional<uint64_t> common_bytes,
                  bool leads_to_others);
/// The body, for a payload in which values of such types are to be loaded first, from addresses in slots.
struct near_load {
  Type* type;
  uint64_t slot;
};
Function* load_first(Function& body, ArrayRef<near_load> loads);

} // namespace windrow::compiler::defer
