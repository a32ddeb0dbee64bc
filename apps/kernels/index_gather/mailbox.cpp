// SPDX-License-Identifier: BSD-3-Clause
#include "apps/kernels/index_gather/index_gather.hpp"
#include "windrow/selector.hpp"

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
  selector<question, answer> gather(
      job_, [&](auto& out, question q) { out.reply(answer{q.slot, degrees[q.place]}); },
      [&](answer a) { gathered_[a.slot] = a.value; });
  gather.run([&] {
    std::uint64_t slot = 0;
    for (const auto i : targets_.indices)
      gather.send(degrees_.owner(i), question{slot++, degrees_.local_index(i)});
  });
}

} // namespace windrow::apps
