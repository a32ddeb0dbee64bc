// SPDX-License-Identifier: BSD-3-Clause
// Where a fetch reads that is made although nobody looks at its value. It is found in front of the statement,
// so that it is the same in all rounds.
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>

#include "compiler/common/api/marker.hpp"
#include "compiler/defer/rules.hpp"

namespace windrow::compiler::defer {

struct spare_place {
  Value* context; ///< that of the fetch, or one in its place where that one does not exist
  Value *word, *pe;
  Value* no_pe; ///< 0; of a context that does not exist -1, to make the numbers of its PEs wrong
};

/// Whether the value, which is the same wherever in the statement it is computed, can be computed in front of
/// it, whether or not the statement ever does so.
bool available_in_front(const Value& context, function_ref<bool(const Instruction&)> is_inside);

/// Finds the place there, for fetches on that context.
spare_place find_spare_place(const marker& mark, Value& context,
                             function_ref<bool(const Instruction&)> is_inside, const rules& switches);

} // namespace windrow::compiler::defer
