// SPDX-License-Identifier: BSD-3-Clause
// Streams: typed messages, handled in batches where they arrive. A handler may send on.
#include <windrow/windrow.hpp>

#include <iostream>
#include <span>

/// Walks from PE to PE until it has no steps left.
struct walker {
  std::int64_t position;
  int steps;
};

walker moved(const walker& w) {
  return {(w.position * 31 + 7) % 10'007, w.steps - 1};
}
windrow::pe_t place_of(const walker& w, const windrow::job& job) {
  return static_cast<windrow::pe_t>(w.position % job.pes());
}

int main(int argc, char** argv) {
  windrow::job job(argc, argv);
  constexpr int walkers = 1000, steps = 50;
  std::int64_t visits = 0;

  // Other PEs may send before this PE's constructor has returned, so a handler uses only what is there by
  // then.
  windrow::stream<walker> moves(job, [&](std::span<const walker> batch, windrow::pe_t) {
    visits += static_cast<std::int64_t>(batch.size());
    for (const auto& w : batch)
      if (w.steps > 0) moves.send(place_of(moved(w), job), moved(w));
  });

  for (int i = 0; i < walkers; ++i) {
    const auto first = moved({job.pe() * walkers + i, steps});
    moves.send(place_of(first, job), first);
  }
  moves.barrier(); // all walkers, those that handlers sent on included, have come to rest

  const auto total = job.world().sum(visits);
  if (job.pe() == 0) std::cout << total << " visits\n";
  return total == std::int64_t{walkers} * steps * job.pes() ? 0 : 1;
}
