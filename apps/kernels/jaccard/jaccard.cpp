// SPDX-License-Identifier: BSD-3-Clause
#include "apps/kernels/jaccard/jaccard.hpp"

#include <algorithm>
#include <utility>

#include "apps/kernels/support.hpp"
#include "apps/matrix/build.hpp"

namespace windrow::apps {

const kernel_entry jaccard_entry{
    .name = "jaccard",
    .about = "compares the neighbours of the ends of each edge: a row of neighbours read or sent for each",
    .styles = cpp_styles,
    .make = make_kernel<jaccard>,
    .sequential = sequential_jaccard,
};

namespace {

/// Each edge of a simple undirected graph in both directions.
graph::edge_list both_ways(const graph::edge_list& simple) {
  graph::edge_list both{simple.vertices, {}};
  both.edges.reserve(2 * simple.edges.size());
  for (const auto& e : simple.edges) {
    both.edges.push_back(e);
    both.edges.push_back({e.to, e.from});
  }
  return both;
}

/// Calls take(number of the upper end, lower end) for the edges whose upper end is this PE's.
auto lower_ends(const ownership& own, const graph::edge_list& upwards) {
  return [&](auto take) {
    for (const auto& e : upwards.edges) {
      if (own.is_mine(e.to)) take(own.index(e.to), e.from);
    }
  };
}

std::vector<graph::vertex> each_once(const graph::rows<graph::vertex>& lists) {
  std::vector<graph::vertex> all;
  all.reserve(lists.values());
  for (std::uint64_t k = 0; k < lists.size(); ++k) all.insert(all.end(), lists[k].begin(), lists[k].end());
  std::ranges::sort(all);
  const auto repeated = std::ranges::unique(all);
  all.erase(repeated.begin(), repeated.end());
  return all;
}

/// Calls take(number of the lower end, owner of an upper end) for the lower ends that are this PE's, once for
/// each owner.
auto owners_of_upper_ends(const ownership& own, const graph::edge_list& upwards) {
  return [&](auto take) {
    std::vector<std::pair<graph::vertex, pe_t>> receivers;
    for (const auto& e : upwards.edges) {
      if (own.is_mine(e.from)) receivers.emplace_back(e.from, own.owner(e.to));
    }
    std::ranges::sort(receivers);
    const auto repeated = std::ranges::unique(receivers);
    receivers.erase(repeated.begin(), repeated.end());
    for (const auto& [v, pe] : receivers) take(own.index(v), pe);
  };
}

} // namespace

jaccard::jaccard(job& j, const workload& w) : jaccard(j, graph::simple_undirected(w.graph)) {}

jaccard::jaccard(job& j, const graph::edge_list& simple)
    : jaccard(j, graph::oriented_by_degree(simple), both_ways(simple)) {}

jaccard::jaccard(job& j, const graph::edge_list& upwards, const graph::edge_list& both_ways)
    : job_(j),
      own_(j, upwards.vertices),
      neighbours_(matrix_of(j, both_ways)),
      sets_(neighbours_),
      lower_(own_.count(), lower_ends(own_, upwards)),
      all_lower_(each_once(lower_)),
      receivers_(own_.count(), owners_of_upper_ends(own_, upwards)) {}

void jaccard::reset() {
  found_.clear();
  job_.barrier(); // every PE has its rows in place
}

void jaccard::compare_with_upper(graph::vertex lower, std::span<const graph::vertex> row) {
  for (const auto u : row) {
    if (!own_.is_mine(u)) continue;
    const auto degree = neighbours_.local_row(own_.index(u)).size();
    if (std::pair(row.size(), lower) < std::pair(degree, u)) compare(own_.index(u), lower, row);
  }
}

void jaccard::compare(std::uint64_t upper, graph::vertex lower,
                      std::span<const graph::vertex> neighbours_of_lower) {
  const auto common = sets_.count(upper, neighbours_of_lower);
  const auto value = jaccard_index(common, neighbours_of_lower.size(), neighbours_.local_row(upper).size());
  found_.push_back({lower, own_.vertex(upper), value});
}

std::uint64_t jaccard::checksum() {
  std::uint64_t sum = 0;
  for (const auto& s : found_) sum += s.checksum();
  return sum;
}

} // namespace windrow::apps
