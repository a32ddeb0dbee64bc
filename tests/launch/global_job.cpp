// SPDX-License-Identifier: BSD-3-Clause
// A job that is a global variable: it begins before the variables of the libraries, the standard's too, and
// ends after them. What PE 1 sends last is handled then.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <thread>

#include "windrow/windrow.hpp"

namespace {

windrow::job of_all;

void send_to_owner(windrow::context& ctx, windrow::global_ref<long> at) {
  ctx.fetch_add(at, 1).then_at_owner([](long before, const windrow::owner&) {
    if (before == 1) std::puts("handled"), std::fflush(stdout);
  });
}

} // namespace

int main() {
  const auto a = of_all.array<long>(static_cast<std::uint64_t>(of_all.pes()));
  windrow::context ctx(of_all, windrow::aggregate);
  if (of_all.pe() == of_all.pes() - 1) send_to_owner(ctx, a[0]);
  ctx.barrier();
  if (of_all.pe() != of_all.pes() - 1) return 0;
  std::this_thread::sleep_for(std::chrono::milliseconds(200)); // the others are at their end
  send_to_owner(ctx, a[0]);
}
