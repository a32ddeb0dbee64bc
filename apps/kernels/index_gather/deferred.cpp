// SPDX-License-Identifier: BSD-3-Clause
#include "windrow/deferred.hpp"
#include "apps/kernels/index_gather/index_gather.hpp"

namespace windrow::apps {

void index_gather::run_deferred() {
  context ctx(job_, aggregate);
  for (std::size_t k = 0; k < targets_.indices.size(); ++k)
    ctx.get(degrees_[targets_.indices[k]]).then([this, k](std::uint64_t degree) { gathered_[k] = degree; });
  ctx.barrier();
}

} // namespace windrow::apps
