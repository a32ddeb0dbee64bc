// SPDX-License-Identifier: BSD-3-Clause
#include "apps/graph/matrix_lines.hpp"

#include <fmt/format.h>

#include "apps/graph/fields.hpp"
#include "windrow/error.hpp"

namespace windrow::graph {

namespace {

constexpr auto square = "as many rows as columns, because a graph is a square matrix";

/// The next line with content, if there is one.
std::optional<std::string_view> next_with_content(text_file& file) {
  auto line = file.next_line();
  while (line && is_empty_or_comment(*line, "%")) line = file.next_line();
  return line;
}

} // namespace

matrix_head read_matrix_head(text_file& file) {
  const auto format = parse_matrix_banner(file.next_filled_line().value_or(""));
  if (!format) file.fail(expected_matrix_banner);
  const auto size = parse_matrix_size(next_with_content(file).value_or(""), *format);
  if (!size) file.fail(expected_matrix_size(*format));
  if (size->rows != size->columns) file.fail(square);
  return {*format, *size};
}

file_part read_matrix_lines(text_file& file, const matrix_head& head) {
  file_part part;
  const auto add = [&](const edge& e, double value) {
    part.edges.push_back(e);
    if (head.format.has_values) part.weights.push_back(value);
  };
  while (const auto line = next_with_content(file)) {
    const auto entry = parse_matrix_entry(*line, head.format, head.size);
    if (!entry) file.fail(expected_matrix_entry(head.format, head.size));
    part.has_rounded_weights |= entry->is_rounded;
    add(*entry, entry->value);
    if (head.format.is_symmetric && entry->from != entry->to)
      add({entry->to, entry->from}, head.format.is_skew_symmetric ? -entry->value : entry->value);
    ++part.lines;
  }
  return part;
}

void check_matrix(const std::string& path, const matrix_head& head, const file_part& whole) {
  if (whole.lines != head.size.entries)
    throw error(fmt::format("{}: expected {} entries, as its head says, found {}", path, head.size.entries,
                            whole.lines));
}

} // namespace windrow::graph
