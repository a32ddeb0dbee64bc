// SPDX-License-Identifier: BSD-3-Clause
#include <functional>
#include <numeric>

#include "apps/kernels/topological_sort/topological_sort.hpp"
#include "windrow/context.hpp"

namespace windrow::apps {

namespace {

/// Rows of this PE, next to each other, that got ready at one time.
struct group {
  std::uint32_t time;
  std::uint64_t size;
  std::uint64_t same_time; ///< those of other PEs that come before
  std::uint64_t earlier;   ///< rows of all PEs that got ready earlier
};

template <class Order>
std::vector<group> grouped(const Order& order) {
  std::vector<group> groups;
  for (const auto& e : order) {
    if (groups.empty() || groups.back().time != e.time) groups.push_back({e.time, 0, 0, 0});
    ++groups.back().size;
  }
  return groups;
}

/// Each number becomes the sum of those before it, on all PEs. Collective.
void sum_up(const team& all, std::span<std::uint64_t> mine) {
  const auto total = std::accumulate(mine.begin(), mine.end(), std::uint64_t{0});
  const auto before = all.exclusive_scan(total, std::uint64_t{0}, std::plus<>{});
  std::exclusive_scan(mine.begin(), mine.end(), mine.begin(), before);
}

} // namespace

// Counting sort by time.
void topological_sort::place_in_order(const std::vector<timed_entry>& order) {
  context ctx(job_, aggregate);
  auto groups = grouped(order);
  for (auto& g : groups) ctx.fetch_add(at_time_[g.time], g.size, &g.same_time);
  ctx.barrier();
  sum_up(job_.world(), at_time_.local());
  job_.barrier();
  for (auto& g : groups) ctx.get(at_time_[g.time], &g.earlier);
  ctx.complete_own();

  auto next = order.begin();
  for (const auto& g : groups) {
    auto position = matrix_.rows() - g.earlier - g.same_time;
    for (const auto end = next + static_cast<std::ptrdiff_t>(g.size); next != end; ++next) {
      row_position_.local()[next->row_place] = --position;
      ctx.put(column_position_[next->column], position);
    }
  }
  const auto placed = job_.world().sum(order.size());
  if (job_.pe() == 0) placed_.local()[0] = placed;
  ctx.barrier();
}

} // namespace windrow::apps
