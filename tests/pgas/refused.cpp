// SPDX-License-Identifier: BSD-3-Clause
// Each of these must not compile, for the reason that CMakeLists.txt names. Without a case it must.
#include "windrow/windrow.hpp"

namespace {

void use(windrow::job& job) {
  const auto a = job.array<double>(100, windrow::cyclic), b = job.array<double>(100, windrow::cyclic);
  const auto other = job.array<double>(100, windrow::block_cyclic<4>);
  for (auto [i, x, y] : windrow::forall({0, 99}, a, b)) {
    const auto next = static_cast<std::uint64_t>(i + 1);
#if defined NEIGHBOUR_AS_A_NUMBER
    x = y + b[next];
#elif defined OTHER_LAYOUT
    for (auto [k, u, v] : windrow::forall({0, 99}, a, other)) u = v;
#else
    x = y + windrow::get(job, b[next]);
#endif
  }
  job.free(other);
}

} // namespace

int main(int argc, char** argv) {
  windrow::job job(argc, argv);
  use(job);
}
