// SPDX-License-Identifier: BSD-3-Clause
// PEs as threads, for tests of the PGAS core alone and for ThreadSanitizer.
#pragma once

#include <fmt/format.h>

#include <cstdlib>
#include <memory>
#include <thread>
#include <vector>

#include "base/fatal.hpp"
#include "os/memory.hpp"
#include "pgas/core.hpp"
#include "pgas/team_state.hpp"
#include "transport/host/host_transport.hpp"
#include "windrow/team.hpp"

namespace windrow::test {

/// Memory that thread PEs share; it can serve several jobs of the same shape one after the other.
class shared_host {
 public:
  explicit shared_host(pe_t pes) : shape_(pes, 4096), base_(os::map_private_memory(shape_.total)) {}
  ~shared_host() { os::unmap(base_, shape_.total); }
  shared_host(const shared_host&) = delete;
  shared_host& operator=(const shared_host&) = delete;

  std::unique_ptr<transport::transport> connect(pe_t pe) const {
    return std::make_unique<transport::host_transport>("threads", transport::host_memory(base_, shape_), pe);
  }

 private:
  transport::geometry shape_;
  std::byte* base_;
};

/// Runs body(core, world) on each of `pes` threads.
template <class Body>
void on_threads(pe_t pes, Body body) {
  ::setenv("WINDROW_STALL_ABORT", "1", 0); // a test that hangs ends with a report of who waits for whom
  const shared_host host(pes);
  std::vector<std::thread> threads;
  for (pe_t pe = 0; pe < pes; ++pe)
    threads.emplace_back([&host, &body, pe] {
      base::set_speaker(fmt::format("PE {}", pe));
      pgas::core core(host.connect(pe));
      const team world(std::make_shared<pgas::team_state>(core));
      body(core, world);
      world.barrier();
      core.close();
    });
  for (auto& thread : threads) thread.join();
}

} // namespace windrow::test
