// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <memory>
#include <optional>

#include "os/descriptor.hpp"
#include "transport/host/heap_size.hpp"
#include "transport/host/host_memory.hpp"
#include "transport/transport.hpp"

namespace windrow::transport {

/// All that a process must know to become a PE of a job on this host.
struct membership {
  int memory_fd;
  pe_t pe;
  pe_t pes;
  segment_size segment;

  /// Hands it over to the program that this process is going to execute, in the environment variable
  /// WINDROW_JOB.
  void pass_on() const;
};

/// Of the layout of the memory that PEs share: programs built with different ones must not meet.
std::uint64_t layout_version();

/// The membership that was passed on to this program, if any. Removes it from the environment, so that
/// programs which this one starts do not take it for theirs. Throws windrow::error if it is not for a program
/// like this.
std::optional<membership> take_membership();

/// The memory of a job as this PE has it, and the file that it belongs to.
struct job_memory {
  host_memory mapped;
  std::shared_ptr<const os::descriptor> file;
};
/// Maps the memory. Programs that this process starts do not get the descriptor. Throws windrow::error.
job_memory enter(const membership&);

/// Becomes the PE of a launcher of ours, whose end will be the end of this process. Throws windrow::error.
std::unique_ptr<transport> join(const membership&);

} // namespace windrow::transport
