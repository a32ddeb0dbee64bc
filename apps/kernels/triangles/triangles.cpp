// SPDX-License-Identifier: BSD-3-Clause
#include "apps/kernels/triangles/triangles.hpp"

namespace windrow::apps {

const kernel_entry triangles_entry{
    .name = "triangles",
    .about =
        "counts triangles: tests for each pair of a vertex's neighbours whether they are neighbours too, by "
        "fetching rows or by one probe for each pair",
    .make = [](job& j, const workload& w) -> std::unique_ptr<kernel> {
      return std::make_unique<triangles>(j, w);
    },
    .sequential = sequential_triangles,
};

void triangles::run(kernel_style s) {
  switch (s) {
    case kernel_style::blocking:
      return run_blocking();
    case kernel_style::aggregated:
      return run_aggregated();
    case kernel_style::mailbox:
      return run_mailbox();
  }
}

} // namespace windrow::apps
