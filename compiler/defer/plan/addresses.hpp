// SPDX-License-Identifier: BSD-3-Clause
// Addresses that are compared by how they are computed.
#pragma once

#include <optional>

#include "compiler/common/llvm/names.hpp"

namespace windrow::compiler::defer {

/// By how many bytes `to` lies behind `from`, if both are computed alike but for constants; the same values
/// are read for both.
std::optional<int64_t> distance(const Value& from, const Value& to, const DataLayout& layout);

} // namespace windrow::compiler::defer
