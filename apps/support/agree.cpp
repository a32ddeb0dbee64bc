// SPDX-License-Identifier: BSD-3-Clause
#include "apps/support/agree.hpp"

#include <cstddef>
#include <span>

namespace windrow::apps {

void agree(job& j, const std::string& problem) {
  const auto speaker = j.world().min(problem.empty() ? j.pes() : j.pe());
  if (speaker == j.pes()) return;
  std::string sentence = problem;
  sentence.resize(j.world().broadcast(sentence.size(), speaker));
  j.world().broadcast(std::span<char>(sentence), speaker);
  throw error(sentence);
}

} // namespace windrow::apps
