// SPDX-License-Identifier: BSD-3-Clause
// Runs shipped code in Relacy (D. Vyukov's race detector for relaxed memory models): every load may return
// each value that the C++ memory model allows, and threads interleave in many ways. A file is included
// inside namespace `model`, after the standard headers that it needs; its std::atomic is then the one below.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>
#include <ostream>
#include <source_location>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
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

/// What may be changed in one place of what ships.
enum class change {
  none,
  weaker,   ///< an order, by one step
  left_out, ///< a fence
};
/// A place in what ships where an order other than relaxed is named, or where a fence is.
struct site {
  const char* file = "";
  unsigned line = 0, column = 0;
  const char* function = "";
  change how = change::none;
  /// Whatever the arguments of the template are that it is in.
  bool operator==(const site& other) const {
    return line == other.line && column == other.column && how == other.how &&
           ::std::strcmp(file, other.file) == 0 &&
           (line != 0 || ::std::strcmp(function, other.function) == 0);
  }
};
/// A change without consequence, or with one that Relacy does not show, by the function that it is in and by
/// what its line says. `change::none`: another model tries what may be changed there.
struct spare {
  const char *function, *text;
  change how = change::weaker;
};
/// Those that have run. Not in a container that allocates: Relacy has memory of its own for what runs in it.
inline site sites[128];
inline std::size_t sites_seen = 0;
/// Runs are counted from 1.
inline unsigned run = 0;
/// The one change of this run, if any.
inline site changed;
/// It leaves out a fence for the compiler.
inline bool compiler_is_free = false;

/// Whether this change is to be made in this run.
inline bool is_changed(const site& here) {
  for (std::size_t i = 0; i < sites_seen; ++i)
    if (sites[i] == here) return here == changed;
  sites[sites_seen++] = here;
  return false;
}
/// What is not shipped is never changed.
inline bool is_changed(change how, const std::source_location& at) {
  if (::std::strstr(at.file_name(), "tests/models") != nullptr) return false;
  return is_changed({at.file_name(), at.line(), at.column(), at.function_name(), how});
}
/// Of a function that what ships calls, which the model has in its place.
inline bool is_left_out(const char* function) {
  return is_changed({.function = function, .how = change::left_out});
}

/// What is one step weaker, for a load (acquire), a store (release) or both.
inline std::memory_order weaker(std::memory_order order, std::memory_order one_step) {
  return order == std::memory_order_seq_cst ? one_step : std::memory_order_relaxed;
}

inline rl::memory_order order_at(std::memory_order order, std::memory_order one_step,
                                 const std::source_location& at) {
  const bool less = order != std::memory_order_relaxed && is_changed(change::weaker, at);
  switch (less ? weaker(order, one_step) : order) {
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

/// A relaxed store that the compiler has moved behind loads that follow it in the program, one for each
/// thread.
struct late_store {
  void (*make)(void* place, unsigned long long value) = nullptr;
  void* place = nullptr;
  unsigned long long value = 0;
};
inline late_store late_stores[16];

inline late_store& late_store_of_thread() {
  return late_stores[rl::ctx().threadx_->index_];
}
inline void make_late_store() {
  const late_store late = ::std::exchange(late_store_of_thread(), {});
  if (late.make != nullptr) late.make(late.place, late.value);
}

/// Other threads, of all those in a suite, that the running one can have execute a fence.
template <rl::thread_id_t threads>
class fenced_threads {
 public:
  /// By each thread when it begins, and has come to a processor behind a fence.
  void begin() {
    auto& c = rl::ctx();
    all_[c.threadx_->index_] = static_cast<info*>(c.threadx_);
    c.atomic_thread_fence_seq_cst();
  }
  /// Each thread that has begun executes a sequentially consistent fence at some moment between call and
  /// return, wherever it is; so does the caller at both ends.
  void fence() {
    auto& c = rl::ctx();
    c.atomic_thread_fence_seq_cst();
    for (info* const one : all_) {
      c.sched();
      if (one != nullptr) one->atomic_thread_fence_seq_cst(c.seq_cst_fence_order_);
    }
    c.sched();
    c.atomic_thread_fence_seq_cst();
  }

 private:
  using info = rl::thread_info<threads>;
  info* all_[threads] = {};
};

namespace std {
using namespace ::std;

inline void atomic_thread_fence(memory_order o, const source_location& at = source_location::current()) {
  make_late_store();
  const auto as = order_at(o, memory_order_acq_rel, at);
  if (is_changed(change::left_out, at)) return;
  auto& c = rl::ctx();
  c.sched();
  as == rl::mo_seq_cst ? c.atomic_thread_fence_seq_cst() : c.atomic_thread_fence_acq_rel();
}
inline void atomic_signal_fence(memory_order, const source_location& at = source_location::current()) {
  if (!is_changed(change::left_out, at)) make_late_store();
}

/// Not a thing of Relacy's, since it may be static: locks order what threads do as fences.
class mutex {
 public:
  void lock() {
    rl::ctx().sched();
    while (taken_in_ == run) rl::yield(1, $);
    taken_in_ = run;
    rl::ctx().atomic_thread_fence_seq_cst();
  }
  void unlock() {
    rl::ctx().atomic_thread_fence_seq_cst();
    taken_in_ = 0;
  }

 private:
  unsigned taken_in_ = 0; ///< the run that it is locked in; one that fails leaves it so
};

/// As much of std::atomic as is used in what ships, on Relacy's.
template <class T>
class atomic {
  using order = ::std::memory_order;
  using place = ::std::source_location;
  using stored = ::std::conditional_t<::std::is_enum_v<T>, int, T>; ///< what Relacy can print

 public:
  atomic() : atomic(T{}) {}
  atomic(T initial) : value_(static_cast<stored>(initial)) {}

  T load(order o = order::seq_cst, const place& at = place::current()) const {
    if (late_store_of_thread().place == this) make_late_store();
    const auto v = static_cast<T>(value_.load(order_at(o, order::acquire, at), $));
    if (compiler_is_free && rl::rand(2) == 0) make_late_store();
    return v;
  }
  void store(T v, order o = order::seq_cst, const place& at = place::current()) {
    make_late_store();
    if constexpr (::std::is_integral_v<T>)
      if (compiler_is_free && o == order::relaxed) {
        late_store_of_thread() = {[](void* p, unsigned long long value) {
                                    static_cast<atomic*>(p)->value_.store(static_cast<stored>(value),
                                                                          rl::mo_relaxed, $);
                                  },
                                  this, static_cast<unsigned long long>(v)};
        return;
      }
    value_.store(static_cast<stored>(v), order_at(o, order::release, at), $);
  }
  template <class U>
  T fetch_add(U v, order o = order::seq_cst, const place& at = place::current()) {
    return proxy().fetch_add(v, order_at(o, order::acq_rel, at));
  }
  template <class U>
  T fetch_sub(U v, order o = order::seq_cst, const place& at = place::current()) {
    return proxy().fetch_sub(v, order_at(o, order::acq_rel, at));
  }
  T fetch_or(T v, order o = order::seq_cst, const place& at = place::current()) {
    return proxy().fetch_or(v, order_at(o, order::acq_rel, at));
  }
  T fetch_and(T v, order o = order::seq_cst, const place& at = place::current()) {
    return proxy().fetch_and(v, order_at(o, order::acq_rel, at));
  }
  T exchange(T v, order o = order::seq_cst, const place& at = place::current()) {
    return proxy().exchange(v, order_at(o, order::acq_rel, at));
  }
  bool compare_exchange_strong(T& expected, T v, order o = order::seq_cst,
                               const place& at = place::current()) {
    return exchanged(expected, [&](stored& seen) {
      return proxy().compare_exchange_strong(seen, static_cast<stored>(v), order_at(o, order::acq_rel, at));
    });
  }
  bool compare_exchange_weak(T& expected, T v, order o = order::seq_cst, const place& at = place::current()) {
    return exchanged(expected, [&](stored& seen) {
      return proxy().compare_exchange_weak(seen, static_cast<stored>(v), order_at(o, order::acq_rel, at));
    });
  }
  bool compare_exchange_strong(T& expected, T v, order o, order, const place& at = place::current()) {
    return exchanged(expected, [&](stored& seen) {
      return proxy().compare_exchange_strong(seen, static_cast<stored>(v), order_at(o, order::acq_rel, at),
                                             rl::mo_relaxed);
    });
  }
  /// Where no order is named in what ships, none is changed.
  operator T() const { return static_cast<T>(value_.load(rl::mo_seq_cst, $)); }

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

 private:
  rl::atomic_proxy<stored> proxy() {
    make_late_store();
    return value_($);
  }
  template <class Try>
  static bool exchanged(T& expected, Try attempt) {
    auto seen = static_cast<stored>(expected);
    const bool done = attempt(seen);
    expected = static_cast<T>(seen);
    return done;
  }

  mutable rl::atomic<stored> value_;
};

} // namespace std

/// Whether `Test`, one of Relacy's suites, holds in `iterations` interleavings.
template <class Test>
bool holds(unsigned iterations, std::ostream& told) {
  ++run;
  ::std::ranges::fill(late_stores, late_store{});
  rl::test_params params;
  params.iteration_count = iterations;
  params.search_type = rl::random_scheduler_type;
  ::std::ostream nowhere(nullptr);
  params.output_stream = &told;
  params.progress_stream = &nowhere;
  return rl::simulate<Test>(params);
}

/// Compilers may have been told another path to the checkout than that of now.
inline ::std::string path_of(const site& at) {
  const ::std::string_view file = at.file;
  const auto folder = ::std::max(file.rfind("/src/") + 1, file.rfind("/include/") + 1);
  return WINDROW_ROOT "/" + ::std::string(file.substr(folder));
}

/// Without types.
inline ::std::string_view name_of(const site& at) {
  ::std::string_view name = at.function;
  name = name.substr(0, name.find('('));
  return name.substr(name.find_last_of(" :") + 1);
}

inline ::std::string line_of(const site& at) {
  ::std::ifstream text(path_of(at));
  ::std::string line;
  for (unsigned i = 0; i < at.line; ++i) ::std::getline(text, line);
  return line;
}

/// Runs the protocol as it is, and then with each change that can be made to it, of which none may hold in
/// all suites, but for the spare ones. A number as the program's argument multiplies the interleavings.
/// Returns the exit code.
template <class... Tests>
int check(int argc, char** argv, unsigned iterations, const ::std::vector<spare>& spares) {
  if (argc > 1) iterations *= static_cast<unsigned>(::std::stoul(argv[1]));
  if (!(holds<Tests>(iterations, ::std::cout) && ...)) {
    ::std::printf("the protocol fails as it is\n");
    return 1;
  }
  ::std::ostream nowhere(nullptr);
  int unexpected = 0;
  for (::std::size_t i = 0; i < sites_seen; ++i) {
    changed = sites[i];
    const bool for_compiler = line_of(changed).find("atomic_signal_fence") != ::std::string::npos;
    compiler_is_free = changed.how == change::left_out && for_compiler;
    const auto named = [&, line = line_of(changed)](change how) {
      return ::std::ranges::any_of(spares, [&](const spare& s) {
        return s.how == how && line.find(s.text) != line.npos &&
               ::std::strstr(changed.function, s.function) != nullptr;
      });
    };
    if (named(change::none)) continue;
    const bool is_spare = named(changed.how);
    const bool unnoticed = (holds<Tests>(iterations, nowhere) && ...);
    ::std::printf("%s:%u:%u: %s %s: %s%s\n", path_of(changed).c_str(), changed.line, changed.column,
                  ::std::string(name_of(changed)).c_str(),
                  changed.how == change::weaker ? "weaker" : "left out", unnoticed ? "holds" : "fails",
                  unnoticed == is_spare ? "" : ", which was not expected");
    unexpected += unnoticed != is_spare ? 1 : 0;
  }
  ::std::printf("%zu changes, %d not as expected\n", sites_seen, unexpected);
  return unexpected == 0 && sites_seen != 0 ? 0 : 1;
}

} // namespace model
