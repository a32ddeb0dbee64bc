// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace windrow::transport {

/// A number that is equal in processes that run the same program: a hash of the build id that the linker has
/// written into it, or else of its contents. Throws windrow::error if the program cannot be read.
std::uint64_t program_identity();

} // namespace windrow::transport
