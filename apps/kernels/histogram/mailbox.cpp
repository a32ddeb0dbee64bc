// SPDX-License-Identifier: BSD-3-Clause
#include "apps/kernels/histogram/histogram.hpp"
#include "windrow/stream.hpp"

namespace windrow::apps {

void histogram::run_mailbox() {
  const auto counters = table_.local();
  stream<std::uint64_t> counted(job_, [&](std::span<const std::uint64_t> places, pe_t) {
    for (const auto k : places) ++counters[k];
  });
  for (const auto i : targets_.indices) counted.send(table_.owner(i), table_.local_index(i));
  counted.quiet();
}

} // namespace windrow::apps
