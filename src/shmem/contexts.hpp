// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "shmem/state.hpp"

namespace windrow::shmem {

/// Completes the context's operations and releases it.
void destroy_context(shmem_ctx_object*);

} // namespace windrow::shmem
