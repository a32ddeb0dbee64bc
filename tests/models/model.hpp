// SPDX-License-Identifier: BSD-3-Clause
// Runs shipped headers in Relacy (D. Vyukov's race detector for relaxed memory models): every load may return
// each value that the C++ memory model allows, and threads interleave in many ways. A header is included
// inside namespace `model`, after the standard headers that it needs; its std::atomic is then the one below.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <ostream>
#include <source_location>
#include <string>
#include <vector>

#include <relacy/relacy.hpp>
#undef new
#undef delete
#undef malloc
#undef calloc
#undef realloc
#undef free
#undef assert
#undef memory_order_relaxed
#undef memory_order_consume
#undef memory_order_acquire
#undef memory_order_release
#undef memory_order_acq_rel
#undef memory_order_seq_cst

#include <atomic>

namespace model {

/// A place in a header where an order other than relaxed is named.
struct site {
  unsigned line = 0, column = 0;
  const char* function = "";
  bool operator==(const site& other) const { return line == other.line && column == other.column; }
};
/// An order that may be weaker without consequence, or with one that Relacy does not show, by the function
/// that has it and by what its line says.
struct spare {
  const char *function, *text;
};
/// Those that have run. Not in a container that allocates: Relacy has memory of its own for what runs in it.
inline site sites[64];
inline std::size_t sites_seen = 0;
/// The one whose order is to be weaker by one step in this run, if any.
inline site weakened;

inline void note(const site& one) {
  for (std::size_t i = 0; i < sites_seen; ++i)
    if (sites[i] == one) return;
  sites[sites_seen++] = one;
}

/// What is one step weaker, for a load (acquire), a store (release) or both.
inline std::memory_order weaker(std::memory_order order, std::memory_order one_step) {
  return order == std::memory_order_seq_cst ? one_step : std::memory_order_relaxed;
}

inline rl::memory_order order_at(std::memory_order order, std::memory_order one_step,
                                 const std::source_location& at) {
  const site here{at.line(), at.column(), at.function_name()};
  if (order != std::memory_order_relaxed) note(here);
  switch (here == weakened ? weaker(order, one_step) : order) {
    case std::memory_order_relaxed:
      return rl::mo_relaxed;
    case std::memory_order_acquire:
      return rl::mo_acquire;
    case std::memory_order_release:
      return rl::mo_release;
    case std::memory_order_acq_rel:
      return rl::mo_acq_rel;
    default:
      return rl::mo_seq_cst;
  }
}

namespace std {
using namespace ::std;

/// As much of std::atomic as the headers use, on Relacy's.
template <class T>
class atomic {
  using order = ::std::memory_order;
  using place = ::std::source_location;

 public:
  atomic() : value_(T{}) {}
  atomic(T initial) : value_(initial) {}

  T load(order o, const place& at = place::current()) const {
    return value_.load(order_at(o, order::acquire, at), $);
  }
  void store(T v, order o, const place& at = place::current()) {
    value_.store(v, order_at(o, order::release, at), $);
  }
  T fetch_add(T v, order o, const place& at = place::current()) {
    return value_($).fetch_add(v, order_at(o, order::acq_rel, at));
  }
  T fetch_sub(T v, order o, const place& at = place::current()) {
    return value_($).fetch_sub(v, order_at(o, order::acq_rel, at));
  }
  T exchange(T v, order o, const place& at = place::current()) {
    return value_($).exchange(v, order_at(o, order::acq_rel, at));
  }
  /// As a futex without limit: sleeps while this is `expected`, until woken.
  void sleep_while(T expected) const {
    auto& c = rl::ctx();
    c.sched();
    c.atomic_thread_fence_seq_cst();
    {
      const rl::preemption_disabler whole(c);
      if (value_.load(rl::mo_acquire, $) != expected) return;
    }
    value_.wait(c, false, false, $);
  }
  void wake_all() const {
    auto& c = rl::ctx();
    c.sched();
    c.atomic_thread_fence_seq_cst();
    value_.wake(c, 100, $);
  }
  bool compare_exchange_strong(T& expected, T v, order o, order, const place& at = place::current()) {
    return value_($).compare_exchange_strong(expected, v, order_at(o, order::acq_rel, at), rl::mo_relaxed);
  }

 private:
  mutable rl::atomic<T> value_;
};

} // namespace std

/// Whether `Test`, one of Relacy's suites, holds in `iterations` interleavings.
template <class Test>
bool holds(unsigned iterations) {
  rl::test_params params;
  params.iteration_count = iterations;
  params.search_type = rl::random_scheduler_type;
  ::std::ostream nowhere(nullptr);
  params.output_stream = &nowhere;
  params.progress_stream = &nowhere;
  return rl::simulate<Test>(params);
}

/// Runs the protocol as it is, and then with each order weaker by one step, which must not hold, but for the
/// spare ones. `header`: the path of the file that all orders are in. Returns the exit code.
template <class Test>
int check(unsigned iterations, const char* header, const ::std::vector<spare>& spares) {
  weakened = {};
  if (!holds<Test>(iterations)) {
    ::std::printf("the protocol fails as it is\n");
    return 1;
  }
  ::std::vector<::std::string> lines{""};
  ::std::ifstream text(header);
  for (::std::string line; ::std::getline(text, line);) lines.push_back(line);
  int unexpected = 0;
  for (::std::size_t i = 0; i < sites_seen; ++i) {
    weakened = sites[i];
    const auto& line = lines.at(weakened.line);
    const bool is_spare = ::std::any_of(spares.begin(), spares.end(), [&](const spare& s) {
      return line.find(s.text) != line.npos && ::std::strstr(weakened.function, s.function) != nullptr;
    });
    const bool unnoticed = holds<Test>(iterations);
    ::std::printf("%s:%u:%u weaker: %s\n", header, weakened.line, weakened.column,
                  unnoticed ? "holds" : "fails");
    unexpected += unnoticed != is_spare ? 1 : 0;
  }
  ::std::printf("%zu orders, %d not as expected\n", sites_seen, unexpected);
  return unexpected == 0 && sites_seen != 0 ? 0 : 1;
}

} // namespace model
