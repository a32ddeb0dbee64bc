// SPDX-License-Identifier: BSD-3-Clause
// Matrices from entries, wherever these are.
#pragma once

#include <vector>

#include "apps/graph/edge_list.hpp"
#include "apps/matrix/sparse_matrix.hpp"
#include "windrow/mailbox.hpp"

namespace windrow::apps {

/// The matrix of a graph that every PE has: entry (u, v) for each edge from u to v. Each PE keeps its rows,
/// so nothing is sent. Collective.
template <class Distribution = cyclic_distribution>
sparse_matrix<Distribution> matrix_of(job& j, const graph::edge_list& whole) {
  const auto layout = row_layout<Distribution>(j, whole.vertices);
  std::vector<entry> own;
  for (const auto& e : whole.edges) {
    if (layout.owner(e.from) == j.pe()) own.push_back({e.from, e.to});
  }
  return sparse_matrix<Distribution>(j, whole.vertices, whole.vertices, std::span<const entry>(own));
}

/// A matrix from entries of which every PE has some, of any rows: `produce(send)` calls `send(row, column)`
/// for each of this PE's, and they go to the owners of the rows. The order in a row is any. Collective.
template <class Distribution = cyclic_distribution, class Produce>
sparse_matrix<Distribution> collect_matrix(job& j, std::uint64_t rows, std::uint64_t columns,
                                           Produce produce) {
  const auto layout = row_layout<Distribution>(j, rows);
  std::vector<entry> own;
  mailbox<entry> to_owner(
      j, [&](std::span<const entry> batch, pe_t) { own.insert(own.end(), batch.begin(), batch.end()); });
  to_owner.run([&] {
    produce(
        [&](std::uint64_t row, std::uint64_t column) { to_owner.send(layout.owner(row), {row, column}); });
  });
  return sparse_matrix<Distribution>(j, rows, columns, std::span<const entry>(own));
}

/// The same matrix with its rows spread in another way. Collective.
template <class To, class From>
sparse_matrix<To> spread(job& j, const sparse_matrix<From>& m) {
  return collect_matrix<To>(j, m.rows(), m.columns(), [&](auto send) { for_each_entry(m, send); });
}

} // namespace windrow::apps
