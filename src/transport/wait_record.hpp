// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstdint>

namespace windrow::transport {

/// Why a PE waits. The numbers travel between processes of one build only.
enum class wait_kind : std::uint32_t {
  none,
  barrier,
  collective,
  quiet_context,
  quiet_stream,
  mailboxes,
  free_block,
  spill,
  value,
  lock,
  tasks,
  deferred,
};

/// A PE's current wait, written only once a wait turns out to be long, so that a stalled job can say who
/// waits for what. Single writer; readers in other processes may see a mixture of two waits, which is good
/// enough for a diagnosis.
struct alignas(64) wait_record {
  std::atomic<wait_kind> kind;
  std::atomic<std::int32_t> target;      ///< the PE waited for, or -1
  std::atomic<std::uint32_t> object;     ///< number of the team, context, stream or mailbox
  std::atomic<std::uint32_t> open_lanes; ///< lanes with items not yet sent
  std::atomic<std::uint32_t> in_flight;  ///< blocks sent and not yet home
  std::atomic<std::int32_t> holder;      ///< the PE that holds the most of them, or -1
  std::atomic<std::uint32_t> spilled;    ///< blocks waiting in the spill
  std::atomic<std::uint64_t> since_ns;
  std::atomic<std::uint64_t> call; ///< the call's name, by os::image_offset; 0: not known
  std::atomic<std::uint64_t> site; ///< where the call returns to, likewise
};

} // namespace windrow::transport
