// SPDX-License-Identifier: BSD-3-Clause
// What leaves of a burst with WINDROW_BULK, by the counters of the run: exact in a simulated network.
//   messages CASE
#include <shmemx.h>

#include <chrono>
#include <cstdio>
#include <cstring>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "windrow/call.hpp"
#include "windrow/context.hpp"
#include "windrow/one_sided.hpp"
#include "windrow/portable_tasks.hpp"
#include "windrow/simulation.hpp"
#include "windrow/stats.hpp"
#include "windrow/task.hpp"

namespace {

constexpr long operations = 10'000, most_kept = 4096;
long table[operations];
long flag;
long begun = 42;
unsigned char ranges_memory[1 << 18];

int failures = 0;
void expect(bool holds, const char* what) {
  if (holds) return;
  ++failures;
  std::fprintf(stderr, "PE %d: %s\n", shmem_my_pe(), what);
}

windrow::counters counters_now() {
  return shmemx_job().stats();
}

// What `burst` and the quiet behind it cost PE 0.
template <class Burst>
windrow::counters cost(Burst burst) {
  shmem_barrier_all();
  windrow::counters before = counters_now();
  if (shmem_my_pe() == 0) {
    const auto begin_ns = windrow::clock_ns(shmemx_job());
    burst();
    shmem_quiet();
    std::printf("%.1f us\n", static_cast<double>(windrow::clock_ns(shmemx_job()) - begin_ns) / 1e3);
  }
  auto after = counters_now();
  shmem_barrier_all();
  after.messages -= before.messages;
  after.round_trips -= before.round_trips;
  after.bulk_messages -= before.bulk_messages;
  after.bulk_puts -= before.bulk_puts;
  after.bulk_updates -= before.bulk_updates;
  after.bulk_conflicts -= before.bulk_conflicts;
  return after;
}

// One message to each PE for each time that the memory is full, and its answer.
void puts() {
  const long others = shmem_n_pes() - 1;
  const auto c = cost([&] {
    for (long i = 0; i < operations; ++i) shmem_long_p(&table[i], i + 1, static_cast<int>(1 + i % others));
  });
  const auto flushes = static_cast<std::uint64_t>(operations / most_kept + 1);
  if (shmem_my_pe() == 0) {
    expect(c.bulk_puts == operations && c.bulk_conflicts == 0, "not all puts were kept");
    expect(c.bulk_messages == flushes * static_cast<std::uint64_t>(others), "puts left in too many messages");
    expect(c.messages == 2 * c.bulk_messages, "more messages than batches and answers");
  } else {
    for (long i = shmem_my_pe() - 1; i < operations; i += others)
      expect(table[i] == i + 1, "a value is missing");
  }
}

// Puts that are complete when they return.
void complete_puts() {
  auto& job = shmemx_job();
  const auto place = job.allocate<long>(operations);
  const auto c = cost([&] {
    for (long i = 0; i < operations; ++i) windrow::put(job, place.on(1)[i], i + 1);
  });
  if (shmem_my_pe() == 0)
    expect(c.bulk_puts == operations && c.bulk_messages == operations / most_kept + 1,
           "not all puts were kept");
  if (shmem_my_pe() == 1)
    for (long i = 0; i < operations; ++i) expect(job.local(place)[i] == i + 1, "a value is missing");
}

void updates() {
  const auto c = cost([] {
    for (long i = 0; i < operations; ++i) shmem_long_atomic_add(&table[i % 7], 1, 1);
  });
  if (shmem_my_pe() == 0)
    expect(c.bulk_updates == operations && c.bulk_messages == 3, "updates did not leave together");
  long sum = 0;
  for (long i = 0; i < 7; ++i) sum += table[i];
  if (shmem_my_pe() == 1) expect(sum == operations, "updates were lost");
}

// A put for each block, but one wait for them all. Each source is written over at once.
constexpr std::size_t range = 1024, ranges_put = 100;
windrow::counters cost_of_ranges() {
  const auto c = cost([] {
    std::vector<unsigned char> source(range);
    for (std::size_t i = 0; i < ranges_put; ++i) {
      std::memset(source.data(), static_cast<int>(i + 1), range);
      shmem_putmem(ranges_memory + i * range, source.data(), range, 1);
    }
  });
  if (shmem_my_pe() == 1)
    for (std::size_t i = 0; i < range * ranges_put; ++i)
      expect(ranges_memory[i] == i / range + 1, "a range is wrong");
  return c;
}
void ranges() {
  const auto c = cost_of_ranges();
  if (shmem_my_pe() == 0)
    expect(c.bulk_puts == ranges_put && c.bulk_messages == ranges_put, "ranges were not kept");
}

// Nor is any kept where a put is under way as soon as it is asked for.
void going_on() {
  const auto c = cost_of_ranges();
  if (shmem_my_pe() != 0) return;
  expect(c.bulk_puts == 0 && c.bulk_messages == 0, "ranges were kept");
  expect(c.messages == 2 * ranges_put && c.round_trips == 1, "each put was waited for");
}

// Reads that run behind or beside what is written leave it alone; one of the same place does not.
void reads() {
  const auto c = cost([] {
    for (long i = 0; i < 50; ++i) {
      shmem_long_p(&table[i], i, 1);
      expect(shmem_long_g(&table[i + 1], 1) == 0, "a read beside a put is wrong");
    }
    expect(shmem_long_g(&table[49], 1) == 49, "a read does not see the put before it");
  });
  if (shmem_my_pe() == 0) expect(c.bulk_conflicts == 1 && c.bulk_messages == 1, "reads sent puts too early");
}

// An atomic operation with a result may be of a flag, also if it only reads: what was kept leaves with it.
void fetches() {
  auto& job = shmemx_job();
  const auto place = job.allocate<long>(1);
  windrow::context waits(job, windrow::blocking), goes_on(job, windrow::nonblocking);
  long out = 0;
  const auto sends = [&](const char* what, auto fetch) {
    shmem_long_p(&table[0], 1, 1);
    const auto before = counters_now().bulk_messages;
    fetch();
    expect(counters_now().bulk_messages == before + 1, what);
  };
  cost([&] {
    for (const int pe : {0, 1}) {
      sends("atomic_fetch kept a put", [&] { windrow::atomic_fetch(job, *place.on(pe)); });
      sends("that of a blocking context did", [&] { waits.atomic_fetch(*place.on(pe), &out); });
      sends("that of a nonblocking one did", [&] { goes_on.atomic_fetch(*place.on(pe), &out); });
      sends("shmem_atomic_fetch did", [&] { shmem_long_atomic_fetch(&table[1], pe); });
      sends("shmem_atomic_fetch_nbi did", [&] { shmem_long_atomic_fetch_nbi(&out, &table[1], pe); });
      sends("shmem_atomic_fetch_inc did", [&] { shmem_long_atomic_fetch_inc(&table[2], pe); });
    }
  });
}

// Who polls without any other call is answered all the same.
void polling() {
  if (shmem_my_pe() == 0) {
    shmem_long_p(&flag, 1, 1);
    while (shmem_long_g(&flag, 0) == 0) {
    }
  } else if (shmem_my_pe() == 1) {
    shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
    shmem_long_p(&flag, 1, 0);
    while (shmem_long_g(&flag, 0) == 0) {
    }
  }
  shmem_barrier_all();
}

// Who polls with tests is answered, too.
void tests() {
  if (shmem_my_pe() == 0) {
    shmem_long_p(&flag, 1, 1);
    while (shmem_long_test(&flag, SHMEM_CMP_EQ, 1) == 0) {
    }
  } else if (shmem_my_pe() == 1) {
    shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
    shmem_long_p(&flag, 1, 0);
  }
  shmem_barrier_all();
}

constexpr std::chrono::milliseconds long_work{10};
void work() {
  windrow::simulate_work(shmemx_job(), long_work);
}

// What somebody waits for does not wait for the end of the sender's work.
void signals() {
  static std::uint64_t signal;
  shmem_barrier_all();
  const auto begin_ns = windrow::clock_ns(shmemx_job());
  if (shmem_my_pe() == 0) {
    shmem_long_put_signal(&table[0], &begun, 1, &signal, 1, SHMEM_SIGNAL_SET, 1);
    work();
  } else if (shmem_my_pe() == 1) {
    shmem_signal_wait_until(&signal, SHMEM_CMP_EQ, 1);
    expect(windrow::clock_ns(shmemx_job()) - begin_ns < 1'000'000, "a signal was kept");
    expect(table[0] == begun, "a signal came before its data");
  }
  shmem_barrier_all();
}

// Who learns of a put by a message finds it, wherever it went: PE 1 is told, and looks at PE 2.
void by_block() {
  auto& job = shmemx_job();
  const auto place = job.allocate<long>(1), told = job.allocate<long>(1);
  if (shmem_my_pe() == 0) {
    windrow::put(job, *place.on(2), begun);
    windrow::context ctx(job, windrow::aggregate);
    for (long i = 0; i < 10 * operations; ++i) ctx.add(*told.on(1), 1); // more than a block
    work();
    ctx.complete_own();
  } else if (shmem_my_pe() == 1) {
    shmem_long_wait_until(job.local(told.on(1)), SHMEM_CMP_GT, 0);
    expect(windrow::get(job, *place.on(2)) == begun, "a message overtook a put");
  }
  shmem_barrier_all();
}

// The same of what a handler has put, when its answer is here.
void by_answer() {
  auto& job = shmemx_job();
  const auto place = job.allocate<long>(1);
  if (shmem_my_pe() == 0) {
    auto answer = windrow::call(
        1,
        [](const windrow::owner&, windrow::global_ptr<long> at) {
          windrow::put(shmemx_job(), *at, begun);
          return 1;
        },
        place.on(2));
    answer.get();
    expect(windrow::get(job, *place.on(2)) == begun, "an answer overtook a put of its handler");
    shmem_long_p(&flag, 1, 1);
  } else if (shmem_my_pe() == 1) {
    while (shmem_long_test(&flag, SHMEM_CMP_EQ, 1) == 0) work();
  }
  shmem_barrier_all();
}

// PE 2 shares a host with PE 0, which tells it without a message that it has put something at PE 1, of
// another host. tests/launch/hosts_test.py runs these.
void by_broadcast() {
  auto& job = shmemx_job();
  const auto place = job.allocate<long>(1);
  const auto here = job.world().split_strided(0, 2, 2);
  if (shmem_my_pe() == 0) {
    windrow::put(job, *place.on(1), begun);
    (void)here.broadcast(begun, 0);
    std::this_thread::sleep_for(long_work);
  } else if (shmem_my_pe() == 2) {
    const auto told = here.broadcast(0L, 0);
    expect(windrow::get(job, *place.on(1)) == told, "a broadcast overtook a put");
  }
  shmem_barrier_all();
}

// The task finds it, wherever it runs.
void by_task() {
  auto& job = shmemx_job();
  const auto place = job.allocate<long>(1);
  for (long i = 1; i <= 20; ++i) {
    if (shmem_my_pe() == 0)
      windrow::finish([&] {
        windrow::put(job, *place.on(1), i);
        windrow::async_portable(
            [](windrow::global_ptr<long> at, long told) {
              windrow::context ctx(shmemx_job(), windrow::aggregate);
              long found = 0;
              ctx.get(*at, &found);
              ctx.complete_own();
              expect(found == told, "a task overtook a put");
            },
            place.on(1), i);
        std::this_thread::sleep_for(long_work);
      });
    shmem_barrier_all();
  }
}

// Nothing is kept where load and store reach all memory.
void nothing() {
  const auto c = cost([] {
    for (long i = 0; i < operations; ++i) {
      shmem_long_p(&table[i], i, 1);
      expect(shmem_ptr(table, 1) != nullptr && *static_cast<long*>(shmem_ptr(&table[i], 1)) == i,
             "a put is late");
    }
  });
  expect(c.bulk_puts == 0 && c.bulk_messages == 0, "puts were kept");
}

// Chosen by the program, for a part of it.
void chosen() {
  constexpr long some = 1000;
  const auto c = cost([] {
    expect(shmemx_set_bulk(SHMEMX_BULK_BURSTS) == 0, "something was chosen before");
    for (long i = 0; i < some; ++i) shmem_long_p(&table[i], i + 1, 1);
    expect(shmemx_set_bulk(0) == SHMEMX_BULK_BURSTS, "what was chosen is not told");
    for (long i = some; i < some + 10; ++i) shmem_long_p(&table[i], i + 1, 1);
  });
  if (shmem_my_pe() == 0) {
    expect(c.bulk_puts == some && c.bulk_messages == 1, "puts were not kept between the calls alone");
    expect(c.messages == 2 + 2 * 10, "other messages than of the burst and of ten puts");
  }
  for (long i = 0; shmem_my_pe() == 1 && i < some + 10; ++i) expect(table[i] == i + 1, "a value is missing");
}
// What was begun before is complete at the next quiet all the same.
void chosen_meanwhile() {
  const int other = (shmem_my_pe() + 1) % shmem_n_pes();
  static long found[operations];
  for (long i = 0; i < operations; ++i) table[i] = i + shmem_my_pe();
  shmem_barrier_all();
  shmem_getmem_nbi(found, table, sizeof found, other);
  shmemx_set_bulk(SHMEMX_BULK_OVERLAP);
  shmem_sync_all();
  shmem_quiet();
  for (long i = 0; i < operations; ++i) expect(found[i] == i + other, "a value has not come");
}
void wrong_parts() {
  shmemx_set_bulk(8);
}

} // namespace

int main(int argc, char** argv) {
  shmem_init();
  const std::map<std::string, void (*)()> cases{{"puts", puts},
                                                {"updates", updates},
                                                {"ranges", ranges},
                                                {"reads", reads},
                                                {"fetches", fetches},
                                                {"polling", polling},
                                                {"tests", tests},
                                                {"signals", signals},
                                                {"blocks", by_block},
                                                {"answers", by_answer},
                                                {"broadcasts", by_broadcast},
                                                {"tasks", by_task},
                                                {"going_on", going_on},
                                                {"complete_puts", complete_puts},
                                                {"nothing", nothing},
                                                {"chosen", chosen},
                                                {"chosen_meanwhile", chosen_meanwhile},
                                                {"wrong_parts", wrong_parts}};
  cases.at(argc > 1 ? argv[1] : "puts")();
  shmem_finalize();
  return failures == 0 ? 0 : 1;
}
