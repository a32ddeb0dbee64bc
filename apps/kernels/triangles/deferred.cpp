// SPDX-License-Identifier: BSD-3-Clause
// Which of the neighbours after v are in row v is seen where row v is: they travel with the read that finds
// it.
#include <algorithm>
#include <array>

#include "apps/kernels/triangles/triangles.hpp"
#include "windrow/deferred.hpp"

namespace windrow::apps {

namespace {

/// As many as travel together.
struct some_vertices {
  std::array<std::uint64_t, 16> v;
  std::size_t count;

  /// Takes them from the front.
  explicit some_vertices(std::span<const std::uint64_t>& rest) : v{}, count(std::min(v.size(), rest.size())) {
    std::copy_n(rest.begin(), count, v.begin());
    rest = rest.subspan(count);
  }
  /// How many of them are in a row, which is ascending as they are.
  std::uint64_t in(std::span<const std::uint64_t> row) const {
    const auto from = std::ranges::lower_bound(row, v.front()) - row.begin();
    return common(std::span(v).first(count), row.subspan(static_cast<std::size_t>(from)));
  }
};

} // namespace

void triangles::run_deferred() {
  context ctx(job_, aggregate);
  const symmetric entries(upper_.place(job_.pe(), 0)), found(found_here_.storage());
  for (auto& [after_v, v, row] : outgoing_edges(upper_)) {
    while (!after_v.empty())
      ctx.get(upper_.extent_of(v))
          .then_at_owner([=, some = some_vertices(after_v)](sparse_matrix<>::extent at, const owner& here) {
            *here.local(found) += some.in({here.local(entries) + at.first, at.size});
          });
  }
  ctx.quiet();
}

} // namespace windrow::apps
