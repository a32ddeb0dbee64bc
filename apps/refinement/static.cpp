// SPDX-License-Identifier: BSD-3-Clause
#include <chrono>
#include <functional>

#include "apps/refinement/simulation.hpp"
#include "windrow/mailbox.hpp"

namespace windrow::apps::refinement {

namespace {

struct split_edge {
  std::uint64_t patch;
  edge what;
};

/// The PE of a patch, for ever.
pe_t owner(const job& j, const domain& d, std::uint64_t patch) {
  return static_cast<pe_t>(patch * static_cast<std::uint64_t>(j.pes()) / d.patches());
}

} // namespace

outcome run_static(job& j, const settings& s) {
  const auto begin = std::chrono::steady_clock::now();
  const auto& d = s.where;
  std::vector<patch> patches; // those of others stay empty
  for (std::uint64_t i = 0; i < d.patches(); ++i) patches.emplace_back(d, i);
  std::vector<split_edge> waiting; // edges to be told
  const auto tell = [&](std::uint64_t neighbour, const edge& e) { waiting.push_back({neighbour, e}); };
  outcome result;
  for (std::uint64_t step = 0; step < s.steps; ++step) {
    waiting.clear();
    for (std::uint64_t i = 0; i < d.patches(); ++i)
      if (owner(j, d, i) == j.pe()) patches[i].begin(step, tell);
    {
      mailbox<split_edge> post(j, [&](auto& out, const split_edge& m) {
        patches[m.patch].split(m.what, [&](std::uint64_t neighbour, const edge& e) {
          out.send(owner(j, d, neighbour), {neighbour, e});
        });
      });
      post.run([&] {
        for (const auto& m : waiting) post.send(owner(j, d, m.patch), m);
      });
    }
    std::uint64_t triangles = 0, sum = 0;
    for (const auto& p : patches) {
      triangles += p.triangles().size();
      sum += checksum(p.triangles());
    }
    result.triangles.push_back(j.world().sum(triangles));
    result.checksums.push_back(j.world().sum(sum));
    result.loads.push_back(j.world().allgather(static_cast<double>(triangles)));
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  result.seconds = j.world().max(seconds.count());
  return result;
}

} // namespace windrow::apps::refinement
