// SPDX-License-Identifier: BSD-3-Clause
// The program, or library, that this library is linked into.
#pragma once

#include <cstdint>

extern "C" {
// The linker's names. Code and constants lie between them; more than 2 GiB of variables may lie behind.
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
extern const char __ehdr_start[] __attribute__((visibility("hidden")));
extern const char _edata[] __attribute__((visibility("hidden")));
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
}

namespace windrow::os {

/// What means the same code or constant in all processes that run the same program; 0 for what is not part of
/// it.
inline std::uint64_t image_offset(const void* object) {
  const auto* const at = static_cast<const char*>(object);
  return at >= __ehdr_start && at < _edata ? static_cast<std::uint64_t>(at - __ehdr_start) : 0;
}
/// What has this offset here; null for 0.
inline const void* in_image(std::uint64_t offset) {
  const bool exists = offset != 0 && offset < static_cast<std::uint64_t>(_edata - __ehdr_start);
  return exists ? __ehdr_start + offset : nullptr;
}

} // namespace windrow::os
