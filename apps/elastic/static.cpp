// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>
#include <chrono>
#include <map>
#include <span>

#include "apps/elastic/simulation.hpp"
#include "windrow/fork_join.hpp"
#include "windrow/mailbox.hpp"

namespace windrow::apps::elastic {

namespace {

/// The PE of a block, for ever.
pe_t owner(const job& j, const grid& g, std::uint64_t block) {
  return static_cast<pe_t>(block * static_cast<std::uint64_t>(j.pes()) / g.count());
}

/// One side of a frame as a message: which one it is, as a number, then its points.
std::vector<double> message(std::uint64_t block, std::size_t direction, const std::vector<double>& points) {
  std::vector<double> result{static_cast<double>(block * directions + direction)};
  result.insert(result.end(), points.begin(), points.end());
  return result;
}

} // namespace

outcome run_static(job& j, const settings& s) {
  const auto begin = std::chrono::steady_clock::now();
  std::map<std::uint64_t, block> blocks; // of this PE
  for (std::uint64_t i = 0; i < s.points.count(); ++i)
    if (owner(j, s.points, i) == j.pe()) blocks.emplace(i, block(s.what, s.points, i));
  {
    std::uint64_t phase = 0;
    mailbox<std::span<const double>> frames(j, [&](std::span<const double> m) {
      const auto which = static_cast<std::uint64_t>(m.front());
      blocks.at(which / directions).from_neighbour(phase, which % directions, m.subspan(1));
    });
    for (; phase < s.phases(); ++phase) {
      frames.run([&] {
        for (const auto& [i, b] : blocks)
          for (std::size_t d = 0; d < directions; ++d) {
            const auto to = neighbour(s.points, i, d);
            frames.send(owner(j, s.points, to), message(to, opposite(d), b.for_neighbour(phase, d)));
          }
      });
      for (auto& [i, b] : blocks)
        if (b.begin_phase(phase))
          parallel_for(std::int64_t{0}, b.side(),
                       [&b, phase](std::int64_t plane) { b.compute(phase, plane); });
    }
  }
  outcome result;
  for (const auto& [i, b] : blocks) {
    result.checksum += b.checksum();
    result.error = std::max(result.error, b.error_at(s.end()));
    result.awake += b.is_awake() ? 1U : 0U;
  }
  result.checksum = j.world().sum(result.checksum);
  result.error = j.world().max(result.error);
  result.awake = j.world().sum(result.awake);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  result.seconds = j.world().max(seconds.count());
  return result;
}

} // namespace windrow::apps::elastic
