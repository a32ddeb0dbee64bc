// SPDX-License-Identifier: BSD-3-Clause
#include "apps/kernels/transpose_matrix/transpose_matrix.hpp"
#include "apps/matrix/build.hpp"

namespace windrow::apps {

sparse_matrix<> transposed_mailbox(job& j, const sparse_matrix<>& m) {
  return collect_matrix(j, m.columns(), m.rows(), [&](auto send) {
    for_each_entry(m, [&](std::uint64_t row, std::uint64_t column) { send(column, row); });
  });
}

} // namespace windrow::apps
