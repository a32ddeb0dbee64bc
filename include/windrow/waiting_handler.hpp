// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <concepts>
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

  explicit waiting_handler(Handler handler) : handler_(std::make_shared<Handler>(std::move(handler))) {}

  template <class T>
    requires std::invocable<Handler&, const T&> || std::invocable<Handler&, const T&, pe_t>
  void operator()(std::span<const T> batch, pe_t from) {
    for (const T& item : batch)
      spawn_at(communication_worker, tasks::name_of_handlers, [handler = handler_, item, from] {
        if constexpr (std::is_invocable_v<Handler&, const T&, pe_t>)
          (*handler)(item, from);
        else
          (*handler)(item);
      });
  }

 private:
  std::shared_ptr<Handler> handler_;
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
/// between. They may use all of the job; the barrier of a context waits for them. For streams, and for
/// mailboxes of items of fixed size.
template <class Handler>
waiting_handler<Handler> may_wait(Handler handler) {
  return waiting_handler<Handler>(std::move(handler));
}

} // namespace windrow
