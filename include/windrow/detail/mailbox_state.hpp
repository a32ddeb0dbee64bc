// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "windrow/detail/message_kind.hpp"
#include "windrow/detail/variable_items.hpp"
#include "windrow/types.hpp"

namespace windrow::detail {

/// Where a mailbox is in a run, on one PE.
enum class mailbox_phase : std::uint8_t {
  outside, ///< no run: nobody sends
  open,    ///< everybody sends
  done,    ///< the body sends no more, handlers do
  over,    ///< nobody sends until the next run
  left,    ///< by an exception, for good
};

/// One mailbox on one PE: its kind in the engine, what handles the items, and who may send.
class mailbox_state {
 public:
  mailbox_state(job&, std::size_t unit_bytes, aggregation::run_function, std::shared_ptr<void> receiver);

  mailbox_phase phase() const { return phase_; }
  void enter(mailbox_phase);
  /// An exception leaves a run.
  void abandon();

  template <class T>
  void send_from_body(pe_t to, const T& item) {
    std::size_t place = static_cast<unsigned>(to);
    if (place >= body_reach_) [[unlikely]]
      place = require_leave(to);
    append(place, item);
  }
  template <class T>
  void send_from_handler(pe_t to, const T& item) {
    const std::size_t place = static_cast<unsigned>(to);
    if (place >= handler_reach_) [[unlikely]]
      require_leave(to); // mostly the same PE for a whole run, so where it is kept costs nothing
    append(place, item);
  }
  /// To the sender of what is being handled. No comparison: that PE exists, and a stage ends with quiescence,
  /// after which no writer has room. So only where room is made can the stage be over.
  template <class T>
  void reply_from_handler(pe_t to, const T& item) {
    if constexpr (variable_item<T>)
      send_from_handler(to, item);
    else
      kind_.append_in_handler(static_cast<unsigned>(to), item, [this, to] {
        if (handler_reach_ == 0) require_leave(to);
      });
  }

  /// Collective over the members, or over all PEs if that is null: returns when no item is under way between
  /// them.
  void drain(const team* members) const;

  std::uint32_t number() const { return kind_.number(); }
  /// Ends the job if an exception has left a run.
  void require_usable() const;

 private:
  template <class T>
  void append(std::size_t to, const T& item) {
    if constexpr (variable_item<T>)
      append_variable(kind_, large_items_, to, item);
    else
      kind_.append(to, item);
  }
  /// Ends the job unless an item may be sent to `to` now. Returns that, so that no register need hold it
  /// meanwhile.
  std::size_t require_leave(pe_t to) const;

  job& job_;
  std::shared_ptr<void> receiver_; ///< whatever its type is
  message_kind kind_;
  mailbox_phase phase_ = mailbox_phase::outside;
  std::size_t body_reach_ = 0;    ///< the body may send to the PEs below: all or none
  std::size_t handler_reach_ = 0; ///< the same for handlers
  std::atomic<std::uint64_t> large_items_ = 0;
};

// The collective parts of a selector's life; selector.hpp says what they mean. `all` are its mailboxes.
void begin_run(job&, std::span<mailbox_state> all);
void body_done(mailbox_state&);
void complete_stages(job&, std::span<mailbox_state> first);
void end_run(job&, std::span<mailbox_state> all);
/// Local: an exception leaves the run.
void abandon_run(std::span<mailbox_state> all);

} // namespace windrow::detail
