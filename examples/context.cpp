// SPDX-License-Identifier: BSD-3-Clause
// Contexts: the same code, blocking or aggregated. Hands out tickets, and notes at each ticket who got it.
#include <windrow/windrow.hpp>

#include <algorithm>
#include <iostream>
#include <vector>

/// Returns whether every ticket was handed out once.
bool hand_out_tickets(windrow::job& job, windrow::style style, std::int64_t each) {
  const auto total = each * job.pes();
  auto next = job.array<std::int64_t>(1);
  auto holder = job.array<int>(static_cast<std::uint64_t>(total));
  windrow::context ctx(job, style);

  std::vector<std::int64_t> tickets(static_cast<std::size_t>(each));
  for (auto& ticket : tickets) ctx.fetch_add(next[0], 1, &ticket);
  ctx.barrier(); // the tickets are there

  for (const auto ticket : tickets) ctx.put(holder[static_cast<std::uint64_t>(ticket)], job.pe() + 1);
  ctx.barrier(); // all have noted theirs

  const bool all_taken = std::ranges::none_of(holder.local(), [](int pe) { return pe == 0; });
  job.free(holder);
  job.free(next);
  return job.world().min(all_taken ? 1 : 0) == 1;
}

int main(int argc, char** argv) {
  windrow::job job(argc, argv);
  for (const auto style : {windrow::blocking, windrow::aggregate}) {
    if (!hand_out_tickets(job, style, 10'000)) return 1;
  }
  if (job.pe() == 0) std::cout << "every ticket was handed out once, in both styles\n";
}
