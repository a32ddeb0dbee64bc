// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "windrow/detail/atomic_change.hpp"

namespace windrow::transport {

/// Carries the operation out on memory of this host, with the same instructions as its PEs use. Returns the
/// value before.
std::uint64_t apply_change(std::byte* place, const detail::atomic_change&);

} // namespace windrow::transport
