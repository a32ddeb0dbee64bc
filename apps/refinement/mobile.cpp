// SPDX-License-Identifier: BSD-3-Clause
#include "windrow/mobile.hpp"

#include <cereal/types/unordered_set.hpp>
#include <cereal/types/vector.hpp>
#include <chrono>
#include <functional>

#include "apps/refinement/simulation.hpp"
#include "windrow/mailbox.hpp"

namespace windrow::apps::refinement {

template <class Archive>
void serialize(Archive& a, point& p) {
  a(p.x, p.y);
}
template <class Archive>
void serialize(Archive& a, triangle& t) {
  a(t.base_a, t.base_b, t.newest);
}
template <class Archive>
void serialize(Archive& a, edge& e) {
  a(e.a, e.b);
}

/// A mobile object.
struct region {
  patch mesh{};
  std::uint64_t steps = 0;   ///< that it has begun
  std::vector<edge> early{}; ///< from neighbours that are a step ahead

  void begin(std::uint64_t step);
  void split(std::uint64_t step, const edge& e);

  template <class Archive>
  void serialize(Archive& a) {
    a(mesh, steps, early);
  }
};

namespace {

thread_local collection<region>* all_regions = nullptr; ///< of this PE's run

patch::teller tell_at(std::uint64_t step) {
  return [step](std::uint64_t neighbour, const edge& e) {
    (*all_regions)[neighbour].send<&region::split>(step, e);
  };
}

} // namespace

void region::begin(std::uint64_t step) {
  const auto tell = tell_at(step);
  mesh.begin(step, tell);
  steps = step + 1;
  for (const auto& e : std::exchange(early, {})) mesh.split(e, tell);
}

void region::split(std::uint64_t step, const edge& e) {
  if (step < steps)
    mesh.split(e, tell_at(step));
  else
    early.push_back(e);
}

namespace {

/// All triangles, on PE 0.
std::vector<coloured> collect(job& j, collection<region>& regions) {
  std::vector<coloured> all;
  mailbox<coloured> post(j, [&](const coloured& c) { all.push_back(c); });
  post.run([&] {
    regions.for_each_local([&](const region& r) {
      for (const auto& t : r.mesh.triangles()) post.send(0, {j.pe(), t});
    });
  });
  return all;
}

} // namespace

outcome run_mobile(job& j, const settings& s, const balance::policy& policy) {
  const auto begin = std::chrono::steady_clock::now();
  object_space space(j);
  collection<region> regions(space, s.where.patches(),
                             [&](std::uint64_t i) { return region{.mesh = patch(s.where, i)}; });
  all_regions = &regions;
  outcome result;
  for (std::uint64_t step = 0; step < s.steps; ++step) {
    if (step > 0 && step % s.balance_every == 0) result.moves += space.balance(policy).moved;
    space.run([&] {
      for (auto i = static_cast<std::uint64_t>(j.pe()); i < regions.size();
           i += static_cast<std::uint64_t>(j.pes()))
        regions[i].send<&region::begin>(step);
    });
    std::uint64_t triangles = 0, sum = 0;
    regions.for_each_local([&](const region& r) {
      triangles += r.mesh.triangles().size();
      sum += checksum(r.mesh.triangles());
    });
    result.triangles.push_back(j.world().sum(triangles));
    result.checksums.push_back(j.world().sum(sum));
    result.loads.push_back(j.world().allgather(static_cast<double>(triangles)));
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  result.seconds = j.world().max(seconds.count());
  if (!s.picture.empty())
    if (const auto all = collect(j, regions); j.pe() == 0) draw(s.picture, s.where, all, result.loads);
  return result;
}

} // namespace windrow::apps::refinement
