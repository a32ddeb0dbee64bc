// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "transport/host/host_memory.hpp"

namespace windrow::transport {

/// Ends this process because the job cannot go on. Says the sentence, unless somebody on this host has said
/// why already.
[[noreturn]] void end_with(const host_memory&, const std::string& sentence);

} // namespace windrow::transport
