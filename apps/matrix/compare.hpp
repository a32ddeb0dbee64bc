// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <functional>
#include <vector>

#include "apps/matrix/sparse_matrix.hpp"

namespace windrow::apps {

/// Whether two matrices have the same shape and the same entries, as often; their order in a row does not
/// matter. Collective, the same answer on all PEs. No remote access: compare matrices that are spread alike.
template <class Distribution>
bool equal(job& j, const sparse_matrix<Distribution>& a, const sparse_matrix<Distribution>& b) {
  if (a.rows() != b.rows() || a.columns() != b.columns()) return false;
  const auto sorted = [](std::span<const std::uint64_t> row) {
    std::vector<std::uint64_t> copy(row.begin(), row.end());
    std::ranges::sort(copy);
    return copy;
  };
  std::uint64_t different = 0;
  for (std::uint64_t k = 0; k < a.local_rows(); ++k)
    different += sorted(a.local_row(k)) != sorted(b.local_row(k));
  return j.world().sum(different) == 0;
}

} // namespace windrow::apps
