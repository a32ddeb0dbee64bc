// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string_view>

#include "apps/kernels/kernel.hpp"

namespace windrow::apps {

/// Every kernel there is, in the order in which tables show them.
std::span<const kernel_entry> kernels();

/// The entry of that name, or null.
const kernel_entry* find_kernel(std::string_view name);

} // namespace windrow::apps
