// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shmem/state.hpp"

namespace windrow::shmem {

/// Completes the context's operations and releases it.
void destroy_context(shmem_ctx_object*);

/// For a context that is used after its end, which as a rule can be told (contexts.cpp).
[[noreturn]] void no_such_context(const char* routine);

} // namespace windrow::shmem
