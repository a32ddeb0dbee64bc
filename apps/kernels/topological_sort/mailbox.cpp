// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "apps/kernels/topological_sort/topological_sort.hpp"
#include "windrow/selector.hpp"

namespace windrow::apps {

namespace {

/// To the owner of a column: it is to be taken out of all rows.
struct last_column {
  std::uint32_t place; ///< among its owner's
  std::uint32_t time;  ///< when its row got ready
};
/// To a PE with rows in that column: it is taken out of these.
struct column_removal {
  std::uint32_t first, size; ///< of the entries, as in column_parts
  std::uint32_t column;
  std::uint32_t time;
};

} // namespace

// No PE waits for a position: rows note when they got ready, on a logical clock that messages carry on
// (Lamport, "Time, clocks, and the ordering of events in a distributed system", CACM 1978), and get their
// places in that order when all are known.
void topological_sort::run_mailbox() {
  const auto ready_at_first = ready_rows();
  std::vector<timed_entry> order;
  std::uint32_t now = 0;
  const auto is_ready = [&](auto& out, std::uint64_t row_place, std::uint64_t column) {
    order.push_back({row_place, column, now});
    out.send(columns_.owner(column), last_column{narrow(columns_.local_index(column)), now});
  };
  selector<last_column, column_removal> sort(
      job_,
      [&](auto& out, last_column c) {
        const auto column = narrow(columns_.global_row(c.place));
        for (const auto& p : parts_.of(c.place))
          out.send(p.pe, column_removal{p.first, p.size, column, c.time});
      },
      [&](auto& out, column_removal r) {
        now = std::max(now, r.time + 1);
        for (const auto row : parts_.rows(r.first, r.size)) {
          auto& left = left_.local()[row];
          left -= of_entry(r.column);
          if (has_one_entry(left)) is_ready(out, row, column_of(left));
        }
      });
  sort.run([&] {
    for (const auto& r : ready_at_first) is_ready(sort, matrix_.local_index(r.row), r.column);
  });
  place_in_order(order);
}

} // namespace windrow::apps
