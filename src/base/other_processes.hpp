// SPDX-License-Identifier: BSD-3-Clause
// ThreadSanitizer sees one process. What threads of it have handed to each other through another process, in
// shared memory, must be told to it; nothing else notices.
#pragma once

// As windrow/detail/thread_sanitizer.hpp, for the preprocessor: elsewhere the header may be missing.
#if defined(__SANITIZE_THREAD__)
#define WINDROW_TELL_THREAD_SANITIZER
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define WINDROW_TELL_THREAD_SANITIZER
#endif
#endif

#ifdef WINDROW_TELL_THREAD_SANITIZER
#include <sanitizer/tsan_interface.h>
#endif

namespace windrow::base {

/// Before an object in shared memory is published: it may come back, to any thread of this process.
inline void releases([[maybe_unused]] void* object) {
#ifdef WINDROW_TELL_THREAD_SANITIZER
  __tsan_release(object);
#endif
}
/// After one has been taken.
inline void follows_release([[maybe_unused]] void* object) {
#ifdef WINDROW_TELL_THREAD_SANITIZER
  __tsan_acquire(object);
#endif
}

} // namespace windrow::base
