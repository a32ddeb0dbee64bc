// SPDX-License-Identifier: BSD-3-Clause
#include "transport/shm/launch.hpp"

#include <unistd.h>

#include <cstdio>
#include <iostream>
#include <string>

#include "os/cpu.hpp"
#include "os/descriptor.hpp"
#include "os/memory.hpp"
#include "os/process.hpp"
#include "os/supervisor.hpp"
#include "transport/host/host_memory.hpp"

namespace windrow::transport {

namespace {

// A PE that has joined the job and ends without saying good-bye leaves the others waiting for it.
std::string fault_of_success(const host_memory& memory, pe_t pe) {
  const auto state = memory.control(pe).state.load();
  if (memory.job().over.load() != 0) return "";
  if (state != pe_state::running && state != pe_state::failed) return "";
  return "left the job without finalizing it (exit called?)";
}

// Lets those notice who wait for the PE. The launcher's own end of the job follows only if the PE has failed:
// one that has never joined may have been right to end.
void mark_gone(const host_memory& memory, pe_t gone) {
  if (memory.job().over.load() != 0) return;
  const bool may = may_end(memory.control(gone).state.load());
  memory.set_state(gone, may ? pe_state::finalized : pe_state::failed);
  for (pe_t pe = 0; pe < static_cast<pe_t>(memory.shape().pes); ++pe) memory.control(pe).bell.ring();
}

// What was printed before the fork would otherwise be printed by every PE. The job may be a global variable,
// and made before the streams.
void flush_output() {
  static const std::ios_base::Init streams;
  std::cout.flush();
  std::clog.flush();
  std::fflush(nullptr);
}

} // namespace

membership launch(const launch_plan& plan) {
  os::open_standard_descriptors();
  const auto segment = segment_of(plan.heap_bytes, plan.pes);
  const geometry shape(plan.pes, segment);
  os::descriptor file(os::create_shared_memory(shape.total, false));
  // The launcher needs the control words only, and not at the PEs' address.
  std::byte* const words = os::map_shared_memory(file.get(), shape.slots, nullptr);
  const host_memory memory(words, shape);
  memory.job().magic = layout_version();
  memory.job().processors = static_cast<std::uint32_t>(os::usable_cpus()); // before PEs are bound to one each

  flush_output();
  os::supervisor supervisor({plan.tag_output, [memory](int pe) { return fault_of_success(memory, pe); },
                             [memory] { return memory.job().over.load() != 0; },
                             [memory](int pe) { mark_gone(memory, pe); }});
  for (pe_t pe = 0; pe < plan.pes; ++pe) {
    if (!supervisor.start()) continue;
    os::unmap(words, shape.slots);
    return {file.release(), pe, plan.pes, segment};
  }
  ::_exit(supervisor.watch());
}

} // namespace windrow::transport
