// SPDX-License-Identifier: BSD-3-Clause
#include "apps/kernels/topological_sort/column_parts.hpp"

#include <algorithm>
#include <compare>

#include "windrow/mailbox.hpp"

namespace windrow::apps {

namespace {

struct column_entry {
  std::uint64_t column;
  std::uint32_t row; ///< its number among this PE's

  friend auto operator<=>(const column_entry&, const column_entry&) = default;
};

std::vector<column_entry> by_column(const sparse_matrix<>& matrix) {
  std::vector<column_entry> entries;
  entries.reserve(matrix.local_entries());
  for_each_entry(matrix, [&](std::uint64_t row, std::uint64_t column) {
    entries.push_back({column, static_cast<std::uint32_t>(matrix.local_index(row))});
  });
  std::ranges::sort(entries);
  return entries;
}

/// To the owner of a column, from a PE with entries in it.
struct announcement {
  std::uint64_t place; ///< of the column among its owner's
  std::uint32_t first, size;
};

} // namespace

column_parts::column_parts(job& j, const sparse_matrix<>& matrix, const sparse_matrix<>& columns) {
  const auto entries = by_column(matrix);
  rows_.reserve(entries.size());
  for (const auto& e : entries) rows_.push_back(e.row);

  std::vector<announcement> heard;
  std::vector<pe_t> from;
  mailbox<announcement> announce(j, [&](const announcement& a, pe_t pe) {
    heard.push_back(a);
    from.push_back(pe);
  });
  announce.run([&] {
    for (auto e = entries.begin(); e != entries.end();) {
      const auto end = std::find_if(e, entries.end(), [&](const auto& o) { return o.column != e->column; });
      announce.send(columns.owner(e->column),
                    {columns.local_index(e->column), static_cast<std::uint32_t>(e - entries.begin()),
                     static_cast<std::uint32_t>(end - e)});
      e = end;
    }
  });
  parts_ = graph::rows<part>(columns.local_rows(), [&](const auto& take) {
    for (std::size_t k = 0; k < heard.size(); ++k)
      take(heard[k].place, part{from[k], heard[k].first, heard[k].size});
  });
}

} // namespace windrow::apps
