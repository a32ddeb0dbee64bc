// SPDX-License-Identifier: BSD-3-Clause
// Triangle counting in chunks, which the workers of a PE share (Hayashi, Singhal, Elmougy and Yang, "Enabling
// User-Level Asynchronous Tasking in the FA-BSP Model", 2025).
#pragma once

#include <atomic>

#include "apps/kernels/kernel.hpp"
#include "apps/kernels/triangles/upper_triangle.hpp"

namespace windrow::apps {

/// What happens to the tasks that a message starts.
enum class message_tasks : std::uint8_t {
  end_with_message, ///< a blocking message: the next one is handled after them
  escape,           ///< a non-blocking message: they end when the run does
};

class triangles_chunked final : public kernel {
 public:
  triangles_chunked(job& j, const workload& w, message_tasks tasks)
      : job_(j), upper_(upper_triangle(j, w.graph)), tasks_(tasks) {}
  void reset() override { found_ = 0; }
  std::uint64_t checksum() override { return found_; }
  std::uint64_t operations() const override { return pairs_of(upper_); }

 private:
  using probes = std::span<const probe>;

  void run_one_sided(windrow::style) override;
  void run_mailbox() override;
  void handle(probes chunk);
  void handle_escaping(probes chunk);
  void test(probes);

  job& job_;
  sparse_matrix<> upper_;
  message_tasks tasks_;
  std::atomic<std::uint64_t> found_ = 0; ///< by all workers of this PE
};

extern const kernel_entry triangles_chunked_entry;
extern const kernel_entry triangles_escaping_entry;

} // namespace windrow::apps
