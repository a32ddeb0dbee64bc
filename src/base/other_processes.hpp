// SPDX-License-Identifier: BSD-3-Clause
// ThreadSanitizer sees one process. What threads of it have handed to each other through another process, in
// shared memory, must be told to it; nothing else notices.
#pragma once

#include "windrow/detail/thread_sanitizer.hpp"

extern "C" {
void __tsan_acquire(void*);
void __tsan_release(void*);
}

namespace windrow::base {

/// Before an object in shared memory is published: it may come back, to any thread of this process.
inline void releases([[maybe_unused]] void* object) {
  if constexpr (detail::thread_sanitizer) __tsan_release(object);
}
/// After one has been taken.
inline void follows_release([[maybe_unused]] void* object) {
  if constexpr (detail::thread_sanitizer) __tsan_acquire(object);
}

} // namespace windrow::base
