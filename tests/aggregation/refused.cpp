// SPDX-License-Identifier: BSD-3-Clause
// Each of these must not compile, for the reason that CMakeLists.txt names. Without a case it must.
#include <span>

#include "windrow/windrow.hpp"

namespace {

void use(windrow::job& j) {
  windrow::context ctx(j, windrow::aggregate);
  windrow::stream<int> s(j, [](std::span<const int>, windrow::pe_t) {});
#if defined QUIET_OF_A_CONTEXT
  ctx.quiet();
#elif defined QUIET_OF_A_STREAM
  s.quiet();
#elif defined QUIET_OF_A_JOB
  j.quiet();
#else
  ctx.complete_own();
  ctx.barrier();
  s.barrier();
  j.complete_own();
#endif
}

} // namespace

int main() {
  windrow::job j;
  use(j);
}
