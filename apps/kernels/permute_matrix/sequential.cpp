// SPDX-License-Identifier: BSD-3-Clause
#include <numeric>
#include <vector>

#include "apps/graph/csr.hpp"
#include "apps/kernels/permute_matrix/permute_matrix.hpp"
#include "apps/kernels/random_permutation/random_permutation.hpp"

namespace windrow::apps {

sequential_answer sequential_permute_matrix(const workload& w) {
  const graph::csr matrix(w.graph);
  const auto n = matrix.vertices();
  const auto row_to = sequential_permutation({n, w.seed});
  const auto column_to = sequential_permutation({n, w.seed + 1});
  std::vector<std::uint64_t> first, columns;
  const auto seconds = seconds_of([&] {
    first.assign(n + 1, 0);
    columns.resize(matrix.edges());
    for (std::uint64_t i = 0; i < n; ++i) first[row_to[i] + 1] = matrix.row(i).size();
    std::inclusive_scan(first.begin(), first.end(), first.begin());
    for (std::uint64_t i = 0; i < n; ++i) {
      auto at = first[row_to[i]];
      for (const auto j : matrix.row(i)) columns[at++] = column_to[j];
    }
  });
  std::uint64_t sum = 0;
  for (std::uint64_t row = 0; row < n; ++row) {
    for (auto at = first[row]; at < first[row + 1]; ++at) sum += hash({row, columns[at]});
  }
  return {sum, seconds};
}

} // namespace windrow::apps
