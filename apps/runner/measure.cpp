// SPDX-License-Identifier: BSD-3-Clause
#include "apps/runner/measure.hpp"

#include <algorithm>
#include <chrono>

#include "apps/runner/resources.hpp"
#include "apps/runner/styles.hpp"

namespace windrow::apps {

namespace {

/// The fastest of three, since it has no turn that warms up.
sequential_answer run_sequential(job& j, const kernel_entry& entry, const workload& w) {
  sequential_answer best{};
  if (j.pe() == 0) {
    best = entry.sequential(w);
    for (int again = 0; again < 2; ++again)
      best.seconds = std::min(best.seconds, entry.sequential(w).seconds);
  }
  return j.world().broadcast(best, 0);
}

traffic difference(const counters& before, const counters& after) {
  traffic t;
  t.direct_operations = after.direct_operations - before.direct_operations;
  t.round_trips = after.round_trips - before.round_trips;
  t.items = after.items_sent - before.items_sent;
  t.blocks = after.blocks_sent - before.blocks_sent;
  t.bytes = after.direct_bytes - before.direct_bytes + after.bytes_sent - before.bytes_sent;
  return t;
}

traffic of_all_pes(job& j, const traffic& mine) {
  const auto sum = [&](std::uint64_t value) { return j.world().sum(value); };
  return {sum(mine.direct_operations), sum(mine.round_trips), sum(mine.items), sum(mine.blocks),
          sum(mine.bytes)};
}

/// What one run took.
struct cost {
  double seconds;
  traffic moved;
  double cpu_seconds;
  std::uint64_t peak_bytes;
  std::map<std::string, double> joules;
};

cost run_once(job& j, kernel& k, kernel_style style, const energy_meter& meter) {
  k.reset();
  forget_peak_memory();
  const auto energy = meter.read();
  j.barrier();
  const auto counted = j.stats();
  const auto cpu = cpu_seconds();
  const auto start = std::chrono::steady_clock::now();
  k.run(style);
  j.barrier();
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  const auto cpu_took = cpu_seconds() - cpu;
  const auto moved = difference(counted, j.stats());
  const auto joules = meter.joules(energy, meter.read());
  return {j.world().max(took.count()), of_all_pes(j, moved), j.world().sum(cpu_took),
          j.world().max(peak_memory()), joules};
}

void check(job& j, kernel& k, result& r) {
  const auto sum = j.world().sum(k.checksum());
  if (r.is_right()) r.checksum = sum;
}

void add(const cost& c, unsigned repeats, result& r) {
  r.seconds.push_back(c.seconds);
  r.moved = c.moved;
  r.cpu_seconds += c.cpu_seconds / repeats;
  r.peak_bytes = std::max(r.peak_bytes, c.peak_bytes);
  for (const auto& [part, joules] : c.joules) r.joules[part] += joules / repeats;
}

} // namespace

std::vector<result> measure(job& j, const kernel_entry& entry, const workload& w,
                            std::span<const kernel_style> styles, unsigned repeats, const energy_meter& meter,
                            const turn_listener& listener) {
  const auto expected = run_sequential(j, entry, w);
  const auto measured = entry.make(j, w);
  std::vector<result> results;
  for (const auto style : styles) {
    result r;
    r.kernel = entry.name;
    r.style = name_of(style);
    r.graph = w.name;
    r.pes = j.pes();
    r.operations = j.world().sum(measured->operations());
    r.sequential_seconds = expected.seconds;
    r.checksum = r.expected = expected.checksum;
    results.push_back(r);
  }
  for (unsigned turn = 0; turn <= repeats; ++turn) {
    for (std::size_t s = 0; s < styles.size(); ++s) {
      if (j.pe() == 0) listener(styles[s], turn);
      const auto spent = run_once(j, *measured, styles[s], meter);
      check(j, *measured, results[s]);
      if (turn > 0) add(spent, repeats, results[s]);
    }
  }
  return results;
}

} // namespace windrow::apps
