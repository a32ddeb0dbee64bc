// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace windrow::shmem {

/// What SHMEM_VERSION and SHMEM_INFO ask for, on standard output.
void print_environment();

} // namespace windrow::shmem
