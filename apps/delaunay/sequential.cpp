// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <chrono>
#include <utility>

#include "apps/delaunay/simulation.hpp"

namespace windrow::apps::delaunay {

outcome run_sequential(const settings& s) {
  const auto begin = std::chrono::steady_clock::now();
  const auto& d = s.where;
  std::vector<leaf> leaves;
  leaves.reserve(d.count());
  for (std::uint64_t i = 0; i < d.count(); ++i) leaves.emplace_back(d, i);
  outcome result;
  for (std::int32_t level = 0; level < d.levels; ++level) {
    for (auto& l : leaves) l.begin_level(level);
    for (; std::ranges::any_of(leaves, &leaf::has_work); ++result.rounds)
      for (std::uint64_t colour = 0; colour < colours; ++colour)
        for (auto& l : leaves) {
          if (d.colour(l.index()) != colour || !l.has_work()) continue;
          std::vector<leaf*> together{&l};
          for (const auto i : d.around(l.index(), 1)) together.push_back(&leaves[i]);
          refine(leaves_together(std::move(together)));
        }
  }
  for (const auto& l : leaves) {
    const auto all = l.triangles();
    result.triangles += all.size();
    result.checksum += checksum(all);
    result.mesh.insert(result.mesh.end(), all.begin(), all.end());
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

} // namespace windrow::apps::delaunay
