// SPDX-License-Identifier: BSD-3-Clause
// Level by level, as the other styles: passing cascades on as they come would do so several times.
#include "windrow/mailbox.hpp"
#include "apps/kernels/influence/influence.hpp"

namespace windrow::apps {

namespace {

struct visit {
  std::uint64_t to; ///< its number on its owner
  cascade_set by;
};

} // namespace

void influence::run_mailbox() {
  const auto arriving = arriving_.local();
  mailbox<visit> visits(job_, [&](visit v) { arriving[v.to] |= v.by; });
  while (next_level()) {
    visits.run([&] {
      for (const auto& [k, fresh] : arrivals_) {
        for (const auto& [to, along] : edges_[k]) {
          if ((fresh & along) != 0)
            visits.send(arriving_.owner(to), {arriving_.local_index(to), fresh & along});
        }
      }
    });
  }
}

} // namespace windrow::apps
