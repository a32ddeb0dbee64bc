// SPDX-License-Identifier: BSD-3-Clause
#include <vector>

#include "apps/kernels/permute_matrix/permute_matrix.hpp"
#include "windrow/selector.hpp"

namespace windrow::apps {

namespace {

/// On its way to the PE that knows where the column goes.
struct half_permuted {
  std::uint64_t new_row;
  std::uint64_t column_place;
};

} // namespace

sparse_matrix<> permuted_mailbox(job& j, const sparse_matrix<>& m, const permutation& row_to,
                                 const permutation& column_to) {
  const auto new_columns = column_to.local();
  std::vector<entry> own;
  selector<half_permuted, entry> travel(
      j,
      [&](auto& out, half_permuted e) {
        out.send(m.owner(e.new_row), entry{e.new_row, new_columns[e.column_place]});
      },
      [&](std::span<const entry> batch, pe_t) { own.insert(own.end(), batch.begin(), batch.end()); });
  travel.run([&] {
    for (std::uint64_t k = 0; k < m.local_rows(); ++k) {
      for (const auto column : m.local_row(k))
        travel.send(column_to.owner(column), half_permuted{row_to.local()[k], column_to.local_index(column)});
    }
  });
  return {j, m.rows(), m.columns(), std::span<const entry>(own)};
}

} // namespace windrow::apps
