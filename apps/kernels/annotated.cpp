// SPDX-License-Identifier: BSD-3-Clause
#include "apps/kernels/annotated.hpp"

#include <shmemx.h>

#include <cstddef>

#include "windrow/error.hpp"

namespace windrow::apps {

annotated_context::annotated_context() {
  static const bool begun = (shmem_init(), true); // in the job that there is, for the rest of the program
  static_cast<void>(begun);
  if (shmem_ctx_create(SHMEMX_CTX_AGGREGATE, &ctx_) != 0) throw error("there is no aggregated context");
}

annotated_context::~annotated_context() {
  shmem_ctx_destroy(ctx_);
}

rows_in_c::rows_in_c(const job& j, const sparse_matrix<>& m)
    : first_{0},
      rows_{m.local_rows(), static_cast<std::uint64_t>(j.pe()), static_cast<std::uint64_t>(j.pes()), nullptr,
            nullptr} {
  column_.reserve(m.local_entries());
  for (std::uint64_t k = 0; k < m.local_rows(); ++k) {
    const auto row = m.local_row(k);
    column_.insert(column_.end(), row.begin(), row.end());
    first_.push_back(column_.size());
  }
  rows_.first = first_.data();
  rows_.column = column_.data();
}

std::uint64_t* extents_in_c(const sparse_matrix<>& m) {
  using extent = sparse_matrix<>::extent;
  static_assert(sizeof(extent) == sizeof(std::uint64_t) && offsetof(extent, first) == 0);
  return const_cast<std::uint64_t*>(reinterpret_cast<const std::uint64_t*>(&m.local_extent(0)));
}

std::uint64_t* entries_in_c(job& j, const sparse_matrix<>& m) {
  return j.local(m.place(j.pe(), 0));
}

} // namespace windrow::apps
