// SPDX-License-Identifier: BSD-3-Clause
#include "apps/kernels/triangles_chunked/triangles_chunked.hpp"

#include "apps/kernels/support.hpp"

namespace windrow::apps {

namespace {

template <message_tasks Tasks>
std::unique_ptr<kernel> make(job& j, const workload& w) {
  return std::make_unique<triangles_chunked>(j, w, Tasks);
}

} // namespace

const kernel_entry triangles_chunked_entry{
    .name = "triangles_chunked",
    .about =
        "counts triangles in chunks of rows or probes, shared by the workers of a PE; the tasks of a message "
        "end before the next one is handled",
    .styles = styles_without_deferral,
    .make = make<message_tasks::end_with_message>,
    .sequential = sequential_triangles,
};

const kernel_entry triangles_escaping_entry{
    .name = "triangles_escaping",
    .about =
        "counts triangles in chunks of rows or probes, shared by the workers of a PE; the tasks of a message "
        "go on while others are handled",
    .styles = styles_without_deferral,
    .make = make<message_tasks::escape>,
    .sequential = sequential_triangles,
};

} // namespace windrow::apps
