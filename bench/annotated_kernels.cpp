// SPDX-License-Identifier: BSD-3-Clause
// The part of deferred_kernels that is made of the loops in C.
#include <shmemx.h>

#include <cstdio>
#include <cstdlib>

#include "bench/annotated_loops.h"
#include "bench/deferred_kernels.hpp"

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

// OpenSHMEM's calls act in the job that there is.
void begin_shmem() {
  static const bool begun = (shmem_init(), true);
  static_cast<void>(begun);
}

} // namespace

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
