// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <span>

#include "windrow/task.hpp"

namespace windrow::apps {

/// Splits a list into as many parts as there are workers: starts a task that does `work(part)` for each part
/// but the first, and does that here. The caller's `finish`, or a later one, waits for the tasks.
template <class T, class Work>
void share_among_workers(std::span<const T> list, Work work) {
  const auto parts = static_cast<std::size_t>(workers());
  const auto begin = [&](std::size_t part) { return list.size() * part / parts; };
  for (std::size_t part = 1; part < parts; ++part)
    async([work, mine = list.subspan(begin(part), begin(part + 1) - begin(part))] { work(mine); });
  work(list.first(begin(1)));
}

} // namespace windrow::apps
