// SPDX-License-Identifier: BSD-3-Clause
// The work of `windrow bench defer`, in every way of doing it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bench/measure.hpp"
#include "windrow/windrow.hpp"

namespace windrow::bench {

inline constexpr const char* request_and_reply = "request and reply by hand";

/// Three kernels on `places` places per PE that `operations` random operations of each PE go to.
///
/// - transpose: a fetching increment says where to put a value, on the same PE;
/// - histogram: an increment, and what was there before is looked at;
/// - gather: a value is fetched and used.
class deferred_kernels {
 public:
  deferred_kernels(job&, std::uint64_t places, std::uint64_t operations);
  ~deferred_kernels();

  std::vector<variant> variants(const std::string& kernel);

  /// Whether the loops with `#pragma shmem defer` are there: where the compiler plug-in is.
#ifdef WINDROW_ANNOTATED_LOOPS
  static constexpr bool has_annotated = true;
#else
  static constexpr bool has_annotated = false;
#endif

 private:
  struct target {
    pe_t pe;
    std::uint32_t place; ///< on that PE
  };

  std::vector<variant> transpose();
  std::vector<variant> histogram();
  std::vector<variant> gather();
  void add_annotated(const std::string& kernel, std::vector<variant>&);

  std::uint64_t row_of(std::size_t entry) const {
    return static_cast<std::uint64_t>(job_.pe()) * targets_.size() + entry;
  }
  global_ref<std::uint64_t> next(const target& t) const { return next_.on(t.pe)[t.place]; }
  global_ref<std::uint64_t> row(pe_t pe, std::uint64_t place) const {
    return rows_.on(pe)[static_cast<std::int64_t>(place)];
  }

  void transpose_blocking();
  void transpose_then();
  deferred place_entry(context&, target, std::uint64_t row);
  void transpose_coroutine();
  void transpose_by_hand();
  void transpose_fused();
  void transpose_fused_by_hand();
  void check_transpose();

  void histogram_blocking();
  void histogram_then();
  deferred look(context&, target);
  void histogram_coroutine();
  void histogram_by_hand();
  void check_histogram();

  void gather_blocking();
  void gather_then();
  deferred add_up(context&, target);
  void gather_coroutine();
  void gather_by_hand();
  void check_gather();

  void begin_columns();
  void require(bool right, const char* what) const;

  job& job_;
  std::uint64_t places_;
  std::vector<target> targets_;
  std::vector<std::uint64_t> first_; ///< of each own column
  global_ptr<std::uint64_t> next_; ///< of each column, the next free place in `rows_`; the histogram's table
  global_ptr<std::uint64_t> rows_;
  std::uint64_t own_entries_ = 0;
  std::uint64_t seen_ = 0; ///< a sum of fetched values
};

} // namespace windrow::bench
