// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <chrono>

#include "apps/elastic/simulation.hpp"

namespace windrow::apps::elastic {

outcome run_sequential(const settings& s) {
  const auto begin = std::chrono::steady_clock::now();
  std::vector<block> blocks;
  blocks.reserve(s.points.count());
  for (std::uint64_t i = 0; i < s.points.count(); ++i) blocks.emplace_back(s.what, s.points, i);
  for (std::uint64_t phase = 0; phase < s.phases(); ++phase) {
    for (std::uint64_t i = 0; i < blocks.size(); ++i)
      for (std::size_t d = 0; d < directions; ++d)
        blocks[neighbour(s.points, i, d)].from_neighbour(phase, opposite(d),
                                                         blocks[i].for_neighbour(phase, d));
    for (auto& b : blocks)
      if (b.begin_phase(phase))
        for (std::int64_t plane = 0; plane < b.side(); ++plane) b.compute(phase, plane);
  }
  outcome result;
  for (const auto& b : blocks) {
    result.checksum += b.checksum();
    result.error = std::max(result.error, b.error_at(s.end()));
    result.awake += b.is_awake() ? 1U : 0U;
  }
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

} // namespace windrow::apps::elastic
