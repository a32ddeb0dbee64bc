// SPDX-License-Identifier: BSD-3-Clause
#include "apps/kernels/triangles/upper_triangle.hpp"

#include <algorithm>

#include "apps/matrix/build.hpp"

namespace windrow::apps {

namespace {

constexpr std::uint64_t chunk_size = 1 << 16; ///< elements of fetched rows

} // namespace

sparse_matrix<> upper_triangle(job& j, const graph::edge_list& graph) {
  auto upper = matrix_of(j, numbered_by_degree(simple_undirected(graph)));
  upper.sort_rows();
  return upper;
}

std::uint64_t pairs_of(const sparse_matrix<>& upper) {
  std::uint64_t pairs = 0;
  for (std::uint64_t k = 0; k < upper.local_rows(); ++k) {
    const auto size = upper.local_row(k).size();
    pairs += size * (size - std::min<std::uint64_t>(size, 1)) / 2;
  }
  return pairs;
}

std::vector<outgoing_edge> outgoing_edges(const sparse_matrix<>& upper) {
  std::vector<outgoing_edge> edges;
  for (std::uint64_t k = 0; k < upper.local_rows(); ++k) {
    const auto row = upper.local_row(k);
    for (std::size_t i = 0; i + 1 < row.size(); ++i) edges.push_back({row.subspan(i + 1), row[i], {}});
  }
  return edges;
}

std::span<const outgoing_edge> take_chunk(std::span<const outgoing_edge>& edges) {
  std::uint64_t size = edges.front().row_of_v.size;
  std::size_t count = 1;
  while (count < edges.size() && (size += edges[count].row_of_v.size) <= chunk_size) ++count;
  const auto chunk = edges.first(count);
  edges = edges.subspan(count);
  return chunk;
}

void fetch_rows(context& ctx, const sparse_matrix<>& upper, std::span<const outgoing_edge> chunk,
                std::vector<std::uint64_t>& fetched) {
  std::uint64_t size = 0;
  for (const auto& e : chunk) size += e.row_of_v.size;
  fetched.resize(size);
  auto into = std::span(fetched);
  for (const auto& e : chunk) {
    ctx.get(upper.row(e.v, e.row_of_v), into.first(e.row_of_v.size));
    into = into.subspan(e.row_of_v.size);
  }
  ctx.complete_own();
}

std::uint64_t common(std::span<const std::uint64_t> a, std::span<const std::uint64_t> b) {
  std::uint64_t count = 0;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const auto x = a[i], y = b[j];
    count += x == y;
    i += x <= y;
    j += y <= x;
  }
  return count;
}

std::uint64_t triangles_of(std::span<const outgoing_edge> chunk, std::span<const std::uint64_t> fetched) {
  std::uint64_t count = 0;
  for (const auto& e : chunk) {
    count += common(e.after_v, fetched.first(e.row_of_v.size));
    fetched = fetched.subspan(e.row_of_v.size);
  }
  return count;
}

std::uint64_t found_by(std::span<const probe> probes, const sparse_matrix<>& upper) {
  std::uint64_t found = 0;
  std::span<const std::uint64_t>
      rest; // of the row, from the first element that is not below the last probe's w
  probe last{~std::uint64_t{0}, 0};
  for (const auto& p : probes) {
    if (p.row != last.row || p.w < last.w) rest = upper.local_row(p.row);
    while (!rest.empty() && rest.front() < p.w) rest = rest.subspan(1);
    found += !rest.empty() && rest.front() == p.w;
    last = p;
  }
  return found;
}

} // namespace windrow::apps
