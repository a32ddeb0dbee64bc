// SPDX-License-Identifier: BSD-3-Clause
#include "shmem/signals.hpp"

#include <fmt/format.h>

#include "base/fatal.hpp"
#include "shmem/define.hpp"
#include "shmem/waiting.hpp"

namespace windrow::shmem {

void bad_signal_operator(int op, const char* routine) {
  base::fatal(
      fmt::format("{}: {} is no signal operator; use SHMEM_SIGNAL_SET or SHMEM_SIGNAL_ADD", routine, op));
}

namespace routines {

namespace {

template <class On>
WINDROW_INLINE void signal_add(On on, routine by, std::uint64_t* signal, std::uint64_t value, int pe) {
  signal_after_put(on, signal, value, SHMEM_SIGNAL_ADD, pe, by);
}
template <class On>
WINDROW_INLINE void signal_set(On on, routine by, std::uint64_t* signal, std::uint64_t value, int pe) {
  signal_after_put(on, signal, value, SHMEM_SIGNAL_SET, pe, by);
}

} // namespace

} // namespace routines

} // namespace windrow::shmem

using namespace windrow::shmem; // everything below is the C interface

WINDROW_SHMEM_SIGNAL(_add)
WINDROW_SHMEM_SIGNAL(_set)

SHMEM_FUNCTION(uint64_t, shmem_signal_fetch, (const uint64_t* sig_addr)) {
  const auto value = load(everyone(), sig_addr, hot.pe, LAZY_CALL);
  hot.map->settle(); // it may be what this PE polls
  return value;
}

SHMEM_FUNCTION(uint64_t, shmem_signal_wait_until, (uint64_t* sig_addr, int cmp, uint64_t cmp_value)) {
  require_running(ROUTINE);
  require_waitable(sig_addr, sizeof *sig_addr, ROUTINE);
  const char* const routine = ROUTINE;
  uint64_t seen = 0;
  wait_for_value(CALL, [&] { return holds(seen = read(sig_addr), cmp, cmp_value, routine); });
  return seen;
}
