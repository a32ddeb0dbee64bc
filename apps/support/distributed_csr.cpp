// SPDX-License-Identifier: BSD-3-Clause
#include "apps/support/distributed_csr.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "windrow/error.hpp"

namespace windrow::apps {

namespace {

constexpr std::uint64_t most_targets = std::numeric_limits<std::uint32_t>::max();

} // namespace

distributed_csr::distributed_csr(job& j, const graph::csr& whole)
    : extents_(j.array<extent>(whole.vertices(), cyclic)) {
  std::uint64_t count = 0;
  for (std::uint64_t k = 0; k < local_rows(); ++k) {
    auto& at = extents_.local()[k];
    const auto size = whole.row(extents_.global_index(k)).size();
    at = {static_cast<std::uint32_t>(count), static_cast<std::uint32_t>(size)};
    count += size;
  }
  const auto most = j.world().max(count);
  if (most > most_targets)
    throw error(fmt::format("a PE would hold {} edges, more than {}: start more PEs", most, most_targets));
  targets_ = j.allocate<graph::vertex>(most);
  local_targets_ = j.local(targets_);
  for (std::uint64_t k = 0; k < local_rows(); ++k) {
    std::ranges::copy(whole.row(extents_.global_index(k)), local_targets_ + extents_.local()[k].first);
  }
}

} // namespace windrow::apps
