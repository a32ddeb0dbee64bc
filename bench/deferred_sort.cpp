// SPDX-License-Identifier: BSD-3-Clause
#include "bench/deferred_sort.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include <algorithm>

#include "apps/graph/rmat.hpp"
#include "bench/deferred_kernels.hpp"
#include "windrow/selector.hpp"

namespace windrow::bench {

namespace {

apps::workload work_of(unsigned scale) {
  apps::workload work;
  work.graph = graph::rmat{.scale = scale, .edges_per_vertex = 16, .seed = 1}.generate();
  return work;
}

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
  std::uint32_t place; ///< of the row among its owner's
  std::uint32_t column;
};

} // namespace

deferred_sort::deferred_sort(job& j, unsigned scale) : deferred_sort(j, work_of(scale)) {}

deferred_sort::deferred_sort(job& j, const apps::workload& work)
    : topological_sort(j, work),
      all_operations_(j.world().sum(operations())),
      expected_(apps::sequential_topological_sort(work).checksum),
      ready_(j, lists_size()) {
  reset();
}

std::uint64_t deferred_sort::lists_size() const {
  const auto pes = static_cast<std::uint64_t>(job_.pes());
  return pes * (1 + (matrix_.rows() + pes - 1) / pes);
}

void deferred_sort::reset() {
  std::ranges::fill(ready_.local(), 0);
  topological_sort::reset();
}

std::vector<variant> deferred_sort::variants() {
  std::vector<variant> all{in("blocking", apps::kernel_style::blocking),
                           in("then", apps::kernel_style::deferred),
                           {"coroutine", [this] { coroutine(); }, [this] { check(); }},
                           {request_and_reply, [this] { by_hand(); }, [this] { check(); }},
                           in("a message per column and PE", apps::kernel_style::mailbox)};
#ifdef WINDROW_ANNOTATED_LOOPS
  all.push_back({"pragma", [this] { annotated(); }, [this] { check(); }});
#endif
  return all;
}

variant deferred_sort::in(const char* name, apps::kernel_style style) {
  return {name, [this, style] { run(style); }, [this] { check(); }};
}

void deferred_sort::by_hand() {
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
          out.send(matrix_.owner(row), removal{narrow(matrix_.local_index(row)), narrow(c.column)});
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

// In rounds: who takes the last column but one out of a row goes on with it.
void deferred_sort::coroutine() {
  context ctx(job_, aggregate);
  auto ready = ready_rows();
  job_.barrier();
  while (!ready.empty()) {
    for (auto rest = std::min(ready.size(), columns_at_a_time); rest > 0; --rest) {
      const auto next = ready.back();
      ready.pop_back();
      place_in_coroutine(ctx, next, ready);
    }
    ctx.complete_own();
  }
  ctx.barrier();
}

deferred deferred_sort::place_in_coroutine(context& ctx, last_entry e, std::vector<last_entry>& ready) {
  const auto position = matrix_.rows() - 1 - co_await ctx.fetch_inc(placed_[0]);
  ctx.put(row_position_[e.row], position);
  ctx.put(column_position_[e.column], position);
  const auto at = co_await ctx.get(columns_.extent_of(e.column));
  auto entry = columns_.row(e.column, at);
  for (std::uint32_t n = 0; n < at.size; ++n, entry += 1)
    remove(ctx, co_await ctx.get(*entry), e.column, ready);
}

deferred deferred_sort::remove(context& ctx, std::uint64_t row, std::uint64_t column,
                               std::vector<last_entry>& ready) {
  const auto left = co_await ctx.fetch_add(left_[row], -of_entry(column)) - of_entry(column);
  if (has_one_entry(left)) ready.push_back({row, column_of(left)});
}

void deferred_sort::check() {
  const auto found = job_.world().sum(checksum());
  if (found != expected_) {
    std::fprintf(stderr, "bench defer: PE %d: wrong result of topological_sort\n", job_.pe());
    std::exit(EXIT_FAILURE);
  }
  reset();
}

} // namespace windrow::bench
