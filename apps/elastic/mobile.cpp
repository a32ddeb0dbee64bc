// SPDX-License-Identifier: BSD-3-Clause
#include "windrow/mobile.hpp"

#include <algorithm>
#include <array>
#include <cereal/types/array.hpp>
#include <cereal/types/vector.hpp>
#include <chrono>
#include <functional>
#include <span>

#include "apps/elastic/simulation.hpp"
#include "windrow/fork_join.hpp"

namespace windrow::apps::elastic {

/// A mobile object. It is in one phase after the other, and ends each when all sides of its frame are there.
/// A neighbour may be a phase ahead, not more, since it needs what this block sends; and the frame of the
/// next phase is that of another field. So what comes early is put where it belongs at once.
struct mobile_block {
  block points{};
  std::array<mobile_ptr<mobile_block>, directions> neighbours{};
  std::uint64_t phase = 0, end = 0;     ///< the one that it is in; where it stops
  std::array<std::uint64_t, 2> sides{}; ///< of the frame that are there, in phases of even and odd numbers

  void go_on(std::uint64_t until) {
    end = until;
    send_sides();
    compute();
  }
  void take(std::uint64_t of_phase, std::uint64_t direction, std::span<const double> side) {
    points.from_neighbour(of_phase, direction, side);
    ++sides[of_phase % 2];
    compute();
  }

  template <class Archive>
  void serialize(Archive& a) {
    a(points, neighbours, phase, end, sides);
  }

 private:
  void send_sides() const {
    for (std::size_t d = 0; d < directions; ++d)
      neighbours[d].send<&mobile_block::take>(phase, opposite(d),
                                              std::span<const double>(points.for_neighbour(phase, d)));
  }
  void compute() {
    while (phase < end && sides[phase % 2] == directions) {
      sides[phase % 2] = 0;
      if (points.begin_phase(phase))
        parallel_for(std::int64_t{0}, points.side(),
                     [this](std::int64_t plane) { points.compute(phase, plane); });
      if (++phase < end) send_sides();
    }
  }
};

outcome run_mobile(job& j, const settings& s, const balance::policy& policy) {
  const auto begin = std::chrono::steady_clock::now();
  object_space space(j, s.where);
  collection<mobile_block> blocks(space, s.points.count(), [&](std::uint64_t i) {
    return mobile_block{.points = block(s.what, s.points, i)};
  });
  blocks.for_each_local([&](std::uint64_t i, mobile_block& b) {
    for (std::size_t d = 0; d < directions; ++d) b.neighbours[d] = blocks[neighbour(s.points, i, d)];
  });
  outcome result;
  for (std::uint64_t step = 0; step < s.steps; step += s.balance_every) {
    if (step > 0) {
      const auto report = space.balance(policy);
      result.before.push_back(report.before);
      result.after.push_back(report.after);
      result.moves += report.moved;
    }
    const auto until = std::min(s.steps, step + s.balance_every);
    space.run([&] {
      for (auto i = static_cast<std::uint64_t>(j.pe()); i < blocks.size();
           i += static_cast<std::uint64_t>(j.pes()))
        blocks[i].send<&mobile_block::go_on>(2 * until);
    });
  }
  result.checksum = blocks.reduce(
      std::uint64_t{0}, [](const mobile_block& b) { return b.points.checksum(); }, std::plus<>());
  result.error = blocks.reduce(
      0.0, [&](const mobile_block& b) { return b.points.error_at(s.end()); },
      [](double a, double b) { return std::max(a, b); });
  result.awake = blocks.reduce(
      std::uint64_t{0}, [](const mobile_block& b) { return b.points.is_awake() ? 1U : 0U; }, std::plus<>());
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  result.seconds = j.world().max(seconds.count());
  return result;
}

} // namespace windrow::apps::elastic
