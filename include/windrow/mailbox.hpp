// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "windrow/selector.hpp"

namespace windrow {

/// A selector of one mailbox: work is sent to where the data is.
///
///     windrow::mailbox<edge> probe(job, [&](edge e) { found += has_edge(e); });
///     probe.run([&] { for (const auto& e : mine) probe.send(owner(e), e); });
///
/// `selector.hpp` says which forms a handler may have, what it may do, and when a run is over.
template <mailbox_item T>
using mailbox = selector<T>;

} // namespace windrow
