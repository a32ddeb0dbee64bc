// SPDX-License-Identifier: BSD-3-Clause
// Vectorised fetches: a loop that fetches element after element from one PE fetches many of them at once, and
// then runs with the values at hand.
//
//   for (; i < end; i++) … g(ctx, &a[i], pe) …
//
// becomes
//
//   for (; i < end; i += n) {
//     n = min(end - i, most);
//     values = bulk_fetch(ctx, &a[i], n, pe);
//     for (j = i; j < i + n; j++) … values[j - i] …
//   }
//
// where what is behind the bulk fetch depends on it, and is deferred as any other code is.
#pragma once

#include "compiler/common/api/marker.hpp"
#include "compiler/common/report/diagnostics.hpp"
#include "compiler/defer/plan/plan.hpp"

namespace windrow::compiler::defer {

/// Vectorises the fetches in loops of the region where that means the same. New blocks are added to it.
void vectorise_loops(code& body, const marker& mark, BasicBlock* entry, SetVector<BasicBlock*>& region,
                     FunctionAnalysisManager& analyses, diagnostics& told);

} // namespace windrow::compiler::defer
