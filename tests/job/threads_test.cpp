// SPDX-License-Identifier: BSD-3-Clause
// How jobs end, of PEs that are threads: what is still under way, exceptions, and what is left behind.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "windrow/windrow.hpp"

namespace windrow::test {
namespace {

/// One PE's part in chains of operations, each issued by code that runs because the one before has arrived.
struct relay {
  struct place {
    local_ptr<relay> local;
    std::uint64_t counter;
  };
  job& j;
  context ctx{j, aggregate};
  global_ptr<place> places = j.allocate<place>(1);
  std::uint64_t arrived = 0;

  explicit relay(job& of) : j(of) { j.local(places)->local = this; }

  void send(std::uint64_t left) {
    const auto next = (j.pe() + 1) % j.pes();
    const global_ptr<std::uint64_t> counter(next, places.offset() + offsetof(place, counter));
    ctx.fetch_inc(*counter).then_at_owner([all = symmetric(places), left](std::uint64_t, const owner& at) {
      at.local(all)->local->arrive(left);
    });
  }

  // At the owner, from a continuation, and from a task.
  void arrive(std::uint64_t left) {
    ++arrived;
    if (left == 0) return;
    if (left % 3 == 0) return send(left - 1);
    if (left % 3 == 1) return async_at(communication_worker, [this, left] { send(left - 1); });
    ctx.get(*global_ptr<std::uint64_t>(0, places.offset())).then([this, left](std::uint64_t) {
      send(left - 1);
    });
  }
};

// No PE calls a barrier of its context: all but the first operation are issued while everybody finalizes the
// job.
TEST(job_threads, what_goes_on_at_owners_is_complete_at_the_end) {
  constexpr std::uint64_t hops = 2000;
  for (pe_t pes = 1; pes <= 4; ++pes) {
    std::atomic<std::uint64_t> arrived = 0;
    run_threads(pes, [&](job& j) {
      relay mine(j);
      j.barrier();
      if (j.pe() == 0) mine.send(hops - 1);
      j.finalize();
      arrived += mine.arrived;
    });
    EXPECT_EQ(arrived, hops) << pes << " PEs";
  }
}

// The exception of one PE comes before a collective call of the others, to which its own call behind belongs.
// A destructor that waits for all would pair with theirs.
TEST(job_threads, nothing_collective_happens_while_an_exception_unwinds) {
  run_threads(3, [](job& j) {
    long handled = 0;
    for (int round = 0; round < 30; ++round) {
      const bool first = j.pe() == round % 3;
      try {
        stream<int> s(j, [&](std::span<const int> batch, pe_t) { handled += std::ssize(batch); });
        for (int i = 0; i < 1000 * j.pe(); ++i) s.send(i % j.pes(), i);
        if (first) throw std::runtime_error("on one PE");
        EXPECT_EQ(j.world().sum(j.pe() + 1), 6);
        throw std::runtime_error("on the others");
      } catch (const std::runtime_error&) {
        if (first) {
          EXPECT_EQ(j.world().sum(j.pe() + 1), 6);
        }
      }
    }
    const auto before = handled;
    stream<int> s(j, [&](std::span<const int> batch, pe_t) { handled += std::ssize(batch); });
    for (int i = 0; i < 900; ++i) s.send(i % 3, i);
    s.barrier();
    EXPECT_EQ(handled - before, 900); // what was under way to the others does not come here
  });
}

TEST(job_threads, an_exception_leaves_the_run_of_a_selector) {
  run_threads(3, [](job& j) {
    long handled = 0;
    for (int round = 0; round < 20; ++round) {
      auto m = std::make_unique<mailbox<int>>(j, [&](auto& out, int left) {
        ++handled;
        if (left > 0) out.send(left % 3, left - 1);
      });
      EXPECT_THROW(m->run([&] {
        for (int i = 0; i < 300; ++i) m->send(i % j.pes(), 5);
        throw std::runtime_error("in the body");
      }),
                   std::runtime_error);
      if (round % 2 == 0) m.reset(); // or after its successor was made
      const auto before = handled;
      mailbox<int> next(j, [&](int value) { handled += value; });
      next.run([&] {
        for (int i = 0; i < 300; ++i) next.send(i % j.pes(), 1);
      });
      EXPECT_EQ(handled - before, 300);
    }
  });
}

// The writers of a kind take 32 bytes for each PE, and the table of kinds must not grow for ever.
TEST(job_threads, numbers_of_streams_and_mailboxes_are_used_again) {
  run_threads(2, [](job& j) {
    long sum = 0;
    for (int round = 0; round < 300; ++round) {
      stream<int> s(j, [&](std::span<const int> batch, pe_t) { sum += std::ssize(batch); });
      mailbox<int> m(j, [&](int) { ++sum; });
      s.send(1 - j.pe(), round);
      s.barrier();
      m.run([&] { m.send(1 - j.pe(), round); });
    }
    EXPECT_EQ(sum, 600);
    detail::message_kind last(
        j, 4, [](aggregation::run_header&, const aggregation::work&, void*) {}, nullptr);
    EXPECT_LE(last.number(), 2U);
  });
}

std::ptrdiff_t resident_pages(const std::byte* begin, std::size_t bytes) {
  std::vector<unsigned char> pages(bytes / 4096);
  EXPECT_EQ(::mincore(const_cast<std::byte*>(begin), bytes, pages.data()), 0);
  return std::count_if(pages.begin(), pages.end(), [](unsigned char page) { return (page & 1) != 0; });
}

// It would be committed at once, and on the memory node of the PE that makes the job.
TEST(job_threads, allocation_touches_nothing_that_is_zero_already) {
  constexpr std::size_t large = std::size_t{64} << 20, dirty = std::size_t{8} << 20;
  run_threads(2, [](job& j) {
    const auto first = j.allocate<std::byte>(large, 4096);
    EXPECT_EQ(resident_pages(j.local(first), large), 0);
    std::memset(j.local(first), 1, dirty);
    j.free(first);
    const auto again = j.allocate<std::byte>(large, 4096), beyond = j.allocate<std::byte>(large, 4096);
    EXPECT_EQ(again.offset(), first.offset());
    EXPECT_EQ(std::count(j.local(again), j.local(again) + large, std::byte{0}),
              static_cast<std::ptrdiff_t>(large));
    EXPECT_EQ(resident_pages(j.local(beyond), large), 0);
  });
}

/// Open files, mappings and threads of this process.
std::array<std::ptrdiff_t, 3> in_use() {
  const auto entries = [](const char* folder) {
    return std::distance(std::filesystem::directory_iterator(folder), std::filesystem::directory_iterator());
  };
  std::ifstream maps("/proc/self/maps");
  const auto mappings = std::count(std::istreambuf_iterator<char>(maps), {}, '\n');
  return {entries("/proc/self/fd"), entries("/proc/self/task"), mappings};
}

// Every other one is left by an exception on all PEs.
void run_one(int number) {
  run_threads(2, [number](job& j) {
    try {
      auto table = j.array<int>(1000);
      context ctx(j, aggregate);
      stream<int> s(j, [](std::span<const int>, pe_t) {});
      finish([&] {
        for (int i = 0; i < 100; ++i) async([] {});
      });
      for (std::uint64_t i = 0; i < 1000; ++i) ctx.inc(table[i]);
      s.send(1 - j.pe(), 1);
      if (number % 2 == 0) throw std::runtime_error("on all PEs");
    } catch (const std::runtime_error&) { // outside, the job ends as usual
    }
  });
}

TEST(job_threads, jobs_leave_nothing_behind) {
  ::setenv("WINDROW_WORKERS", "2", 1);
  for (int i = 0; i < 10; ++i) run_one(i); // the C library's caches fill
  const auto before = in_use();
  for (int i = 0; i < 100; ++i) run_one(i);
  const auto after = in_use();
  EXPECT_EQ(after[0], before[0]) << "open files";
  EXPECT_EQ(after[1], before[1]) << "threads";
  EXPECT_LE(after[2], before[2] + 8) << "mappings";
  ::unsetenv("WINDROW_WORKERS");
}

} // namespace
} // namespace windrow::test
