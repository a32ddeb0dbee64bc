// SPDX-License-Identifier: BSD-3-Clause
// The ways of running a kernel: each says how two pieces of work, or the steps of a loop, are done, where
// they do not depend on each other.
#pragma once

#include <cstddef>

#include "windrow/windrow.hpp"

namespace windrow::apps::tasking {

/// One after the other.
struct calls {
  template <class F>
  static void all(F f) {
    f();
  }
  template <class F, class G>
  static void both(F f, G g) {
    f();
    g();
  }
  template <class F>
  static void each(std::size_t count, F f) {
    for (std::size_t i = 0; i < count; ++i) f(i);
  }
};

/// Branches of Windrow.
struct forks {
  template <class F>
  static void all(F f) {
    f();
  }
  template <class F, class G>
  static void both(F f, G g) {
    fork_join(f, g);
  }
  template <class F>
  static void each(std::size_t count, F f) {
    parallel_for(std::size_t{0}, count, f);
  }
};

#ifdef _OPENMP
/// Tasks of OpenMP, with as many threads as the PE has workers.
struct openmp {
  template <class F>
  static void all(F f) {
    [[maybe_unused]] const int threads = workers();
#pragma omp parallel num_threads(threads)
#pragma omp single
    f();
  }
  template <class F, class G>
  static void both(F f, G g) {
#pragma omp task shared(f)
    f();
    g();
#pragma omp taskwait
  }
  template <class F>
  static void each(std::size_t count, F f) {
#pragma omp taskloop grainsize(1) shared(f)
    for (std::size_t i = 0; i < count; ++i) f(i);
  }
};
#endif

} // namespace windrow::apps::tasking
