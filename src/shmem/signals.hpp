// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "shmem/atomics.hpp"

namespace windrow::shmem {

[[noreturn]] void bad_signal_operator(int op, const char* routine);

/// Updates a signal after the put before it, on any context: puts with signals are not aggregated, since the
/// signal is what somebody waits for.
template <class On>
WINDROW_INLINE void signal_after_put(On on, std::uint64_t* signal, std::uint64_t value, int op, int pe,
                                     routine by) {
  const int target = on.job_pe(pe, by.name);
  if (op == 0 /* SHMEM_SIGNAL_SET */)
    begin_change<verb::put, std::uint64_t>(signal, nullptr, target, by, value);
  else if (op == 1 /* SHMEM_SIGNAL_ADD */)
    begin_change<verb::add, std::uint64_t>(signal, nullptr, target, by, value);
  else
    bad_signal_operator(op, by.name);
  hot.map->settle(); // somebody waits for it
}

} // namespace windrow::shmem
