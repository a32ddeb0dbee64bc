// A pointer that may be to any object: what is loaded through it once crashed the compiler.
// RUN: %cxx -O0 -c %s -o /dev/null
#include <shmem.h>

#include <deque>
#include <utility>

void into_deque(shmem_ctx_t ctx, const int64_t* s, std::deque<int64_t>& to) {
#pragma shmem defer
  for (auto [k, at] = std::pair(int64_t{0}, to.begin()); at != to.end(); ++at, ++k)
    *at = shmem_ctx_int64_g(ctx, &s[k], 0);
  shmem_ctx_quiet(ctx);
}
