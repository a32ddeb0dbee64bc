// SPDX-License-Identifier: BSD-3-Clause
#include "apps/kernels/triangles/triangles.hpp"

namespace windrow::apps {

const kernel_entry triangles_entry{
    .name = "triangles",
    .about =
        "counts triangles: tests for each pair of a vertex's neighbours whether they are neighbours too, by "
        "fetching rows or by one probe for each pair",
    .styles = all_styles,
    .make = make_kernel<triangles>,
    .sequential = sequential_triangles,
};

void triangles::reset() {
  found_ = 0;
  found_here_.local()[0] = 0;
  job_.barrier();
}

} // namespace windrow::apps
