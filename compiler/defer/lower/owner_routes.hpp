// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "compiler/defer/code.hpp"

namespace windrow::compiler::defer {

/// If what runs at the owner is sent in a loop that makes and destroys no contexts: the loop keeps in
/// registers where items go (inlined/strips.hpp). A callback in batches keeps it from payload to payload.
void keep_owner_route(code& part);

} // namespace windrow::compiler::defer
