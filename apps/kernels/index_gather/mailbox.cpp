// SPDX-License-Identifier: BSD-3-Clause
#include "apps/kernels/index_gather/index_gather.hpp"
#include "windrow/stream.hpp"

namespace windrow::apps {

namespace {

struct question {
  std::uint64_t slot;  ///< of the answer, where it was asked
  std::uint64_t place; ///< of the value, where it is kept
};
struct answer {
  std::uint64_t slot;
  std::uint64_t value;
};

} // namespace

void index_gather::run_mailbox() {
  const auto degrees = degrees_.local();
  stream<answer> answers(job_, [&](std::span<const answer> batch, pe_t) {
    for (const auto& a : batch) gathered_[a.slot] = a.value;
  });
  stream<question> questions(job_, [&](std::span<const question> batch, pe_t from) {
    for (const auto& q : batch) answers.send(from, {q.slot, degrees[q.place]});
  });
  std::uint64_t slot = 0;
  for (const auto i : targets_.indices) questions.send(degrees_.owner(i), {slot++, degrees_.local_index(i)});
  questions.quiet();
}

} // namespace windrow::apps
