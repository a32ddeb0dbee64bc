// SPDX-License-Identifier: BSD-3-Clause
#include "bench/deferred_triangles.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <span>

#include "apps/graph/rmat.hpp"
#include "bench/deferred_kernels.hpp"

namespace windrow::bench {

namespace {

graph::edge_list graph_of(unsigned scale) {
  return graph::rmat{.scale = scale, .edges_per_vertex = 16, .seed = 1}.generate();
}

/// What travels by hand.
struct request {
  std::uint32_t row; ///< among those of its owner
  std::uint32_t edge;
};
struct reply {
  std::uint32_t w;
  std::uint32_t edge;
};

bool closes(const apps::outgoing_edge& e, std::uint64_t w) {
  return std::ranges::binary_search(e.after_v, w);
}

} // namespace

deferred_triangles::deferred_triangles(job& j, unsigned scale)
    : job_(j), upper_(apps::upper_triangle(j, graph_of(scale))), edges_(outgoing_edges(upper_)) {
  apps::workload work;
  work.graph = graph_of(scale);
  expected_ = apps::sequential_triangles(work).checksum;
  std::uint64_t entries = 0;
  for (const auto& e : edges_) entries += get(j, upper_.extent_of(e.v)).size;
  operations_ = j.world().sum(entries);
}

std::vector<variant> deferred_triangles::variants() {
  const auto checked = [this](const char* name, void (deferred_triangles::*run)()) {
    return variant{name, [this, run] { (this->*run)(); }, [this] { check(); }};
  };
  std::vector<variant> all{checked("blocking", &deferred_triangles::blocking),
                           checked("then", &deferred_triangles::then),
                           checked("coroutine", &deferred_triangles::coroutine),
                           checked(request_and_reply, &deferred_triangles::by_hand)};
#ifdef WINDROW_ANNOTATED_LOOPS
  all.push_back(checked("pragma", &deferred_triangles::annotated));
#endif
  return all;
}

void deferred_triangles::blocking() {
  for (const auto& e : edges_) {
    const auto at = get(job_, upper_.extent_of(e.v));
    auto entry = upper_.row(e.v, at);
    for (std::uint32_t n = 0; n < at.size; ++n, entry += 1) found_ += closes(e, get(job_, *entry));
  }
}

void deferred_triangles::then() {
  context ctx(job_, aggregate);
  for (const auto& e : edges_) {
    ctx.get(upper_.extent_of(e.v)).then([this, &ctx, &e](extent at) {
      auto entry = upper_.row(e.v, at);
      for (std::uint32_t n = 0; n < at.size; ++n, entry += 1)
        ctx.get(*entry).then([this, &e](std::uint64_t w) { found_ += closes(e, w); });
    });
  }
  ctx.barrier();
}

void deferred_triangles::coroutine() {
  context ctx(job_, aggregate);
  for (const auto& e : edges_) count(ctx, e);
  ctx.barrier();
}

deferred deferred_triangles::count(context& ctx, const apps::outgoing_edge& e) {
  const auto at = co_await ctx.get(upper_.extent_of(e.v));
  auto entry = upper_.row(e.v, at);
  for (std::uint32_t n = 0; n < at.size; ++n, entry += 1) found_ += closes(e, co_await ctx.get(*entry));
}

void deferred_triangles::by_hand() {
  stream<reply> replies(job_, [&](std::span<const reply> batch, pe_t) {
    for (const auto& r : batch) found_ += closes(edges_[r.edge], r.w);
  });
  stream<request> requests(job_, [&](std::span<const request> batch, pe_t from) {
    for (const auto& r : batch) {
      for (const auto w : upper_.local_row(r.row))
        replies.send(from, {static_cast<std::uint32_t>(w), r.edge});
    }
  });
  for (std::uint32_t k = 0; k < edges_.size(); ++k) {
    const auto v = edges_[k].v;
    requests.send(upper_.owner(v), {static_cast<std::uint32_t>(upper_.local_index(v)), k});
  }
  requests.barrier();
}

void deferred_triangles::check() {
  const auto found = job_.world().sum(std::exchange(found_, 0));
  if (found == expected_) return;
  std::fprintf(stderr, "bench defer: PE %d: %llu triangles instead of %llu\n", job_.pe(),
               static_cast<unsigned long long>(found), static_cast<unsigned long long>(expected_));
  std::exit(EXIT_FAILURE);
}

} // namespace windrow::bench
