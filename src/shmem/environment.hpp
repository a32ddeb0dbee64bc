// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace windrow::shmem {

/// Whether a switch of the standard is set: to whatever value, as the standard says, but 0, off, no and
/// false. It has an older name, or null.
bool asked_for(const char* name, const char* old_name);

/// What SHMEM_VERSION and SHMEM_INFO ask for, on standard output.
void print_environment();

} // namespace windrow::shmem
