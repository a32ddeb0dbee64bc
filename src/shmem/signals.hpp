// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "shmem/atomics.hpp"

namespace windrow::shmem {

[[noreturn]] void bad_signal_operator(int op, const char* routine);

/// Updates a signal after the put before it, which is carried out first on any context: puts with signals are
/// not aggregated, since the signal is what somebody waits for.
template <class On>
void signal_after_put(On on, std::uint64_t* signal, std::uint64_t value, int op, int pe,
                      const char* routine) {
  const int target = on.job_pe(pe, routine);
  if (op == 0 /* SHMEM_SIGNAL_SET */)
    begin_change<verb::put>(signal, target, routine, value);
  else if (op == 1 /* SHMEM_SIGNAL_ADD */)
    begin_change<verb::add>(signal, target, routine, value);
  else
    bad_signal_operator(op, routine);
}

} // namespace windrow::shmem
