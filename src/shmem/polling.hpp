// SPDX-License-Identifier: BSD-3-Clause
// Programs poll: they fetch a flag directly, again and again, or load it between calls that wait for nobody,
// and whoever is to set it may wait for this PE to serve its inbox. So fetches look there now and then, and
// so do tests that pass, quiet, fence and locks that are free. (What waits does so by itself, core::wait.)
#pragma once

#include "windrow/detail/inline.hpp"

namespace windrow::shmem {

inline constexpr int fetches_between_looks = 256;

/// Of each thread, so that direct operations of several share nothing that is written.
[[gnu::tls_model("initial-exec"),
  gnu::visibility("hidden")]] extern constinit thread_local int fetches_until_look;

/// Makes progress, where the thread may do so: not in handlers, nor in deferred code.
[[gnu::cold]] void look_at_inbox();

template <class T>
[[gnu::noinline, gnu::cold]] T with_look(T value) {
  look_at_inbox();
  return value;
}

/// Of a direct operation that fetches, behind it: the value, which may be what the program polls. hot: three
/// instructions.
template <class T>
WINDROW_INLINE T polled(T value) {
  if (--fetches_until_look < 0) [[unlikely]]
    return with_look(value);
  return value;
}
/// To be called before an operation that fetches into memory, and in calls that programs poll between. hot:
/// one branch.
WINDROW_INLINE void polled() {
  if (--fetches_until_look < 0) [[unlikely]]
    look_at_inbox();
}

} // namespace windrow::shmem
