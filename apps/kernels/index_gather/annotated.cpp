// SPDX-License-Identifier: BSD-3-Clause
#include "apps/kernels/annotated.hpp"
#include "apps/kernels/index_gather/index_gather.hpp"

namespace windrow::apps {

void index_gather::run_annotated() {
  const annotated_context ctx;
  gather_loop(ctx, targets_.indices.data(), targets_.indices.size(), degrees_.local().data(),
              block_of(degrees_, job_.pes()), gathered_.data());
  job_.barrier();
}

} // namespace windrow::apps
