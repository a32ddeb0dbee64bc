// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>

#include "windrow/detail/lanes.hpp"
#include "windrow/job.hpp"
#include "windrow/types.hpp"

namespace windrow {

namespace detail {

/// The part of a stream that does not depend on the type of its items.
class stream_base {
 public:
  stream_base(job&, std::size_t item_bytes);
  stream_base(const stream_base&) = delete;
  stream_base& operator=(const stream_base&) = delete;

  virtual void handle(const void* items, std::uint32_t count, pe_t from) = 0;

 protected:
  ~stream_base() = default;
  void open();
  void close();
  void complete();

  job& job_;
  aggregation::lanes& lanes_;
  aggregation::kind_id kind_;
  std::uint32_t number_; ///< for diagnosis
};

} // namespace detail

/// A typed stream of small items between all PEs, in the manner of conveyors (Maley and DeVinney, "Conveyors
/// for streaming many-to-many communication", IA3 2019): `send` appends an item to a block for its
/// destination, and there `handler(std::span<const T> batch, pe_t from)` is given whole batches, in place.
/// Items may be handled in any order. Batches are handled one at a time, inside library calls of the owner.
///
/// A handler may send, on any stream, may use contexts and may start tasks, and wait for them with `finish`;
/// it must not wait for anything else (quiet, barrier, collectives) and must not throw. What it sends while
/// no block is free is kept aside, up to WINDROW_SPILL_LIMIT.
///
/// Construction and destruction are collective, in the same order on all PEs; destruction implies `quiet`.
/// One thread of a PE at a time. T is at most 512 bytes; its alignment at most 16.
template <transferable T>
class stream final : private detail::stream_base {
 public:
  template <std::invocable<std::span<const T>, pe_t> Handler>
  stream(job& j, Handler handler) : stream_base(j, sizeof(T)), handler_(std::move(handler)) {
    static_assert(sizeof(T) <= 512 && alignof(T) <= 16);
    open();
  }
  ~stream() { close(); }

  /// Sends `item` to `to` (this PE included). Returns at once, or when the pool of blocks has room again.
  void send(pe_t to, const T& item) { lanes_.append_item(kind_, to, item); }

  /// Collective: returns when all items sent by any PE, and all that handlers sent in turn, have been
  /// handled, and all tasks have ended (task.hpp).
  void quiet() { complete(); }

 private:
  void handle(const void* items, std::uint32_t count, pe_t from) noexcept override {
    handler_(std::span<const T>(static_cast<const T*>(items), count), from);
  }

  std::function<void(std::span<const T>, pe_t)> handler_; ///< called once per batch
};

} // namespace windrow
