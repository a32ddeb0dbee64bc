// SPDX-License-Identifier: BSD-3-Clause
// Without levels: whom cascades reach passes them on at once.
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
  mailbox<visit> visits(job_, [&](auto& out, visit arrived) {
    const auto fresh = arrived.by & ~reached_[arrived.to];
    reached_[arrived.to] |= fresh;
    if (fresh == 0) return;
    for (const auto& [to, along] : edges_[arrived.to]) {
      if ((fresh & along) != 0)
        out.send(arriving_.owner(to), visit{arriving_.local_index(to), fresh & along});
    }
  });
  visits.run([&] {
    for (std::uint64_t k = 0; k < sources_.size(); ++k) {
      if (sources_[k] != 0) visits.send(job_.pe(), {k, sources_[k]});
    }
  });
}

} // namespace windrow::apps
