// SPDX-License-Identifier: BSD-3-Clause
// Streams: typed messages, handled in batches where they arrive. A handler may send on.
#include <windrow/windrow.hpp>

#include <functional>
#include <iostream>
#include <span>

/// Walks from PE to PE until it has no steps left.
struct walker {
  std::int64_t position;
  int steps;
};

int main(int argc, char** argv) {
  windrow::job job(argc, argv);
  constexpr int walkers = 1000, steps = 50;
  std::int64_t visits = 0;

  std::function<void(walker)> move;
  windrow::stream<walker> moves(job, [&](std::span<const walker> batch, windrow::pe_t) {
    visits += static_cast<std::int64_t>(batch.size());
    for (const auto& w : batch) move(w);
  });
  move = [&](walker w) {
    if (w.steps == 0) return;
    const auto next = (w.position * 31 + 7) % 10'007;
    moves.send(static_cast<windrow::pe_t>(next % job.pes()), {next, w.steps - 1});
  };

  for (int i = 0; i < walkers; ++i) move({job.pe() * walkers + i, steps});
  moves.barrier(); // all walkers, those that handlers sent on included, have come to rest

  const auto total = job.world().sum(visits);
  if (job.pe() == 0) std::cout << total << " visits\n";
  return total == std::int64_t{walkers} * steps * job.pes() ? 0 : 1;
}
