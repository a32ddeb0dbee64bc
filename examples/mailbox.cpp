// SPDX-License-Identifier: BSD-3-Clause
// Mailboxes: send work to where the data is. Counts words by their owners, then walks through a table that is
// distributed over all PEs, each step in the handler of the PE that has the entry.
#include <windrow/windrow.hpp>

#include <functional>
#include <iostream>
#include <map>
#include <string>
#include <string_view>

/// Returns the number of occurrences of `word`, counted by its owner. Items are strings of any size.
std::uint64_t count_words(windrow::job& job, std::string_view word) {
  const auto owner = [&](std::string_view w) {
    return static_cast<windrow::pe_t>(std::hash<std::string_view>{}(w) % static_cast<std::size_t>(job.pes()));
  };
  std::map<std::string, std::uint64_t, std::less<>> counts;
  windrow::mailbox<std::string_view> words(job, [&](std::string_view w) { ++counts[std::string(w)]; });
  words.run([&] {
    for (const std::string_view w : {"hay", "rake", "hay", "bale"}) words.send(owner(w), w);
  }); // every word, of every PE, is counted
  return job.world().sum(counts.contains(word) ? counts.find(word)->second : 0);
}

struct walker {
  std::uint64_t position;
  int steps;
};

/// Returns the number of steps that all walkers take together, each from its place to where the entry there
/// says.
std::uint64_t walk(windrow::job& job, int walkers, int steps) {
  auto next = job.array<std::uint64_t>(10'007);
  for (std::uint64_t k = 0; k < next.local().size(); ++k)
    next.local()[k] = (next.global_index(k) * 31 + 7) % next.size();

  std::uint64_t taken = 0;
  windrow::mailbox<walker> move(job, [&](auto& out, walker w) {
    ++taken;
    const auto to = next.local()[w.position - next.global_index(0)];
    if (w.steps > 1) out.send(next.owner(to), {to, w.steps - 1}); // a handler may send on, but not wait
  });
  move.run([&] {
    for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(walkers); ++i)
      move.send(next.owner(i), {i, steps});
  }); // all walkers, those that handlers sent on included, have come to rest
  job.free(next);
  return job.world().sum(taken);
}

int main(int argc, char** argv) {
  windrow::job job(argc, argv);
  const auto pes = static_cast<std::uint64_t>(job.pes());
  const auto hay = count_words(job, "hay");
  const auto steps = walk(job, 1000, 50);
  if (job.pe() == 0) std::cout << hay << " times hay, " << steps << " steps\n";
  return hay == 2 * pes && steps == 50'000 * pes ? 0 : 1;
}
