// SPDX-License-Identifier: BSD-3-Clause
// What every kernel offers, so that one program can run, time and check them all in every style.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "apps/graph/edge_list.hpp"
#include "windrow/context.hpp"
#include "windrow/job.hpp"

namespace windrow::apps {

/// The ways in which a kernel is told. The result is the same.
enum class kernel_style : std::uint8_t {
  blocking,   ///< every remote operation is complete before the next begins
  aggregated, ///< the same operations on an aggregated context
  mailbox,    ///< messages to where the data is, handled there
  deferred,   ///< aggregated; what depends on a fetched value is written where the fetch is, and runs later
  annotated,  ///< a plain C loop on an aggregated context, deferred by the compiler (`#pragma shmem defer`)
};

/// In the order in which tables show them.
inline constexpr std::array all_styles{kernel_style::blocking, kernel_style::aggregated,
                                       kernel_style::mailbox, kernel_style::deferred,
                                       kernel_style::annotated};
/// Those in C++.
inline constexpr std::array cpp_styles{kernel_style::blocking, kernel_style::aggregated,
                                       kernel_style::mailbox, kernel_style::deferred};
/// Of kernels in which nothing depends on a fetched value.
inline constexpr std::array styles_without_deferral{kernel_style::blocking, kernel_style::aggregated,
                                                    kernel_style::mailbox};
/// Of kernels in which nothing depends on a fetched value, and that have a loop in C.
inline constexpr std::array annotated_without_deferral{kernel_style::blocking, kernel_style::aggregated,
                                                       kernel_style::mailbox, kernel_style::annotated};

/// What kernels work on: the same on every PE. A kernel keeps only its part.
struct workload {
  std::string name;       ///< of the input, for tables
  graph::edge_list graph; ///< vertices and directed edges, in the order of the file or generator
  std::string sequences;  ///< FASTQ file, for k-mer counting; empty: generated reads
  std::uint64_t seed = 1; ///< of everything random inside a kernel (permutations, weights, roots)
  /// Least number of remote operations of all PEs together in a run, where a kernel can repeat itself: the
  /// same work for any number of PEs, and for the sequential program.
  std::uint64_t operations = 0;
};

/// One kernel on one workload: this PE's part. Construction, destruction and all calls but `operations` are
/// collective.
class kernel {
 public:
  virtual ~kernel() = default;
  /// Makes everything as it was before the first run. Not timed.
  virtual void reset() = 0;
  /// The work that is timed, in one of the kernel's styles. Returns after a quiescence or barrier:
  /// everything, of all PEs, has happened.
  virtual void run(kernel_style s) { in_style(s); }
  /// This PE's part of the result of the last run. The sum over all PEs, modulo 2^64, is what `sequential`
  /// returns.
  virtual std::uint64_t checksum() = 0;
  /// Remote operations of this PE in one run: what rates are given in.
  virtual std::uint64_t operations() const = 0;

 protected:
  /// Does the work, or a part of it, as the style tells it.
  void in_style(kernel_style);

 private:
  // What a kernel has of these are its styles. Where blocking and aggregated are the same text on different
  // contexts, that is `run_one_sided`.
  virtual void run_one_sided(windrow::style);
  virtual void run_blocking() { run_one_sided(windrow::blocking); }
  virtual void run_aggregated() { run_one_sided(windrow::aggregate); }
  virtual void run_mailbox();
  virtual void run_deferred();
  virtual void run_annotated();
};

/// What the sequential program, written without Windrow, finds on the same workload.
struct sequential_answer {
  std::uint64_t checksum;
  double
      seconds; ///< of the work that `kernel::run` is timed for; reading and building the input is not in it
};

/// A line of the table of kernels.
struct kernel_entry {
  const char* name;  ///< "histogram"
  const char* about; ///< one sentence
  std::span<const kernel_style> styles;
  std::unique_ptr<kernel> (*make)(job&, const workload&);
  sequential_answer (*sequential)(const workload&);
};

template <class Kernel>
std::unique_ptr<kernel> make_kernel(job& j, const workload& w) {
  return std::make_unique<Kernel>(j, w);
}

} // namespace windrow::apps
