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
  /// What is under way happens, at each target, before what is asked for from now on.
  virtual void fence() = 0;
  virtual void complete() = 0;
  /// Called again and again while the PE waits, which does not sleep after true: something is under way that
  /// happens only by these calls.
  virtual bool progress() { return false; }
};

} // namespace windrow::transport
