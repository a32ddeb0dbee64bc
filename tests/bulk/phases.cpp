// SPDX-License-Identifier: BSD-3-Clause
// What WINDROW_BULK=gets reads ahead: what a program repeats, counted, and never what somebody has changed.
//   phases CASE
#include <shmemx.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <thread>
#include <utility>

#include "windrow/call.hpp"
#include "windrow/context.hpp"
#include "windrow/simulation.hpp"
#include "windrow/stats.hpp"
#include "windrow/task.hpp"

namespace {

constexpr long iterations = 10, halo = 100;
long table[2 * halo];
long flag, data;
std::uint64_t signalled;

int failures = 0;
void expect(bool holds, const char* what) {
  if (holds) return;
  ++failures;
  std::fprintf(stderr, "PE %d: %s\n", shmem_my_pe(), what);
}

int other() {
  return (shmem_my_pe() + 1) % shmem_n_pes();
}
windrow::counters now() {
  return shmemx_job().stats();
}

/// `iterations` times: all PEs write, meet, `read(i)`, and meet.
template <class Read>
windrow::counters repeat(Read read) {
  const auto before = now();
  for (long i = 0; i < iterations; ++i) {
    for (long k = 0; k < 2 * halo; ++k) table[k] = 1000 * i + k;
    shmem_barrier_all();
    read(i);
    shmem_barrier_all();
  }
  auto after = now();
  after.bulk_ahead -= before.bulk_ahead;
  after.bulk_unused -= before.bulk_unused;
  after.round_trips -= before.round_trips;
  return after;
}

void read_and_check(long first, long count, long i) {
  for (long k = first; k < first + count; ++k)
    expect(shmem_long_g(&table[k], other()) == 1000 * i + k, "a read is of another iteration");
}

// Of ten iterations one reads by itself: 64 and 36 values together after that. In real time an answer may be
// here before it is waited for, which is no round trip.
void stencil() {
  const auto begin_ns = windrow::clock_ns(shmemx_job());
  const auto c = repeat([](long i) { read_and_check(0, halo, i); });
  expect(c.bulk_ahead == (iterations - 1) * halo, "what is repeated was not read ahead");
  expect(c.bulk_unused == 0, "something was read for nothing");
  expect(c.round_trips <= halo + 2 * (iterations - 1), "more round trips than messages");
  if (shmem_my_pe() == 0)
    std::printf("%.1f us\n", static_cast<double>(windrow::clock_ns(shmemx_job()) - begin_ns) / 1e3);
}

// From the fifth iteration on other places are read.
void other_places() {
  const auto c = repeat([](long i) { read_and_check(i < 5 ? 0 : halo, halo, i); });
  expect(c.bulk_ahead == (iterations - 2) * halo, "the new places were not read ahead");
  expect(c.bulk_unused == halo, "the old places were read more than once in vain");
}

// A range that it has written itself is read as it is.
void own_writes() {
  repeat([](long i) {
    if (shmem_my_pe() != 0) return;
    long both[2];
    shmem_long_get(both, &table[4], 2, 1);
    expect(both[0] == 1000 * i + 4 && both[1] == 1000 * i + 5, "what was not written is not as it was");
    shmem_long_p(&table[7], -i, 1);
    shmem_long_get(both, &table[6], 2, 1);
    expect(both[0] == 1000 * i + 6 && both[1] == -i, "a read does not see this PE's put");
    shmem_long_atomic_add(&table[9], -1, 1);
    expect(shmem_long_g(&table[9], 1) == 1000 * i + 8, "a read does not see this PE's update");
    const long some[] = {-i, -i, -i};
    shmem_long_iput(&table[20], some, 2, 1, 3, 1);
    expect(shmem_long_g(&table[22], 1) == -i, "a read does not see this PE's strided put");
  });
}

// What it wrote before the phase began is there before it is read ahead.
void own_writes_before() {
  static long here;
  repeat([](long i) {
    if (shmem_my_pe() != 0) return;
    shmem_long_p(&table[3], -i, 1);
    shmem_long_wait_until(&here, SHMEM_CMP_EQ, 0); // a phase begins, and nothing is waited for
    expect(shmem_long_g(&table[3], 1) == -i, "a read does not see a put before its phase");
  });
}

// Between two barriers PE 1 changes `data`, when PE 0 has read it ahead, and tells it by `tell`; PE 0 learns
// it by `learn`, and reads.
template <class Tell, class Learn>
void told(Tell tell, Learn learn) {
  for (long i = 1; i <= iterations; ++i) {
    if (shmem_my_pe() == 1) data = -i;
    shmem_barrier_all();
    if (shmem_my_pe() == 1) {
      shmem_long_wait_until(&flag, SHMEM_CMP_EQ, i);
      data = i;
      tell(i);
    } else {
      shmem_long_p(&flag, i, 1);
      learn(i);
      expect(shmem_long_g(&data, 1) == i, "a read is older than what was told");
    }
    shmem_barrier_all();
  }
}

void signal_to_pe_0(long i) {
  shmem_signal_set(&signalled, static_cast<std::uint64_t>(i), 0);
}

void by_wait() {
  told(signal_to_pe_0,
       [](long i) { shmem_signal_wait_until(&signalled, SHMEM_CMP_EQ, static_cast<std::uint64_t>(i)); });
}
void by_test() {
  told(signal_to_pe_0, [](long i) {
    while (shmem_uint64_test(&signalled, SHMEM_CMP_EQ, static_cast<std::uint64_t>(i)) == 0) {
    }
  });
}
void by_signal_fetch() {
  told(signal_to_pe_0, [](long i) {
    while (shmem_signal_fetch(&signalled) != static_cast<std::uint64_t>(i)) {
    }
  });
}
// Who polls by reads of one place learns of others.
void by_polling() {
  static long ready;
  told([](long i) { ready = i; },
       [](long i) {
         while (shmem_long_g(&ready, 1) != i) {
         }
       });
}
void work(std::chrono::milliseconds time) {
  windrow::simulate_work(shmemx_job(), time);
  if (!windrow::is_simulated(shmemx_job())) std::this_thread::sleep_for(time);
}

// Also behind so many other reads that not all can be remembered, and where one read is large.
template <class Poll>
void poll(long* ready, Poll poll_until) {
  static long late;
  for (long i = 1; i <= iterations; ++i) {
    if (shmem_my_pe() == 1) late = -i;
    shmem_barrier_all();
    if (i % 2 == 1) {
      if (shmem_my_pe() == 0) expect(shmem_long_g(&late, 1) == -i, "a read is of another iteration");
    } else if (shmem_my_pe() == 1) {
      shmem_long_wait_until(&flag, SHMEM_CMP_EQ, i);
      work(std::chrono::milliseconds(5));
      shmem_long_p(&late, i, 1);
      shmem_long_p(ready, i, 1);
    } else {
      shmem_long_p(&flag, i, 1);
      poll_until(i);
      expect(shmem_long_g(&late, 1) == i, "a read is older than what was polled");
    }
    shmem_barrier_all();
  }
}
void by_polling_behind_many() {
  static char many[5000];
  poll(&data, [](long i) {
    for (const auto& one : many) static_cast<void>(shmem_char_g(&one, 1));
    while (shmem_long_g(&data, 1) != i) {
    }
  });
}
void by_polling_much() {
  static long much[4096], seen[4096];
  poll(&much[4095], [](long i) {
    do shmem_getmem(seen, much, sizeof much, 1);
    while (seen[4095] != i);
  });
}
void by_fetch() {
  static long ready;
  told([](long i) { shmem_long_atomic_set(&ready, i, 1); },
       [](long i) {
         while (shmem_long_atomic_fetch_add(&ready, 0, 1) != i) {
         }
       });
}
// An atomic operation that only reads gives what is there now, and so do reads behind it.
void by_value() {
  static long ready, late;
  told(
      [](long i) {
        work(std::chrono::milliseconds(5));
        shmem_long_p(&late, i, 1);
        shmem_long_p(&ready, i, 1);
      },
      [](long i) {
        shmem_fence();                              // so that PE 1 goes on; a phase begins
        static_cast<void>(shmem_long_g(&ready, 0)); // what is read ahead has been read
        work(std::chrono::milliseconds(50));
        expect(shmem_long_atomic_fetch(&ready, 1) == i, "an atomic operation gives what was there before");
        expect(shmem_long_g(&late, 1) == i, "a read behind it does");
      });
}
// A condition that holds already, or for which a light thread waits while main code waits, too.
void by_condition() {
  static long there, late;
  const auto tell = [](long i) {
    work(std::chrono::milliseconds(5));
    shmem_long_p(&late, i, 1);
    shmem_long_p(&there, i, 0);
    shmem_fence();
  };
  const auto wait = [](long i) { windrow::wait_until([i] { return std::atomic_ref(there).load() == i; }); };
  const auto check = [](long i) { expect(shmem_long_g(&late, 1) == i, "a read is older than a condition"); };
  told(tell, [&](long i) {
    shmem_fence();                             // so that PE 1 goes on; a phase begins
    static_cast<void>(shmem_long_g(table, 0)); // what is read ahead has been read
    work(std::chrono::milliseconds(50));
    static_cast<void>(shmem_long_g(table, 0));
    wait(i);
    check(i);
  });
  shmem_long_p(&there, 0, 0);
  told(tell, [&](long i) {
    windrow::finish([&] {
      windrow::spawn_at(windrow::communication_worker, [&] {
        shmem_fence();
        wait(i);
        check(i);
      });
    });
  });
}
// A handler reads what its sender has changed, while the PE that it runs on waits for nothing.
void by_message() {
  auto& job = shmemx_job();
  static bool handled = false;
  const auto counter = job.allocate<std::uint64_t>(1);
  windrow::context ctx(job, windrow::aggregate);
  told(
      [&](long i) {
        auto answer = windrow::call(0, [](const windrow::owner&) {
          handled = true;
          return shmem_long_g(&data, 1);
        });
        expect(answer.get() == i, "a handler reads what was there before its message");
      },
      [&](long) {
        while (!std::exchange(handled, false)) ctx.add(*counter.on(0), 1);
        ctx.complete_own();
      });
}

} // namespace

int main(int argc, char** argv) {
  const std::map<std::string, void (*)()> cases{{"stencil", stencil},
                                                {"other_places", other_places},
                                                {"own_writes", own_writes},
                                                {"own_writes_before", own_writes_before},
                                                {"by_wait", by_wait},
                                                {"by_test", by_test},
                                                {"by_signal_fetch", by_signal_fetch},
                                                {"by_polling", by_polling},
                                                {"by_polling_behind_many", by_polling_behind_many},
                                                {"by_polling_much", by_polling_much},
                                                {"by_fetch", by_fetch},
                                                {"by_value", by_value},
                                                {"by_condition", by_condition},
                                                {"by_message", by_message}};
  shmem_init();
  cases.at(argc > 1 ? argv[1] : "")();
  shmem_barrier_all();
  shmem_finalize();
  return failures > 0 ? 1 : 0;
}
