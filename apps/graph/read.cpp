// SPDX-License-Identifier: BSD-3-Clause
#include "apps/graph/read.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <utility>

#include "apps/graph/edge_lines.hpp"
#include "apps/graph/matrix_lines.hpp"
#include "apps/graph/metis.hpp"
#include "apps/graph/text_file.hpp"
#include "apps/support/agree.hpp"
#include "apps/support/share.hpp"
#include "windrow/error.hpp"

namespace windrow::graph {

namespace {

/// What is known of a file once its first lines are read.
struct file_head {
  file_format format = file_format::edge_list;
  std::uint64_t begin = 0; ///< first byte behind the head
  edge_columns columns;
  matrix_head matrix;
  metis_head metis;
};

/// What the name says, or that it says nothing.
file_format named_format(std::string_view path) {
  for (const std::string_view packed : {".gz", ".xz", ".zst"})
    if (path.ends_with(packed)) path.remove_suffix(packed.size());
  if (path.ends_with(".mtx")) return file_format::matrix_market;
  if (path.ends_with(".graph") || path.ends_with(".metis")) return file_format::metis;
  return file_format::by_name_and_content;
}

/// Whether the next line is the banner of a matrix, which is the next one again afterwards.
bool begins_a_matrix(text_file& file, std::optional<std::string_view> line) {
  const bool is_matrix = line && has_matrix_banner(*line);
  if (line) file.unread();
  return is_matrix;
}

file_format tell_format(text_file& file, file_format wanted) {
  if (wanted != file_format::by_name_and_content) return wanted;
  const auto named = named_format(file.path());
  if (named == file_format::matrix_market) return named;
  if (named == file_format::metis) // in which an empty line is not nothing
    return begins_a_matrix(file, file.next_line()) ? file_format::matrix_market : named;
  return begins_a_matrix(file, file.next_filled_line()) ? file_format::matrix_market : file_format::edge_list;
}

void refuse_empty(text_file& file) {
  if (!file.next_line())
    throw error(fmt::format("{}: the file is empty, so there is no graph in it", file.path()));
  file.unread();
}

file_head read_head(text_file& file, file_format wanted) {
  refuse_empty(file);
  file_head head{.format = tell_format(file, wanted), .columns = {}, .matrix = {}, .metis = {}};
  if (head.format == file_format::matrix_market)
    head.matrix = read_matrix_head(file);
  else if (head.format == file_format::metis)
    head.metis = read_metis_head(file);
  else
    head.columns = read_edge_columns(file);
  head.begin = file.position();
  return head;
}

file_part read_lines(text_file& file, const file_head& head) {
  if (head.format == file_format::matrix_market) return read_matrix_lines(file, head.matrix);
  if (head.format == file_format::metis) return read_metis_lines(file, head.metis);
  return read_edge_lines(file, head.columns);
}

/// As many as a vector may have numbers, of which some may lie behind the last vertex. A head may name more,
/// so many that places for them could not even be counted.
constexpr auto most_vertices = std::numeric_limits<std::ptrdiff_t>::max() / sizeof(std::uint64_t) - 1;

/// The graph of a file that is read to its end.
edge_list whole_graph(const std::string& path, const file_head& head, file_part whole) {
  edge_list graph;
  if (head.format == file_format::matrix_market) {
    check_matrix(path, head.matrix, whole);
    graph = {head.matrix.size.rows, std::move(whole.edges)};
  } else if (head.format == file_format::metis) {
    check_metis(path, head.metis, whole);
    graph = {head.metis.vertices, std::move(whole.edges)};
  } else {
    graph = renumbered(std::move(whole.edges));
  }
  if (graph.vertices > most_vertices) throw std::length_error("more vertices than a vector has places");
  graph.weights = std::move(whole.weights);
  graph.has_rounded_weights = whole.has_rounded_weights;
  return graph;
}

} // namespace

edge_list read(const graph_file& wanted) {
  text_file file(wanted.path);
  const auto head = read_head(file, wanted.format);
  return whole_graph(wanted.path, head, read_lines(file, head));
}

// ---- By all PEs

namespace {

/// This PE's part of a file that every PE reads a part of.
void keep_to_share(const job& j, text_file& file, const file_head& head) {
  const auto body = file.size() - std::min(file.size(), head.begin);
  const auto mine = apps::share_of(j, body);
  file.keep_to(head.begin + mine.first, head.begin + mine.first + mine.size);
}

void check_size(const job& j, const text_file& file, std::uint64_t size) {
  if (file.size() != size)
    throw error(fmt::format("{} has {} bytes for PE {} and {} for PE 0: every host must see the same file",
                            file.path(), file.size(), j.pe(), size));
}

/// Values of all PEs, in the order of the PEs. Collective.
template <class T>
std::vector<T> concatenated(job& j, std::vector<T> mine) {
  const auto counts = j.world().allgather(mine.size());
  std::vector<T> all;
  apps::all_or_none(j, [&] { all.resize(std::reduce(counts.begin(), counts.end())); });
  auto* place = all.data();
  for (pe_t pe = 0; pe < j.pes(); ++pe) {
    const auto count = counts[static_cast<std::size_t>(pe)];
    if (pe == j.pe()) std::ranges::copy(mine, place);
    if (count != 0) j.world().broadcast(std::span(place, count), pe);
    place += count;
  }
  return all;
}

/// The parts of all PEs as one.
file_part joined(job& j, const file_head& head, file_part mine) {
  const auto lines = j.world().allgather(mine.lines);
  const auto before = std::reduce(lines.begin(), lines.begin() + j.pe());
  if (head.format == file_format::metis) // each part has numbered its lists from 0
    for (auto& e : mine.edges) e.from += before;
  const auto filled = j.world().max(mine.filled_lines == 0 ? 0 : before + mine.filled_lines);
  const bool has_rounded_weights = j.world().max(mine.has_rounded_weights ? 1 : 0) != 0;
  return {concatenated(j, std::move(mine.edges)), concatenated(j, std::move(mine.weights)),
          has_rounded_weights, std::reduce(lines.begin(), lines.end()), filled};
}

} // namespace

edge_list read(job& j, const graph_file& wanted) {
  std::optional<text_file> file;
  apps::all_or_none(j, [&] {
    if (j.pe() == 0) file.emplace(wanted.path);
  });
  const bool is_divided = j.world().broadcast(file && file->is_divisible(), 0);
  const auto size = j.world().broadcast(file ? file->size() : 0, 0);
  file_head head;
  file_part mine;
  apps::all_or_none(j, [&] {
    if (is_divided && !file) file.emplace(wanted.path);
    if (!file) return;
    check_size(j, *file, size);
    head = read_head(*file, wanted.format);
    if (is_divided) keep_to_share(j, *file, head);
    mine = read_lines(*file, head);
  });
  head = j.world().broadcast(head, 0);
  auto whole = joined(j, head, std::move(mine));
  edge_list graph;
  apps::all_or_none(j, [&] { graph = whole_graph(wanted.path, head, std::move(whole)); });
  return graph;
}

} // namespace windrow::graph
