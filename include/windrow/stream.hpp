// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <concepts>
#include <cstdint>
#include <exception>
#include <memory>
#include <span>
#include <utility>

#include "windrow/detail/message_kind.hpp"
#include "windrow/job.hpp"
#include "windrow/types.hpp"

namespace windrow {

/// A typed stream of small items between all PEs, in the manner of conveyors (Maley and DeVinney, "Conveyors
/// for streaming many-to-many communication", IA3 2019): `send` appends an item to a block for its
/// destination, and there `handler(std::span<const T> batch, pe_t from)` is given whole batches, in place.
/// Items from one PE to another are handled in the order in which its main code has sent them, in that in
/// which each task has, and in that in which its handlers have; otherwise in any order. Batches are handled
/// one at a time, inside library calls of the owner's own thread.
/// This is what mailboxes (`mailbox.hpp`) are made of, without their epochs: for programs that want to say
/// themselves when all is handled.
///
/// A handler may be called before the constructor has returned, since other PEs may have left theirs and
/// sent: what it uses must be there by then. The stream itself is.
///
/// A handler may send, on any stream, may use contexts and may start tasks, and wait for them with `finish`;
/// it must not wait for anything else (completion, barriers, collectives) and must not throw. What it sends
/// while no block is free is kept aside, up to WINDROW_SPILL_LIMIT.
///
/// Construction and destruction are collective, in the same order on all PEs; destruction implies `barrier`.
/// Not so while an exception unwinds: nothing is waited for then, and items that this PE has not handled yet
/// are dropped. A program that goes on after that must have left the stream in that way on all PEs. Tasks may
/// send, on any worker, all at a time (task.hpp); the rest is for the PE's own thread. T is at most 512
/// bytes; its alignment at most 16.
template <transferable T>
class stream final {
 public:
  template <std::invocable<std::span<const T>, pe_t> Handler>
  stream(job& j, Handler handler)
      : job_(j),
        handler_(std::make_shared<Handler>(std::move(handler))),
        kind_(j, sizeof(T), handle<Handler>, handler_.get()) {
    static_assert(sizeof(T) <= 512 && alignof(T) <= 16);
    job_.barrier(); // nobody may send before everybody can handle
  }
  ~stream() { kind_.leave(std::uncaught_exceptions() > exceptions_); }
  stream(const stream&) = delete;
  stream& operator=(const stream&) = delete;

  /// Sends `item` to `to` (this PE included). Returns at once, or when the pool of blocks has room again.
  /// Handlers may run meanwhile; the item is copied first.
  void send(pe_t to, const T& item) {
    kind_.require_pe(to);
    kind_.append(static_cast<unsigned>(to), item);
  }

  /// Collective: returns when all items sent by any PE, and all that handlers sent in turn, have been
  /// handled, and all tasks have ended (task.hpp).
  void barrier() { kind_.quiesce(); }
  /// Does not compile: `quiet` is local in OpenSHMEM, and was collective here.
  template <class Deleted = void>
  auto quiet() {
    static_assert(
        !std::same_as<Deleted, void>,
        "stream::quiet() is now barrier(), which is collective, as it was; drain() waits for the items "
        "of this stream alone, and context::complete_own() for what this PE has sent");
  }

  /// Collective: returns when all items sent by any PE on this stream, and all that its handlers sent on it
  /// in turn, have been handled. It waits for nothing else: other streams, contexts, deferred code and tasks
  /// may go on; what they send on this stream meanwhile may be handled later.
  void drain() { kind_.drain(job_.world()); }
  /// Drains the items that members of the team have sent to members. Collective over the team.
  void drain(const team& members) { kind_.drain(members); }

 private:
  template <class Handler>
  static void handle(aggregation::run_header& run, const aggregation::work& w, void* handler) noexcept {
    const std::span batch(reinterpret_cast<const T*>(run.items()), run.count);
    (*static_cast<Handler*>(handler))(batch, w.from);
  }

  job& job_;
  std::shared_ptr<void> handler_; ///< whatever its type is
  detail::message_kind kind_;
  int exceptions_ = std::uncaught_exceptions(); ///< of code that this stream is no part of
};

} // namespace windrow
