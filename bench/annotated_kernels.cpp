// SPDX-License-Identifier: BSD-3-Clause
// What is made of the loops in C.
#include <shmemx.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>

#include "bench/annotated_loops.h"
#include "bench/deferred_kernels.hpp"
#include "bench/deferred_sort.hpp"
#include "bench/deferred_triangles.hpp"

namespace windrow::bench {

namespace {

class aggregated_context {
 public:
  aggregated_context() {
    if (shmem_ctx_create(SHMEMX_CTX_AGGREGATE, &ctx_) == 0) return;
    std::fprintf(stderr, "bench defer: no aggregated context\n");
    std::exit(EXIT_FAILURE);
  }
  ~aggregated_context() { shmem_ctx_destroy(ctx_); }
  aggregated_context(const aggregated_context&) = delete;
  aggregated_context& operator=(const aggregated_context&) = delete;
  operator shmem_ctx_t() const { return ctx_; }

 private:
  shmem_ctx_t ctx_ = SHMEM_CTX_INVALID;
};

/// The extents of this PE's rows, as numbers: all PEs have them at this address of their symmetric memory.
std::uint64_t* local_extents(const apps::sparse_matrix<>& m) {
  using extent = apps::sparse_matrix<>::extent;
  static_assert(sizeof(extent) == sizeof(std::uint64_t) && offsetof(extent, first) == 0);
  return const_cast<std::uint64_t*>(reinterpret_cast<const std::uint64_t*>(&m.local_extent(0)));
}

// OpenSHMEM's calls act in the job that there is.
void begin_shmem() {
  static const bool begun = (shmem_init(), true);
  static_cast<void>(begun);
}

} // namespace

void deferred_triangles::annotated() {
  begin_shmem();
  std::vector<annotated_edge> edges;
  for (const auto& e : edges_)
    edges.push_back({e.after_v.data(), e.after_v.size(), upper_.owner(e.v),
                     static_cast<std::uint32_t>(upper_.local_index(e.v))});
  const aggregated_context ctx;
  found_ += annotated_triangles(ctx, edges.data(), edges.size(), local_extents(upper_),
                                job_.local(upper_.place(job_.pe(), 0)));
}

void deferred_sort::annotated() {
  begin_shmem();
  const auto pes = static_cast<std::uint64_t>(job_.pes());
  const detail::divider divide(pes);
  const annotated_matrix m{matrix_.rows(),
                           pes,
                           static_cast<std::uint64_t>(job_.pe()),
                           divide.factor(),
                           static_cast<std::uint64_t>(divide.shift()),
                           local_extents(columns_),
                           job_.local(columns_.place(job_.pe(), 0)),
                           job_.local(left_.storage()),
                           job_.local(row_position_.storage()),
                           job_.local(column_position_.storage()),
                           job_.local(placed_.storage()),
                           job_.local(ready_.storage()),
                           job_.local(left_.storage()),
                           job_.local(ready_.storage())};
  const aggregated_context ctx;
  for (const auto& e : ready_rows()) m.ready[++*m.ready] = 1 + matrix_.local_index(e.row);
  job_.barrier();
  annotated_sort(ctx, &m);
  job_.barrier();
}

void deferred_kernels::add_annotated(const std::string& kernel, std::vector<variant>& variants) {
  static_assert(sizeof(annotated_target) == sizeof(target));
  begin_shmem();
  const auto* targets = reinterpret_cast<const annotated_target*>(targets_.data());
  variants.push_back({"pragma",
                      [this, kernel, targets] {
                        const aggregated_context ctx;
                        auto* table = job_.local(next_);
                        if (kernel == "transpose")
                          annotated_transpose(ctx, targets, targets_.size(), table, job_.local(rows_),
                                              row_of(0));
                        else if (kernel == "histogram")
                          seen_ += annotated_histogram(ctx, targets, targets_.size(), table);
                        else
                          seen_ += annotated_gather(ctx, targets, targets_.size(), table);
                      },
                      variants.front().check});
  if (kernel == "transpose")
    variants.push_back({"pragma, fused at the owner",
                        [this, targets] {
                          const aggregated_context ctx;
                          annotated_transpose_at_owner(ctx, targets, targets_.size(), job_.local(next_),
                                                       job_.local(rows_), row_of(0));
                        },
                        variants.front().check});
}

} // namespace windrow::bench
