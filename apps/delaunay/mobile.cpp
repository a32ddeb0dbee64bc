// SPDX-License-Identifier: BSD-3-Clause
#include "windrow/mobile.hpp"

#include <cereal/types/vector.hpp>
#include <chrono>
#include <functional>
#include <utility>

#include "apps/delaunay/simulation.hpp"
#include "windrow/multicast.hpp"
#include "windrow/object_event.hpp"

namespace windrow::apps::delaunay {

/// A mobile object. Its turn is an event: it waits for a signal of each leaf that comes before it, and for
/// those that come after it to say what they wait for.
struct mobile_leaf {
  leaf mesh{};
  std::vector<mobile_ptr<mobile_leaf>> together{}; ///< itself, and its neighbours
  std::vector<mobile_ptr<mobile_leaf>> earlier{};  ///< whose turns come before
  std::uint64_t later = 0;                         ///< leaves, whose turns come after
  object_event turn{};
  std::vector<object_event> next{}; ///< of those
  pe_t place = 0; ///< where balancing has put it, and where it is but for its neighbours' turns
  settings how{};
  std::uint64_t conflicts = 0;

  void begin_round() {
    turn = send_after<&mobile_leaf::take_turn>(together.front(), earlier.size() + 1);
    for (const auto l : earlier) l.send<&mobile_leaf::expect>(turn);
    be_ready();
  }
  void expect(object_event turn_of_later) {
    next.push_back(turn_of_later);
    be_ready();
  }
  void be_ready() const {
    if (turn != object_event() && next.size() == later) turn.signal();
  }
  void take_turn();
  void end_turn() {
    for (const auto e : std::exchange(next, {})) e.signal();
    turn = {};
  }

  template <class Archive>
  void serialize(Archive& a) {
    a(mesh, together, earlier, later, turn, next, place, how, conflicts);
  }
};

namespace {

/// A handler of a leaf and its neighbours, which are all here, and nobody else's meanwhile.
void refine_first(std::span<mobile_leaf* const> all) {
  std::vector<leaf*> leaves;
  for (auto* const l : all) leaves.push_back(&l->mesh);
  auto& first = *all.front();
  first.conflicts += first.how.refine_leaf(leaves_together(std::move(leaves)));
  first.end_turn();
  for (const auto* l : all) l->together.front().migrate(l->place);
}

void introduce(const domain& d, collection<mobile_leaf>& leaves) {
  leaves.for_each_local([&](std::uint64_t i, mobile_leaf& l) {
    l.together.push_back(leaves[i]);
    for (const auto n : d.around(i, 1)) l.together.push_back(leaves[n]);
    for (const auto n : d.around(i, 2))
      if (d.colour(n) < d.colour(i))
        l.earlier.push_back(leaves[n]);
      else
        ++l.later;
  });
}

} // namespace

void mobile_leaf::take_turn() {
  if (mesh.has_work())
    multicast<refine_first>(together);
  else
    end_turn();
}

outcome run_mobile(job& j, const settings& s, const balance::policy& policy) {
  const auto begin = std::chrono::steady_clock::now();
  object_space space(j, s.runs);
  collection<mobile_leaf> leaves(space, s.where.count(), [&](std::uint64_t i) {
    return mobile_leaf{.mesh = leaf(s.where, i), .how = s};
  });
  introduce(s.where, leaves);
  const auto is_work_left = [&] {
    return leaves.reduce(false, [](const mobile_leaf& l) { return l.mesh.has_work(); }, std::logical_or<>());
  };
  outcome result;
  for (std::int32_t level = 0; level < s.where.levels; ++level) {
    if (level > 0 && static_cast<std::uint64_t>(level) % s.balance_every == 0) {
      const auto report = space.balance(policy);
      result.before.push_back(report.before);
      result.after.push_back(report.after);
      result.moves += report.moved;
    }
    leaves.for_each_local([&](mobile_leaf& l) {
      l.place = j.pe();
      l.mesh.begin_level(level);
    });
    for (; is_work_left(); ++result.rounds)
      space.run([&] {
        if (j.pe() == 0) leaves.broadcast<&mobile_leaf::begin_round>();
      });
  }
  std::vector<triangle> here;
  leaves.for_each_local([&](const mobile_leaf& l) {
    for (const auto& t : l.mesh.triangles()) here.push_back(t);
    result.conflicts += l.conflicts;
  });
  result.triangles = j.world().sum(std::uint64_t{here.size()});
  result.checksum = j.world().sum(checksum(here));
  result.conflicts = j.world().sum(result.conflicts);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  result.seconds = j.world().max(seconds.count());
  result.mesh = gather(j, here);
  return result;
}

} // namespace windrow::apps::delaunay
