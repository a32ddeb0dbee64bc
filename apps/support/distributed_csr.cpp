// SPDX-License-Identifier: BSD-3-Clause
#include "apps/support/distributed_csr.hpp"

#include <algorithm>

namespace windrow::apps {

distributed_csr::distributed_csr(job& j, const graph::csr& whole)
    : extents_(j.array<extent>(whole.vertices(), cyclic)) {
  std::uint64_t count = 0;
  for (std::uint64_t k = 0; k < local_rows(); ++k) {
    auto& at = extents_.local()[k];
    at = {count, whole.row(extents_.global_index(k)).size()};
    count += at.size;
  }
  targets_ = j.allocate<graph::vertex>(j.world().max(count));
  local_targets_ = j.local(targets_);
  for (std::uint64_t k = 0; k < local_rows(); ++k) {
    std::ranges::copy(whole.row(extents_.global_index(k)), local_targets_ + extents_.local()[k].first);
  }
}

} // namespace windrow::apps
