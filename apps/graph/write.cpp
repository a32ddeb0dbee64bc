// SPDX-License-Identifier: BSD-3-Clause
#include "apps/graph/write.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <span>
#include <utility>

#include "apps/graph/rows.hpp"
#include "apps/support/whole_file.hpp"
#include "windrow/error.hpp"

namespace windrow::graph {

namespace {

struct ending {
  std::string_view text;
  file_format format;
};

constexpr std::array endings{
    ending{".mtx", file_format::matrix_market}, ending{".graph", file_format::metis},
    ending{".metis", file_format::metis},       ending{".el", file_format::edge_list},
    ending{".wel", file_format::edge_list},     ending{".txt", file_format::edge_list},
    ending{".edges", file_format::edge_list},   ending{".tsv", file_format::edge_list},
    ending{".snap", file_format::edge_list},
};

/// Text for a file, which takes it piece by piece.
class text_writer {
 public:
  explicit text_writer(const std::string& path) : file_(path) {}

  template <class... Values>
  void print(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(pending_), format, std::forward<Values>(values)...);
    if (pending_.size() >= piece_bytes) write_pending();
  }
  void finish() {
    write_pending();
    file_.finish();
  }

 private:
  static constexpr std::size_t piece_bytes = 1 << 20;

  void write_pending() {
    file_.write(pending_);
    pending_.clear();
  }

  apps::whole_file file_;
  std::string pending_;
};

/// Lines with one edge each, the vertices counted from `base`.
void write_edges(text_writer& out, const edge_list& graph, vertex base) {
  for (std::size_t k = 0; k < graph.edges.size(); ++k) {
    const auto& e = graph.edges[k];
    if (graph.weights.empty())
      out.print("{} {}\n", e.from + base, e.to + base);
    else
      out.print("{} {} {}\n", e.from + base, e.to + base, graph.weights[k]);
  }
}

void write_matrix(text_writer& out, const edge_list& graph) {
  out.print("%%MatrixMarket matrix coordinate {} general\n{} {} {}\n",
            graph.weights.empty() ? "pattern" : "real", graph.vertices, graph.vertices, graph.edges.size());
  write_edges(out, graph, 1);
}

// ---- METIS

/// An edge as one of those between its two ends.
struct copy {
  vertex low, high;
  bool is_up;
  double weight;
};

/// Ordered by the ends, without self loops.
std::vector<copy> sorted_copies(const edge_list& graph) {
  std::vector<copy> copies;
  copies.reserve(graph.edges.size());
  for (std::size_t k = 0; k < graph.edges.size(); ++k) {
    const auto& e = graph.edges[k];
    if (e.from == e.to) continue;
    copies.push_back({std::min(e.from, e.to), std::max(e.from, e.to), e.from < e.to,
                      graph.weights.empty() ? 1 : graph.weights[k]});
  }
  std::ranges::sort(copies, {}, [](const copy& c) { return std::pair(c.low, c.high); });
  return copies;
}

/// As METIS wants them, and no more than a program there can hold.
bool is_metis_weight(double weight) {
  return weight >= 1 && weight < 0x1p63 && std::trunc(weight) == weight;
}

/// The simple graph, its weights those of the first copies, and what it lacks.
struct simple_graph {
  edge_list graph;
  left_out lost;
};

/// Takes the copies of one edge.
void take_copies(std::span<const copy> copies, simple_graph& simple) {
  const auto& first = copies.front();
  simple.graph.edges.push_back({first.low, first.high});
  simple.graph.weights.push_back(first.weight);
  const auto up = static_cast<std::uint64_t>(std::ranges::count(copies, true, &copy::is_up));
  const auto down = copies.size() - up;
  auto& lost = simple.lost;
  lost.directions |= up != down; // as often one way as the other is what an undirected edge is read as
  lost.repeated_edges += std::max(up, down) - 1;
  if (std::ranges::any_of(copies, [&](const copy& c) { return c.weight != first.weight; }))
    lost.weights = "which are not the same for all edges between the same vertices";
  else if (!is_metis_weight(first.weight) && lost.weights.empty())
    lost.weights = "which are not all whole numbers above 0";
}

simple_graph simplified(const edge_list& graph) {
  simple_graph simple{{graph.vertices, {}}, {}};
  const auto copies = sorted_copies(graph);
  simple.lost.self_loops = graph.edges.size() - copies.size();
  for (auto begin = copies.begin(); begin != copies.end();) {
    const auto end = std::find_if(
        begin, copies.end(), [&](const copy& c) { return c.low != begin->low || c.high != begin->high; });
    take_copies({begin, end}, simple);
    begin = end;
  }
  if (graph.weights.empty() || !simple.lost.weights.empty()) simple.graph.weights.clear();
  return simple;
}

void write_metis(text_writer& out, const edge_list& simple) {
  using neighbour = std::pair<vertex, std::uint64_t>; // and the weight
  const rows<neighbour> neighbours(simple.vertices, [&](auto take) {
    for (std::size_t k = 0; k < simple.edges.size(); ++k) {
      const auto weight = simple.weights.empty() ? 1 : static_cast<std::uint64_t>(simple.weights[k]);
      take(simple.edges[k].from, neighbour{simple.edges[k].to, weight});
      take(simple.edges[k].to, neighbour{simple.edges[k].from, weight});
    }
  });
  out.print("{} {}{}\n", simple.vertices, simple.edges.size(), simple.weights.empty() ? "" : " 001");
  for (vertex v = 0; v < simple.vertices; ++v) {
    const auto* space = "";
    for (const auto& [to, weight] : neighbours[v]) {
      out.print("{}{}", space, to + 1);
      if (!simple.weights.empty()) out.print(" {}", weight);
      space = " ";
    }
    out.print("\n");
  }
}

std::uint64_t isolated_vertices(const edge_list& graph) {
  std::vector<bool> has_edge(graph.vertices);
  for (const auto& e : graph.edges) has_edge[e.from] = has_edge[e.to] = true;
  return static_cast<std::uint64_t>(std::ranges::count(has_edge, false));
}

} // namespace

file_format format_to_write(const std::string& path) {
  const auto name = std::filesystem::path(path).filename().string();
  for (const std::string_view packed : {".gz", ".xz", ".zst", ".bz2"})
    if (name.ends_with(packed))
      throw error(
          fmt::format("'{}' would be a compressed file: write a plain one, which all PEs read at a time, or "
                      "compress it afterwards",
                      path));
  for (const auto& known : endings)
    if (name.ends_with(known.text)) return known.format;
  throw error(
      fmt::format("'{}' names no format to write: let it end in .mtx (Matrix Market), .graph (METIS) or "
                  ".el, .txt, .edges (edge list)",
                  path));
}

left_out write(const edge_list& graph, const std::string& path) {
  const auto format = format_to_write(path);
  text_writer out(path);
  left_out lost;
  if (format == file_format::metis) {
    const auto simple = simplified(graph);
    write_metis(out, simple.graph);
    lost = simple.lost;
  } else if (format == file_format::matrix_market) {
    write_matrix(out, graph);
  } else {
    if (graph.edges.empty()) out.print("# no edges\n"); // readers refuse a file without a byte
    write_edges(out, graph, 0);
    lost.isolated = isolated_vertices(graph);
  }
  out.finish();
  return lost;
}

} // namespace windrow::graph
