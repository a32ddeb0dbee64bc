// SPDX-License-Identifier: BSD-3-Clause
#include "windrow/mailbox.hpp"
#include "apps/kernels/triangles/triangles.hpp"

namespace windrow::apps {

void triangles::run_mailbox() {
  mailbox<probe> probes(job_, [&](std::span<const probe> batch, pe_t) { found_ += found_by(batch, upper_); });
  probes.run([&] {
    for (const auto& e : outgoing_edges(upper_)) {
      const auto owner = upper_.owner(e.v);
      const auto row = upper_.local_index(e.v);
      for (const auto w : e.after_v) probes.send(owner, {row, w});
    }
  });
}

} // namespace windrow::apps
