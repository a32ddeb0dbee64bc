// SPDX-License-Identifier: BSD-3-Clause
// Single-source shortest paths by delta stepping (Meyer and Sanders, "Δ-stepping: a parallelizable shortest
// path algorithm", J. Algorithms 2003). Vertices wait in buckets by distance, each of the width delta. The
// bucket at the front is emptied again and again over light edges (not longer than delta), which may refill
// it; then, once, over the heavy ones.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <vector>

#include "apps/graph/rows.hpp"
#include "apps/kernels/kernel.hpp"
#include "apps/support/owned_array.hpp"
#include "apps/support/ownership.hpp"
#include "apps/support/vertex_set.hpp"

namespace windrow::apps {

/// An edge, at the vertex that it begins at.
struct arc {
  graph::vertex to;
  double weight;
};

/// The edges that a search goes along. Distances are sums of weights, rounded at every edge in the order of
/// the path; because rounding keeps the order of numbers, the least of them is the same for every algorithm.
class weighted_graph {
 public:
  /// Weights are those of the graph or, if it has none, random between 0 and 1, the same for edges with the
  /// same ends. Throws windrow::error if one is negative or no number.
  explicit weighted_graph(const workload&);

  /// Of edge k in the list.
  double weight(std::uint64_t k) const;
  /// Where searches begin: the vertex with most edges to others, the first of several; `none` if there is no
  /// vertex.
  graph::vertex source() const { return source_; }
  /// The width of a bucket: the mean weight that a vertex has on all its edges together shared out among
  /// them, so that few edges of a vertex are light.
  double delta() const { return delta_; }

  static constexpr auto none = std::numeric_limits<graph::vertex>::max();

 private:
  const workload& work_;
  graph::vertex source_ = none;
  double delta_ = 1;
};

class sssp final : public kernel {
 public:
  sssp(job&, const workload&);
  void reset() override {} // every search begins afresh
  std::uint64_t checksum() override;
  std::uint64_t operations() const override { return light_.values() + heavy_.values(); }

 private:
  using arcs = graph::rows<arc>;
  using bucket = std::vector<std::uint64_t>; ///< numbers of own vertices, some of which may have left it
  /// An own vertex and its distance, of which its neighbours are to hear.
  struct settled {
    std::uint64_t index;
    double distance;
  };

  void run_blocking() override;
  void run_aggregated() override;
  void run_mailbox() override;
  void run_deferred() override;

  sssp(job&, const weighted_graph&, const graph::edge_list&);
  arcs my_arcs(const weighted_graph&, const graph::edge_list&, bool light) const;

  /// The algorithm, the same in all styles. `offer(v, distance)` lowers the distance of v if this is less.
  /// `in_epoch(offers)`, which is collective, calls offers() and returns when every offer of every PE has
  /// been dealt with.
  template <class Offer, class InEpoch>
  void delta_stepping(Offer offer, InEpoch in_epoch);
  /// Offers the neighbours of `from` along `edges` their distances.
  template <class Offer>
  static void relax(const arcs& edges, const std::vector<settled>& from, Offer offer);
  /// deferred: lowers the distance of v, if nobody was faster.
  void improve(context&, graph::vertex v, double distance);
  void begin();
  /// The first bucket of any PE, or `weighted_graph::none`. Collective.
  std::uint64_t first_bucket() const;
  /// Takes what is in a bucket and has not been relaxed at its present distance.
  std::vector<settled> take(std::uint64_t number);
  /// Puts an own vertex whose distance was lowered into its bucket.
  void lowered(std::uint64_t index);
  /// Puts all own vertices in `improved_` into their buckets.
  void take_improved();
  std::uint64_t bucket_of(double distance) const { return static_cast<std::uint64_t>(distance / delta_); }

  job& job_;
  ownership own_;
  graph::vertex source_;
  double delta_;
  arcs light_, heavy_; ///< of own vertices
  owned_array<double, cyclic_distribution> distance_;
  vertex_set improved_;         ///< one-sided styles: whose distance was lowered, for its owner to see
  std::vector<double> relaxed_; ///< at which distance an own vertex was relaxed last
  std::map<std::uint64_t, bucket> buckets_;
};

template <class Offer>
void sssp::relax(const arcs& edges, const std::vector<settled>& from, Offer offer) {
  for (const auto& u : from) {
    for (const auto& [v, weight] : edges[u.index]) offer(v, u.distance + weight);
  }
}

template <class Offer, class InEpoch>
void sssp::delta_stepping(Offer offer, InEpoch in_epoch) {
  begin();
  for (auto b = first_bucket(); b != weighted_graph::none; b = first_bucket()) {
    std::vector<settled> all;
    for (auto some = take(b); job_.world().sum(some.size()) > 0; some = take(b)) {
      in_epoch([&] { relax(light_, some, offer); });
      all.insert(all.end(), some.begin(), some.end());
    }
    std::erase_if(all, [&](const settled& s) { return s.distance != relaxed_[s.index]; });
    in_epoch([&] { relax(heavy_, all, offer); });
  }
}

sequential_answer sequential_sssp(const workload&);

extern const kernel_entry sssp_entry;

} // namespace windrow::apps
