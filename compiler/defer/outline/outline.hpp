// SPDX-License-Identifier: BSD-3-Clause
// Moves the deferred units of a scope into a callback, and makes the scope open a record for it.
#pragma once

#include <vector>

#include "compiler/defer/plan/plan.hpp"

namespace windrow::compiler::defer {

/// Variables of the programmer's function that records refer to: the records must be done before it ends.
struct frame_reference {
  variable* var;
  bool written; ///< by deferred code
};

/// The callback, as code that may hold further scopes. `number` makes its name unique.
std::unique_ptr<code> outline(plan& scope, code& outer, const shape& structure, unsigned number,
                              std::vector<frame_reference>& references);

/// An empty function of the kind that `outer` is, for a part of it: OUTER.KIND.NUMBER.
Function* make_part(const code& outer, StringRef kind, unsigned number, FunctionType& type);

} // namespace windrow::compiler::defer
