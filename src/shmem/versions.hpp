// SPDX-License-Identifier: BSD-3-Clause
// Which version of a function with `#pragma shmem defer` runs: with deferred code, as it is written, or as it
// is written with the checks of SHMEM_DEBUG.
#pragma once

#include "shmem/state.hpp"

namespace windrow::shmem {

/// The context is one that never aggregates, so that deferred code would only cost. A context has to be told
/// of before it is used, and until it is destroyed.
void add_plain_context(const shmem_ctx_object*);
void remove_plain_context(const shmem_ctx_object*);

/// For WINDROW_STATS: PE 0 prints how often each PE has run which version, if any has. Collective.
void report_versions();

} // namespace windrow::shmem
