// SPDX-License-Identifier: BSD-3-Clause
#include "windrow/mailbox.hpp"
#include "apps/kernels/histogram/histogram.hpp"

namespace windrow::apps {

void histogram::run_mailbox() {
  const auto counters = table_.local();
  mailbox<std::uint64_t> counted(job_, [&](std::uint64_t place) { ++counters[place]; });
  counted.run([&] {
    for (const auto i : targets_.indices) counted.send(table_.owner(i), table_.local_index(i));
  });
}

} // namespace windrow::apps
