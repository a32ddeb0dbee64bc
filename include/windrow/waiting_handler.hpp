// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <concepts>
#include <exception>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

#include "windrow/task.hpp"
#include "windrow/types.hpp"

namespace windrow {

/// A handler that may wait, made by `may_wait`.
template <class Handler>
class waiting_handler {
 public:
  static constexpr bool may_wait = true;

  explicit waiting_handler(Handler handler) : owners_(std::make_shared<owned>(std::move(handler))) {}

  template <class T>
    requires std::invocable<Handler&, const T&> || std::invocable<Handler&, const T&, pe_t>
  void operator()(std::span<const T> batch, pe_t from) {
    for (const T& item : batch)
      spawn_at(communication_worker, tasks::name_of_handlers, [called = owners_->called, item, from] {
        (void)from; // not every handler takes it
        if (called->dropped) return;
        if constexpr (std::is_invocable_v<Handler&, const T&, pe_t>)
          called->handler(item, from);
        else
          called->handler(item);
      });
  }

 private:
  /// What calls share, which may outlive the stream or mailbox.
  struct callee {
    explicit callee(Handler h) : handler(std::move(h)) {}

    Handler handler;
    bool dropped = false; ///< what has not begun does not begin
  };
  /// What copies of this object share. An exception drops what has not begun with the last of them.
  struct owned {
    explicit owned(Handler h) : called(std::make_shared<callee>(std::move(h))) {}
    ~owned() { called->dropped = std::uncaught_exceptions() > exceptions; }
    owned(const owned&) = delete;
    owned& operator=(const owned&) = delete;

    std::shared_ptr<callee> called;
    int exceptions = std::uncaught_exceptions();
  };

  std::shared_ptr<owned> owners_;
};

/// Declares that a handler of messages may wait. It is called for each item, as `handler(item)` or
/// `handler(item, from)`, in a light thread on the communication worker:
///
///   windrow::stream<query> queries(job, windrow::may_wait([&](const query& q, windrow::pe_t from) {
///     const auto row = ctx.get(rows[q.row]).get();        // this handler waits, others go on
///     answers.send(from, answer_to(q, row));
///   }));
///
/// Each call has a copy of its item, so the block that brought it goes home at once. Calls begin in the order
/// of arrival, and another one runs only while one waits: so data of the PE needs no lock where no wait lies
/// between. They begin where the PE waits for tasks, and, when more than 4096 have not begun, wherever
/// messages are handled. Senders are not held back for those that wait, each of which keeps a page. They may
/// use all of the job; the barrier of a context waits for them, `drain` does not. Where an exception leaves
/// the stream, or the scope of the mailbox, those that have not begun are dropped; those that have go on. For
/// streams, and for mailboxes of items of fixed size.
template <class Handler>
waiting_handler<Handler> may_wait(Handler handler) {
  return waiting_handler<Handler>(std::move(handler));
}

} // namespace windrow
