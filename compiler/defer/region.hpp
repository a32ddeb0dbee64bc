// SPDX-License-Identifier: BSD-3-Clause
// Transforms what stands behind one directive.
#pragma once

#include "compiler/common/api/marker.hpp"
#include "compiler/defer/plan/drains.hpp"

namespace windrow::compiler::defer {

/// The callbacks that one function's regions have been made into, outer ones first.
using callbacks = std::vector<std::unique_ptr<code>>;

/// Defers what can be deferred in the region of `mark`, and says so.
void transform_region(code& body, const marker& mark, FunctionAnalysisManager& analyses, callbacks& made,
                      diagnostics& told);

} // namespace windrow::compiler::defer
