// SPDX-License-Identifier: BSD-3-Clause
// What the loops in C (annotated.h) work on, made of what the kernels have.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "apps/kernels/annotated.h"
#include "apps/matrix/sparse_matrix.hpp"
#include "windrow/job.hpp"

namespace windrow::apps {

/// An aggregated context of OpenSHMEM, whose calls act in the job that there is. Collective.
class annotated_context {
 public:
  annotated_context();
  ~annotated_context();
  annotated_context(const annotated_context&) = delete;
  annotated_context& operator=(const annotated_context&) = delete;
  operator shmem_ctx_t() const { return ctx_; }

 private:
  shmem_ctx_t ctx_ = SHMEM_CTX_INVALID;
};

/// Elements of each PE of an array in blocks; 1 of an empty one.
template <class T>
std::uint64_t block_of(const array<T>& a, pe_t pes) {
  return std::max<std::uint64_t>(1, array<T>::capacity(a.size(), pes));
}

/// This PE's rows of a matrix, as long as that lives.
class rows_in_c {
 public:
  rows_in_c(const job&, const sparse_matrix<>&);
  operator const annotated_rows*() const { return &rows_; }

 private:
  std::vector<std::uint64_t> first_, column_;
  annotated_rows rows_;
};

// Where the extents and the entries of a matrix are: at these addresses of the symmetric memory of every PE.
std::uint64_t* extents_in_c(const sparse_matrix<>&);
std::uint64_t* entries_in_c(job&, const sparse_matrix<>&);

} // namespace windrow::apps
