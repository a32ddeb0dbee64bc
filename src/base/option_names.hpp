// SPDX-License-Identifier: BSD-3-Clause
// The names of all environment variables of Windrow. Nothing reads one that is misspelt, which would go
// unnoticed.
#pragma once

#include <array>
#include <string_view>

namespace windrow::base {

/// Those of docs/environment.md.
inline constexpr auto option_names = std::to_array<std::string_view>({
    "WINDROW_ADVERSARY",
    "WINDROW_BALANCE",
    "WINDROW_BULK",
    "WINDROW_CC",
    "WINDROW_COMPILER_FROM",
    "WINDROW_CXX",
    "WINDROW_DEBUG",
    "WINDROW_DEFER_ALWAYS",
    "WINDROW_DEFER_LIMIT",
    "WINDROW_DELAY",
    "WINDROW_DIRECT_LOADS",
    "WINDROW_DIRECT_UPDATES",
    "WINDROW_FAULTS",
    "WINDROW_HOST",
    "WINDROW_JOB",
    "WINDROW_JOINED",
    "WINDROW_LOST_SECONDS",
    "WINDROW_MODULE_DIR",
    "WINDROW_MPI",
    "WINDROW_OVERLAP",
    "WINDROW_OVERLAP_ACCESSES",
    "WINDROW_OVERLAP_CHECK",
    "WINDROW_OVERLAP_FILE",
    "WINDROW_PES",
    "WINDROW_SAME_ADDRESSES",
    "WINDROW_SIM",
    "WINDROW_SIM_MEASURE",
    "WINDROW_SIM_WORK",
    "WINDROW_SPILL_LIMIT",
    "WINDROW_STACK_SIZE",
    "WINDROW_STALL_ABORT",
    "WINDROW_STALL_SECONDS",
    "WINDROW_START_SECONDS",
    "WINDROW_STATS",
    "WINDROW_SYMMETRIC_SIZE",
    "WINDROW_TRACE",
    "WINDROW_TRANSPORT",
    "WINDROW_WORKERS",
});

/// Which of them is meant by a name that differs from it in one character, or in two if it is long: left out,
/// added, another, or two that have changed places. Empty if it is one of them, or near to none.
std::string_view meant_option(std::string_view name);

/// Says so of all variables that are set.
void tell_misspelt_options();

} // namespace windrow::base
