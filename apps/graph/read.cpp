// SPDX-License-Identifier: BSD-3-Clause
#include "apps/graph/read.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>
#include <sstream>
#include <string_view>

#include "apps/graph/text_file.hpp"

namespace windrow::graph {

namespace {

/// Takes a line apart at blanks.
class fields {
 public:
  explicit fields(std::string_view line) : rest_(line) { skip_blanks(); }

  bool at_end() const { return rest_.empty(); }
  /// Takes the next field if all of it is a number of this type.
  template <class Number>
  std::optional<Number> take() {
    Number number{};
    const auto [end, problem] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), number);
    const auto length = static_cast<std::size_t>(end - rest_.data());
    if (problem != std::errc{} || (length < rest_.size() && !is_blank(rest_[length]))) return std::nullopt;
    rest_.remove_prefix(length);
    skip_blanks();
    return number;
  }

 private:
  static bool is_blank(char c) { return c == ' ' || c == '\t'; }
  void skip_blanks() {
    while (!rest_.empty() && is_blank(rest_.front())) rest_.remove_prefix(1);
  }

  std::string_view rest_;
};

std::optional<edge> take_edge(fields& line) {
  const auto from = line.take<vertex>();
  const auto to = from ? line.take<vertex>() : std::nullopt;
  return to ? std::optional(edge{*from, *to}) : std::nullopt;
}

bool is_empty_or_comment(std::string_view line, char comment) {
  return line.starts_with(comment) || fields(line).at_end();
}

// ---- SNAP edge lists

std::vector<edge> read_edge_list(text_file& file, std::optional<std::string_view> line) {
  std::vector<edge> edges;
  for (; line; line = file.next_line()) {
    if (is_empty_or_comment(*line, '#')) continue;
    fields rest(*line);
    const auto e = take_edge(rest);
    if (!e || (!rest.at_end() && !(rest.take<double>() && rest.at_end())))
      file.fail("two vertex ids (integers from 0 to 2^64 - 1) and at most one number after them");
    edges.push_back(*e);
  }
  return edges;
}

// ---- Matrix Market

constexpr std::string_view banner = "%%matrixmarket";

std::string lower_case(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

struct matrix_format {
  bool has_values;
  bool is_symmetric;
};

matrix_format parse_banner(const text_file& file, std::string_view line) {
  std::istringstream words(lower_case(line));
  std::string word, object, layout, value, symmetry, more;
  words >> word >> object >> layout >> value >> symmetry;
  const bool known = word == banner && object == "matrix" && layout == "coordinate" &&
                     (value == "pattern" || value == "real" || value == "integer") &&
                     (symmetry == "general" || symmetry == "symmetric") && !(words >> more);
  if (!known)
    file.fail(
        "\"%%MatrixMarket matrix coordinate\", then pattern, real or integer, then general or symmetric");
  return {value != "pattern", symmetry == "symmetric"};
}

/// The next line with content, or nothing.
std::optional<std::string_view> next_matrix_line(text_file& file) {
  auto line = file.next_line();
  while (line && is_empty_or_comment(*line, '%')) line = file.next_line();
  return line;
}

struct matrix_size {
  vertex rows;
  std::uint64_t entries;
};

matrix_size read_size(text_file& file) {
  fields line(next_matrix_line(file).value_or(""));
  const auto shape = take_edge(line);
  const auto entries = shape ? line.take<std::uint64_t>() : std::nullopt;
  if (!entries || !line.at_end())
    file.fail("the size of the matrix as three integers: rows, columns, entries");
  if (shape->from != shape->to) file.fail("as many rows as columns, because a graph is a square matrix");
  return {shape->from, *entries};
}

edge read_entry(text_file& file, const matrix_format& format, vertex rows) {
  fields line(next_matrix_line(file).value_or(""));
  const auto e = take_edge(line);
  const auto is_vertex = [&](vertex v) { return 1 <= v && v <= rows; };
  if (!e || !is_vertex(e->from) || !is_vertex(e->to) || (format.has_values && !line.take<double>()) ||
      !line.at_end())
    file.fail(fmt::format("row and column from 1 to {}{}", rows, format.has_values ? " and a value" : ""));
  return {e->from - 1, e->to - 1};
}

std::vector<edge> read_matrix(text_file& file, std::string_view first_line) {
  const auto format = parse_banner(file, first_line);
  const auto size = read_size(file);
  std::vector<edge> edges;
  for (std::uint64_t k = 0; k < size.entries; ++k) {
    const auto e = read_entry(file, format, size.rows);
    edges.push_back(e);
    if (format.is_symmetric && e.from != e.to) edges.push_back({e.to, e.from});
  }
  if (next_matrix_line(file)) file.fail(fmt::format("the end of the file after {} entries", size.entries));
  return edges;
}

} // namespace

edge_list read(const std::string& path) {
  text_file file(path);
  const auto line = file.next_line();
  const bool is_matrix = line && lower_case(line->substr(0, banner.size())) == banner;
  return renumbered(is_matrix ? read_matrix(file, *line) : read_edge_list(file, line));
}

} // namespace windrow::graph
