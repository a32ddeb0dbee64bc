// SPDX-License-Identifier: BSD-3-Clause
// A function with directives has several versions. Where it begins, it asks the library which one is to run.
#pragma once

#include <optional>
#include "compiler/common/llvm/names.hpp"

#include "compiler/common/api/marker.hpp"
#include "compiler/defer/rules.hpp"

namespace windrow::compiler::defer {

/// How the context of all its fetches can be had where a function begins.
struct early_context {
  Argument* argument;
  std::optional<uint64_t> offset; ///< in what the argument points to
};

/// As windrow_defer_choose is told it.
enum class gain : unsigned { none, not_from_cache, always };

/// If the context is an argument, or stands at a constant offset of what one surely points to.
std::optional<early_context> early_context_of(const Value& context, const DataLayout& layout);

/// Nothing if there is no such context, or there are several. Before anything is transformed.
std::optional<early_context> find_early_context(Function& function);

/// `written` is the same function as it was written, `checked` with the checks of SHMEM_DEBUG, or null.
/// With `gets`, there are some that are fetches, perhaps in functions that its statements call.
/// `near` says what deferred code gains where loads from all PEs are loads from shared memory.
void choose_version(Function& function, Function& written, Function* checked,
                    const std::optional<early_context>& context, bool gets, gain near, const rules& switches);

} // namespace windrow::compiler::defer
