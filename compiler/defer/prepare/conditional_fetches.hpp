// SPDX-License-Identifier: BSD-3-Clause
// A fetch on a condition whose value is used behind it,
//
//     v = g(ctx, &a[i], pe);                        v = g(ctx, &a[i], pe);
//     if (c) w = g(ctx, &b[j], other);              t = g(ctx, c ? &b[j] : &a[i], c ? other : pe);
//     use(v, w);                                    if (c) w = t;
//                                                   use(v, w);
//
// is made in any case, so that all fetches of the scope are of one record, which compiled code opens without
// calls. Where the condition does not hold nobody looks at the value, and the place is one that is there to
// fetch: that of a fetch which is made in any case, or a spare one of this PE (spare_place.hpp). Neither may
// be written in the statement.
#pragma once

#include "compiler/common/analysis/footprints.hpp"
#include "compiler/common/api/marker.hpp"
#include "compiler/defer/rules.hpp"

namespace windrow::compiler::defer {

/// Does so behind the directive. With `spare`, also to fetches that are not beside one that is made in any
/// case. Returns how many of these there were.
unsigned make_unconditional(Function& function, const marker& mark, footprints& known, const rules& switches,
                            bool spare);

} // namespace windrow::compiler::defer
