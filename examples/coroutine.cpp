// SPDX-License-Identifier: BSD-3-Clause
// Coroutines: follow chains of links through memory that is spread over all PEs. Each step needs the value of
// the step before, but a thousand chains are followed at a time. One coroutine awaits the result of another.
#include <windrow/windrow.hpp>

#include <cstdint>
#include <iostream>

namespace {

using links = windrow::array<std::uint64_t>;

windrow::future<std::uint64_t> follow(windrow::context& ctx, const links& next, std::uint64_t from,
                                      int steps) {
  for (; steps > 0; --steps) from = co_await ctx.get(next[from]);
  co_return from;
}

windrow::deferred check(windrow::context& ctx, const links& next, std::uint64_t from, int steps,
                        std::uint64_t end, std::uint64_t& right) {
  right += co_await follow(ctx, next, from, steps) == end;
}

} // namespace

int main(int argc, char** argv) {
  windrow::job job(argc, argv);
  constexpr std::uint64_t size = 10'007; // a prime: the links are one ring
  constexpr std::uint64_t stride = 4321;
  constexpr int chains = 1000, steps = 20;
  auto next = job.array<std::uint64_t>(size);
  for (std::uint64_t k = 0; k < next.local().size(); ++k)
    next.local()[k] = (next.global_index(k) + stride) % size;
  job.barrier();

  windrow::context ctx(job, windrow::aggregate);
  std::uint64_t right = 0;
  for (std::uint64_t c = 0; c < chains; ++c) check(ctx, next, c, steps, (c + steps * stride) % size, right);
  ctx.barrier(); // every coroutine has come to its end

  const auto all = job.world().sum(right);
  if (job.pe() == 0) std::cout << all << " chains followed to their right ends\n";
  return right == chains ? 0 : 1;
}
