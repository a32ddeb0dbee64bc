// SPDX-License-Identifier: BSD-3-Clause
#include "apps/kernels/topological_sort/topological_sort.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "apps/graph/mix.hpp"
#include "apps/kernels/permute_matrix/permute_matrix.hpp"
#include "apps/kernels/random_permutation/random_permutation.hpp"
#include "apps/kernels/transpose_matrix/transpose_matrix.hpp"
#include "apps/matrix/build.hpp"
#include "windrow/error.hpp"

namespace windrow::apps {

const kernel_entry topological_sort_entry{
    .name = "topological_sort",
    .about =
        "finds the order in which a permuted matrix is triangular: one remote atomic operation for each "
        "entry",
    .styles = all_styles,
    .make = make_kernel<topological_sort>,
    .sequential = sequential_topological_sort,
};

sparse_matrix<> permuted_triangle(job& j, const workload& w) {
  auto triangle = simple_undirected(w.graph);
  for (graph::vertex v = 0; v < triangle.vertices; ++v) triangle.edges.push_back({v, v});
  const auto row_to = random_permutation(j, triangle.vertices, w.seed);
  const auto column_to = random_permutation(j, triangle.vertices, w.seed + 1);
  return permuted(j, matrix_of(j, triangle), row_to, column_to);
}

topological_sort::topological_sort(job& j, sparse_matrix<> matrix)
    : job_(j),
      matrix_(std::move(matrix)),
      columns_(transposed(j, matrix_)),
      parts_(j, matrix_, columns_),
      left_(j, matrix_.rows()),
      row_position_(j, matrix_.rows()),
      column_position_(j, matrix_.columns()),
      placed_(j, 1),
      at_time_(j, matrix_.rows()),
      here_(j, static_cast<std::uint64_t>(j.pes())) {
  if (matrix_.rows() != matrix_.columns() || matrix_.rows() > std::uint64_t{1} << 32)
    throw error(
        fmt::format("a matrix of {} rows and {} columns cannot be sorted topologically: it must be square, "
                    "with at most 2^32 rows",
                    matrix_.rows(), matrix_.columns()));
  reset();
}

void topological_sort::reset() {
  for (std::uint64_t k = 0; k < matrix_.local_rows(); ++k) {
    left_.local()[k] = 0;
    for (const auto column : matrix_.local_row(k)) left_.local()[k] += of_entry(column);
  }
  std::ranges::fill(row_position_.local(), matrix_.rows());
  std::ranges::fill(column_position_.local(), matrix_.rows());
  std::ranges::fill(placed_.local(), 0);
  std::ranges::fill(at_time_.local(), 0);
  job_.barrier();
}

void topological_sort::run(kernel_style s) {
  in_style(s);
  const auto placed = job_.world().broadcast(job_.pe() == 0 ? placed_.local()[0] : 0, 0);
  if (placed != matrix_.rows())
    throw error(
        fmt::format("the matrix is no permuted triangular one with a full diagonal: {} of its {} rows are "
                    "empty or wait for each other in cycles",
                    matrix_.rows() - placed, matrix_.rows()));
}

std::vector<topological_sort::last_entry> topological_sort::ready_rows() const {
  std::vector<last_entry> ready;
  for (std::uint64_t k = 0; k < matrix_.local_rows(); ++k) {
    if (const auto left = left_.local()[k]; has_one_entry(left))
      ready.push_back({matrix_.global_row(k), column_of(left)});
  }
  return ready;
}

// Right for every valid order, and for no other: each position once, entries below the diagonal nowhere, and
// on it those which no order can avoid there.
std::uint64_t topological_sort::checksum() {
  std::vector<std::uint64_t> column_positions(matrix_.local_entries());
  context ctx(job_, aggregate);
  auto* out = column_positions.data();
  for_each_entry(matrix_,
                 [&](std::uint64_t, std::uint64_t column) { ctx.get(column_position_[column], out++); });
  ctx.barrier();
  std::uint64_t sum = 0;
  const auto* at = column_positions.data();
  for_each_entry(matrix_, [&](std::uint64_t row, std::uint64_t column) {
    const auto position = row_position_.local()[matrix_.local_index(row)];
    sum += (position <= *at) + (position == *at) * hash({row, column});
    ++at;
  });
  for (const auto position : row_position_.local()) sum += graph::mix(position + 1);
  return sum;
}

} // namespace windrow::apps
