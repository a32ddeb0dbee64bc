// SPDX-License-Identifier: BSD-3-Clause
// Jobs whose first portable task is started right before their end: PEs hear of such tasks, ask for some, and
// run them while all are about to leave. PE 0 is told of each, and looks whether none is missing.
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "apps/tasks/unbalanced_tree.hpp"
#include "windrow/windrow.hpp"

namespace {

using namespace windrow::apps::tasking; // NOLINT(google-build-using-namespace): this is the program

std::uint64_t counted = 0;

struct visit {
  void operator()(const tree_node& n, const tree_shape& shape) const {
    windrow::call(0, [] { ++counted; });
    for (int i = 0; i < children_of(shape, n); ++i)
      windrow::async_portable(visit(), child_of(n, static_cast<std::uint32_t>(i)), shape);
  }
};

} // namespace

// The seed of the tree may be given.
int main(int argc, char** argv) {
  const tree_shape shape{4, 6,
                         argc > 1 ? static_cast<std::uint32_t>(std::strtoul(argv[1], nullptr, 10)) : 19};
  windrow::pe_t pe = 0;
  {
    windrow::job job(argc, argv);
    pe = job.pe();
    if (pe == job.pes() - 1) windrow::async_portable(visit(), root_of(shape), shape);
  }
  const auto expected = nodes_below(shape, root_of(shape));
  if (pe != 0 || counted == expected) return EXIT_SUCCESS;
  std::printf("seed %u: %llu of %llu nodes\n", shape.seed, static_cast<unsigned long long>(counted),
              static_cast<unsigned long long>(expected));
  return EXIT_FAILURE;
}
