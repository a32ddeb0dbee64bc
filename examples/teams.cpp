// SPDX-License-Identifier: BSD-3-Clause
// Teams: groups of PEs with barriers and collectives of their own.
#include <windrow/windrow.hpp>

#include <iostream>

int main(int argc, char** argv) {
  windrow::job job(argc, argv);
  const auto& world = job.world();

  // PEs 0, 2, 4 … form one team, PEs 1, 3, 5 … the other. All of `world` takes part in making each.
  const auto evens = world.split_strided(0, 2, (job.pes() + 1) / 2);
  const auto odds = job.pes() > 1 ? world.split_strided(1, 2, job.pes() / 2) : windrow::team();
  const auto& mine = evens ? evens : odds;

  const auto sum = mine.sum(job.pe());                        // over my team only
  const auto before = mine.exclusive_scan(1, 0, std::plus{}); // members before me: my number in the team
  const auto highest = world.max(sum);                        // over everybody

  const int expected = mine.pes() * (mine.pes() - 1) + (evens ? 0 : mine.pes()); // 0 + 2 + 4 … or 1 + 3 + 5 …
  if (mine.pe() == 0)
    std::cout << (evens ? "even" : "odd ") + std::string(" PEs sum up to ") + std::to_string(sum) + "\n";
  return sum == expected && before == mine.pe() && highest >= sum ? 0 : 1;
}
