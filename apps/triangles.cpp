// SPDX-License-Identifier: BSD-3-Clause
// Triangle counting: reads of varying size that depend on earlier reads.
#include <windrow/windrow.hpp>

#include <span>
#include <vector>

#include "apps/graph/csr.hpp"
#include "apps/graph/sequential.hpp"
#include "apps/support/distributed_csr.hpp"
#include "apps/support/input.hpp"
#include "apps/support/trial.hpp"

namespace apps = windrow::apps;
namespace graph = windrow::graph;

namespace {

constexpr auto about =
    "Triangle counting: directs each edge (u, v) of a graph from the vertex with fewer neighbours to the "
    "other, fetches\n"
    "the neighbours of v from the PE that owns them, and counts how many are neighbours of u as well. Rows "
    "of neighbours\n"
    "are spread over all PEs. Two remote reads for an edge: where the row of v is, then the row.";

constexpr std::uint64_t batch_size =
    1 << 16; // elements of fetched rows held at a time, or one row if that is longer

/// An edge (u, v) whose source is this PE's.
struct local_edge {
  std::span<const graph::vertex> row_of_u;
  graph::vertex v;
  apps::distributed_csr::extent row_of_v;
};

std::vector<local_edge> local_edges(const apps::distributed_csr& rows) {
  std::vector<local_edge> edges;
  for (std::uint64_t k = 0; k < rows.local_rows(); ++k) {
    for (const auto v : rows.local_row(k)) edges.push_back({rows.local_row(k), v, {}});
  }
  return edges;
}

/// Takes the next edges from the front whose fetched rows fill a batch.
std::span<const local_edge> take_batch(std::span<const local_edge>& edges) {
  std::uint64_t size = edges.front().row_of_v.size;
  std::size_t count = 1;
  while (count < edges.size() && (size += edges[count].row_of_v.size) <= batch_size) ++count;
  const auto batch = edges.first(count);
  edges = edges.subspan(count);
  return batch;
}

/// Elements of both ascending rows.
std::uint64_t common(std::span<const graph::vertex> a, std::span<const graph::vertex> b) {
  std::uint64_t count = 0;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const auto x = a[i], y = b[j];
    count += x == y;
    i += x <= y;
    j += y <= x;
  }
  return count;
}

/// Fetches the rows of v of all edges of a batch, one behind the other.
void fetch_rows(windrow::context& ctx, const apps::distributed_csr& rows, std::span<const local_edge> batch,
                std::vector<graph::vertex>& fetched) {
  std::uint64_t size = 0;
  for (const auto& e : batch) size += e.row_of_v.size;
  fetched.resize(size);
  auto into = std::span(fetched);
  for (const auto& e : batch) {
    ctx.get(rows.row(e.v, e.row_of_v), into.first(e.row_of_v.size));
    into = into.subspan(e.row_of_v.size);
  }
  ctx.quiet_own();
}

std::uint64_t count_batch(std::span<const local_edge> batch, std::span<const graph::vertex> fetched) {
  std::uint64_t count = 0;
  for (const auto& e : batch) {
    count += common(e.row_of_u, fetched.first(e.row_of_v.size));
    fetched = fetched.subspan(e.row_of_v.size);
  }
  return count;
}

/// Triangles whose first edge is one of `edges`.
std::uint64_t count_triangles(windrow::context& ctx, const apps::distributed_csr& rows,
                              std::span<local_edge> edges) {
  for (auto& e : edges) ctx.get(rows.extent_of(e.v), &e.row_of_v);
  ctx.quiet();
  std::uint64_t count = 0;
  std::vector<graph::vertex> fetched;
  for (std::span<const local_edge> rest = edges; !rest.empty();) {
    const auto batch = take_batch(rest);
    fetch_rows(ctx, rows, batch, fetched);
    count += count_batch(batch, fetched);
  }
  ctx.quiet(); // not earlier: others may still be reading rows of this PE
  return count;
}

} // namespace

int main(int argc, char** argv) {
  windrow::job job(argc, argv);
  const auto options = apps::parse_options(job, argc, argv, "triangles", about);
  auto graph = apps::load_graph(job, options);
  const auto expected = job.pe() == 0 ? graph::triangles(graph) : 0;
  const apps::distributed_csr rows(job, graph::csr(oriented_by_degree(simple_undirected(graph))));
  graph = {}; // from here on this PE has only its part
  auto edges = local_edges(rows);
  apps::trial trial(job, options, 2 * edges.size(), expected);

  windrow::context ctx(job, options.style);
  while (trial.next()) {
    trial.start();
    const auto count = count_triangles(ctx, rows, edges);
    trial.stop();
    trial.check(count);
  }
  return trial.report();
}
