// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace windrow::detail {

/// Whether this is compiled for ThreadSanitizer, which sees some things differently from the hardware.
#if defined(__SANITIZE_THREAD__)
inline constexpr bool thread_sanitizer = true;
#elif defined(__has_feature)
inline constexpr bool thread_sanitizer = __has_feature(thread_sanitizer);
#else
inline constexpr bool thread_sanitizer = false;
#endif

} // namespace windrow::detail
