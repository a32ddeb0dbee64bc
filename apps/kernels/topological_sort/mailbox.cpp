// SPDX-License-Identifier: BSD-3-Clause
#include "apps/kernels/topological_sort/topological_sort.hpp"
#include "windrow/selector.hpp"

namespace windrow::apps {

namespace {

constexpr pe_t counter = 0; ///< the PE that gives out positions, from the last to the first

/// To the counter: this row has one entry left.
struct ready_row {
  std::uint64_t row;
  std::uint64_t column;
};
/// To the owner of a row: here it comes in the order.
struct placed_row {
  std::uint64_t place;
  std::uint64_t position;
};
/// To the owner of a column: the same for the column, and it is to be taken out of all rows.
struct placed_column {
  std::uint64_t column;
  std::uint64_t position;
};
/// To the owner of a row: this column is taken out of it.
struct removal {
  std::uint64_t place; ///< of the row among its owner's
  std::uint64_t column;
};

} // namespace

void topological_sort::run_mailbox() {
  const auto ready = ready_rows();
  const auto placed = placed_.local();
  selector<ready_row, placed_row, placed_column, removal> sort(
      job_,
      [&](auto& out, ready_row r) {
        const auto position = matrix_.rows() - 1 - placed[0]++;
        out.send(matrix_.owner(r.row), placed_row{matrix_.local_index(r.row), position});
        out.send(columns_.owner(r.column), placed_column{r.column, position});
      },
      [&](placed_row r) { row_position_.local()[r.place] = r.position; },
      [&](auto& out, placed_column c) {
        const auto place = columns_.local_index(c.column);
        column_position_.local()[place] = c.position;
        for (const auto row : columns_.local_row(place))
          out.send(matrix_.owner(row), removal{matrix_.local_index(row), c.column});
      },
      [&](auto& out, removal r) {
        auto& left = left_.local()[r.place];
        left -= of_entry(r.column);
        if (has_one_entry(left)) out.send(counter, ready_row{matrix_.global_row(r.place), column_of(left)});
      });
  sort.run([&] {
    for (const auto& r : ready) sort.send(counter, ready_row{r.row, r.column});
  });
}

} // namespace windrow::apps
