// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <bitset>
#include <chrono>
#include <cstddef>
#include <cstdint>

namespace windrow::os {

/// As many as Linux can be built for.
inline constexpr std::size_t most_processors = 8192;
/// Processors by number.
using processor_set = std::bitset<most_processors>;
/// That this thread may run on.
processor_set allowed_processors();
/// How many of `allowed` can be used at a time under the control group's quota; at least 1.
int usable_cpus(const processor_set& allowed);
/// How many can be used at a time of those that this thread may run on.
int usable_cpus();

/// The processor that this thread runs on at this moment.
int current_processor();
/// From now on this thread runs on that one only, if it may; never fails.
void stay_on_processor(int processor);

/// From now on this thread does not interrupt the one that wakes it; never fails.
void never_preempt_waker();

/// Tells the processor that this thread is spinning.
inline void pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield" ::: "memory");
#endif
}

/// Asks for the cache line at `address`, so that a store to it soon afterwards need not wait. A hint only.
inline void prepare_to_write(const void* address) {
#if defined(__x86_64__) || defined(__i386__) // where the compilers turn the general form into a read
  asm volatile("prefetchw %0" ::"m"(*static_cast<const char*>(address)));
#else
  __builtin_prefetch(address, 1);
#endif
}

/// Lets another thread of this processor run.
void yield();

/// Gives up the processor for `time` and a little more.
void sleep(std::chrono::nanoseconds time);
/// From now on timed sleeps of this thread end as soon as the system can wake it, not up to 50 us later.
void sleep_precisely();

/// Nanoseconds on a clock that all processes of this host share and that never goes back.
inline std::uint64_t now_ns() {
  return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                        std::chrono::steady_clock::now().time_since_epoch())
                                        .count());
}

/// Nanoseconds for which this thread has had a processor.
std::uint64_t thread_cpu_ns();

} // namespace windrow::os
