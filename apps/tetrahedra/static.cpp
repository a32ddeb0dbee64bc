// SPDX-License-Identifier: BSD-3-Clause
#include <chrono>
#include <map>

#include "apps/tetrahedra/simulation.hpp"
#include "windrow/mailbox.hpp"

namespace windrow::apps::tetrahedra {

namespace {

struct split_edge {
  std::uint64_t leaf;
  edge what;
};

} // namespace

outcome run_static(job& j, const settings& s) {
  const auto begin = std::chrono::steady_clock::now();
  const octree cells(s.where);
  const auto count = cells.leaves().size();
  const auto owner = [&](std::uint64_t leaf) { // for ever
    return static_cast<pe_t>(leaf * static_cast<std::uint64_t>(j.pes()) / count);
  };
  std::map<std::uint64_t, part> parts; // of this PE
  for (std::uint64_t i = 0; i < count; ++i)
    if (owner(i) == j.pe()) parts.emplace(i, part(s.where, i));
  outcome result;
  for (std::uint64_t step = 0; step < s.steps; ++step) {
    std::vector<split_edge> first;
    for (auto& [i, p] : parts)
      p.begin(step, cells, [&](std::uint64_t neighbour, const edge& e) { first.push_back({neighbour, e}); });
    {
      mailbox<split_edge> post(j, [&](auto& out, const split_edge& m) {
        parts.at(m.leaf).split(m.what, cells, [&](std::uint64_t neighbour, const edge& e) {
          out.send(owner(neighbour), {neighbour, e});
        });
      });
      post.run([&] {
        for (const auto& m : first) post.send(owner(m.leaf), m);
      });
    }
    std::uint64_t tetrahedra = 0, sum = 0;
    for (const auto& [i, p] : parts) {
      tetrahedra += p.tetrahedra().size();
      sum += checksum(p.tetrahedra());
    }
    result.tetrahedra.push_back(j.world().sum(tetrahedra));
    result.checksums.push_back(j.world().sum(sum));
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  result.seconds = j.world().max(seconds.count());
  return result;
}

} // namespace windrow::apps::tetrahedra
