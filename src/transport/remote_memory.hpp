// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "windrow/detail/atomic_change.hpp"
#include "windrow/detail/copy.hpp"
#include "windrow/detail/direct_operation.hpp"
#include "windrow/types.hpp"

namespace windrow::transport {

/// Writes of one PE that travel together: changes, or, where there are none, the bytes of a put.
struct write_batch {
  pe_t to;
  std::span<const detail::placed_change> changes;
  std::uint64_t offset; ///< of the put
  std::span<const std::byte> bytes;
};

/// A read of a PE, one of several that travel together.
struct read_piece {
  pe_t of;
  std::uint64_t offset;
  std::byte* to;
  std::size_t bytes;
};

/// Carries out direct operations on symmetric memory, by PE and offset, where the caller does not do so
/// itself by load and store. What is asked for exists. Operations that are still under way when a call
/// returns (it says so) are complete after `complete`. Any thread may make any call.
class remote_memory {
 public:
  using until = detail::until;

  virtual ~remote_memory() = default;

  /// True if the operation is under way.
  virtual bool put(pe_t, std::uint64_t offset, const void* from, std::size_t bytes, until) = 0;
  virtual bool get(pe_t, std::uint64_t offset, void* to, std::size_t bytes, until) = 0;
  virtual bool put_strided(pe_t, std::uint64_t offset, const void* from, const detail::strides&, until);
  virtual bool get_strided(pe_t, std::uint64_t offset, void* to, const detail::strides&, until);
  /// Complete when it returns; the value before.
  virtual std::uint64_t change(pe_t, std::uint64_t offset, const detail::atomic_change&) = 0;
  /// True if it is under way. The value before, of `bytes` bytes, is or will be at `before`, unless that is
  /// null.
  virtual bool begin_change(pe_t, std::uint64_t offset, const detail::atomic_change&, void* before,
                            std::size_t bytes) = 0;
  /// Several at one PE, in their order, of which no value before is wanted. True if any is under way.
  virtual bool change_many(pe_t, std::span<const detail::placed_change>);
  /// Batches of several PEs, those of each in their order; none waits for the answer to another one. Their
  /// sources may be used again when it returns. True if any is under way.
  virtual bool write_together(std::span<const write_batch>);
  /// Several of several PEs, none of which waits for the answer to another one. True if any is under way.
  virtual bool read_together(std::span<const read_piece>);
  /// Whether a put at this PE that need not be complete is under way when its call returns, so that the
  /// caller goes on meanwhile.
  virtual bool begins_puts(pe_t) const { return true; }
  /// Whether operations of this PE on one PE happen in the order in which they were issued.
  virtual bool keeps_order() const { return true; }
  /// What is under way happens, at each target, before what is asked for from now on.
  virtual void fence() = 0;
  /// What is under way is complete when it returns. True: that may have taken a round trip.
  virtual bool complete() = 0;
  /// What the caller may take for done, though it has been kept (transport/bulk), is done, as far as it would
  /// have been when its own call returned. False: nothing is under way.
  virtual bool settle() { return true; }
  /// Whether it is told where phases begin.
  virtual bool has_phases() const { return false; }
  /// A synchronisation that was called at `site` has ended. True: there is something that `settle` ends.
  virtual bool begin_phase(const void*) { return false; }
  /// Called again and again while the PE waits, which does not sleep after true: something is under way that
  /// happens only by these calls.
  virtual bool progress() { return false; }
};

} // namespace windrow::transport
