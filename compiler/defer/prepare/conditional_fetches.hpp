// SPDX-License-Identifier: BSD-3-Clause
// A fetch on a condition whose value is used behind it,
//
//     v = g(ctx, &a[i], pe);                        v = g(ctx, &a[i], pe);
//     if (c) w = g(ctx, &b[j], other);              t = g(ctx, c ? &b[j] : &a[i], c ? other : pe);
//     use(v, w);                                    if (c) w = t;
//                                                   use(v, w);
//
// beside one that is made in any case: it is made in any case too, so that both are of one record, which
// compiled code opens without calls. Where the condition does not hold the place is that of the other one,
// which is there to fetch, and nobody looks at the value. Neither place may be written in the statement.
#pragma once

#include "compiler/common/analysis/footprints.hpp"
#include "compiler/common/api/marker.hpp"

namespace windrow::compiler::defer {

/// Does so behind the directive.
void make_unconditional(Function& function, const marker& mark, footprints& known);

} // namespace windrow::compiler::defer
