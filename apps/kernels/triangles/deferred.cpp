// SPDX-License-Identifier: BSD-3-Clause
// Whether w is in row v is seen where row v is: the question travels with the read that finds the row.
#include <algorithm>

#include "apps/kernels/triangles/triangles.hpp"
#include "windrow/deferred.hpp"

namespace windrow::apps {

void triangles::run_deferred() {
  context ctx(job_, aggregate);
  const symmetric entries(upper_.place(job_.pe(), 0)), found(found_here_.storage());
  for (const auto& e : outgoing_edges(upper_)) {
    for (const auto w : e.after_v)
      ctx.get(upper_.extent_of(e.v))
          .then_at_owner([entries, found, w](sparse_matrix<>::extent row_of_v, const owner& here) {
            const auto* first = here.local(entries) + row_of_v.first;
            *here.local(found) += std::binary_search(first, first + row_of_v.size, w);
          });
  }
  ctx.quiet();
}

} // namespace windrow::apps
