// SPDX-License-Identifier: BSD-3-Clause
#include "apps/graph/write.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include "apps/graph/rows.hpp"
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

/// A file that is written piece by piece.
class text_writer {
 public:
  explicit text_writer(const std::string& path) : path_(path), file_(path, std::ios::binary) { check(); }

  template <class... Values>
  void print(fmt::format_string<Values...> format, Values&&... values) {
    fmt::format_to(std::back_inserter(pending_), format, std::forward<Values>(values)...);
    if (pending_.size() >= piece_bytes) write_pending();
  }
  /// Some file systems tell only here that there was no room.
  void finish() {
    write_pending();
    file_.close();
    check();
  }

 private:
  static constexpr std::size_t piece_bytes = 1 << 20;

  void write_pending() {
    file_.write(pending_.data(), static_cast<std::streamsize>(pending_.size()));
    check();
    pending_.clear();
  }
  void check() const {
    if (!file_) throw error(fmt::format("cannot write the file {}: {}", path_, std::strerror(errno)));
  }

  std::string path_;
  std::ofstream file_;
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

void write_metis(text_writer& out, const edge_list& simple) {
  const rows<vertex> neighbours(simple.vertices, [&](auto take) {
    for (const auto& e : simple.edges) {
      take(e.from, e.to);
      take(e.to, e.from);
    }
  });
  out.print("{} {}\n", simple.vertices, simple.edges.size());
  for (vertex v = 0; v < simple.vertices; ++v) {
    const auto* space = "";
    for (const auto to : neighbours[v]) {
      out.print("{}{}", space, to + 1);
      space = " ";
    }
    out.print("\n");
  }
}

/// What the simple graph lacks of a graph.
left_out difference(const edge_list& graph, const edge_list& simple) {
  left_out lost;
  for (const auto& e : graph.edges) lost.self_loops += e.from == e.to;
  const auto kept = graph.edges.size() - lost.self_loops;
  // An undirected graph as the readers give it has each edge in both directions, which is no repetition.
  auto sorted = graph.edges;
  std::ranges::sort(sorted);
  const auto opposite = [&](const edge& e) { return std::ranges::binary_search(sorted, edge{e.to, e.from}); };
  const bool both_ways = kept == 2 * simple.edges.size() && std::ranges::all_of(simple.edges, opposite);
  lost.directions = !both_ways && kept != 0;
  lost.repeated_edges = both_ways ? 0 : kept - simple.edges.size();
  lost.weights = !graph.weights.empty();
  return lost;
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
    const auto simple = simple_undirected(graph);
    write_metis(out, simple);
    lost = difference(graph, simple);
  } else if (format == file_format::matrix_market) {
    write_matrix(out, graph);
  } else {
    write_edges(out, graph, 0);
    lost.isolated = isolated_vertices(graph);
  }
  out.finish();
  return lost;
}

} // namespace windrow::graph
