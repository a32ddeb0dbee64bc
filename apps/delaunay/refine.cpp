// SPDX-License-Identifier: BSD-3-Clause
#include "apps/delaunay/refine.hpp"

#include "apps/delaunay/cavity.hpp"

namespace windrow::apps::delaunay {

void refine(const leaves_together& leaves) {
  const auto triangle_at = [&](const edge& e) { return leaves.find(e); };
  const auto claim = [](const triangle&) { return true; }; // nobody else is here
  while (leaves.first().has_work())
    if (const auto hole = plan_split(leaves.first().of(), leaves.first().worst(), triangle_at, claim)) {
      for (const auto& t : hole->triangles) leaves.of(t).remove(t);
      for (const auto& t : hole->fan()) leaves.of(t).add(t);
    }
}

} // namespace windrow::apps::delaunay
