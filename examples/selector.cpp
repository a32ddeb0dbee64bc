// SPDX-License-Identifier: BSD-3-Clause
// Selectors: several mailboxes that end in stages. Questions about a distributed table are answered by those
// who have the entries; what the answers add up to is then sent to PE 0.
#include <windrow/windrow.hpp>

#include <iostream>
#include <span>

struct question {
  std::uint64_t index;
};
struct answer {
  std::uint64_t value;
};
struct total {
  std::uint64_t sum;
};

int main(int argc, char** argv) {
  windrow::job job(argc, argv);
  auto squares = job.array<std::uint64_t>(1000);
  for (std::uint64_t k = 0; k < squares.local().size(); ++k) {
    const auto i = squares.global_index(k);
    squares.local()[k] = i * i;
  }
  windrow::context statistics(job, windrow::aggregate);
  auto asked = job.array<std::uint64_t>(1);

  std::uint64_t sum = 0, total_sum = 0;
  windrow::selector<question, answer, total> s(
      job,
      [&](auto& out, question q) {
        statistics.inc(asked[0]);
        out.reply(answer{squares.local()[q.index - squares.global_index(0)]});
      },
      [&](std::span<const answer> batch, windrow::pe_t) { // a handler may take whole batches
        for (const auto& a : batch) sum += a.value;
      },
      [&](total t) { total_sum += t.sum; });

  s.run([&] {
    for (std::uint64_t i = 0; i < squares.size(); ++i) s.send(squares.owner(i), question{i});
    s.done<question>();   // no more questions from here
    s.complete<answer>(); // nor answers, anywhere: all questions and answers are handled
    s.send(0, total{sum});
  }); // everything is: messages, and what handlers did on contexts

  const auto pes = static_cast<std::uint64_t>(job.pes());
  if (job.pe() != 0) return 0;
  std::cout << total_sum << " from " << asked.local()[0] << " answers\n";
  return total_sum == pes * 332'833'500 && asked.local()[0] == pes * squares.size() ? 0 : 1;
}
