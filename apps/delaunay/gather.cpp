// SPDX-License-Identifier: BSD-3-Clause
#include "apps/delaunay/simulation.hpp"
#include "windrow/mailbox.hpp"

namespace windrow::apps::delaunay {

std::vector<triangle> gather(job& j, const std::vector<triangle>& here) {
  std::vector<triangle> all;
  mailbox<triangle> post(j, [&](const triangle& t) { all.push_back(t); });
  post.run([&] {
    for (const auto& t : here) post.send(0, t);
  });
  return all;
}

} // namespace windrow::apps::delaunay
