// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <functional>
#include <span>
#include <tuple>
#include <utility>

#include "windrow/detail/handlers.hpp"
#include "windrow/detail/mailbox_state.hpp"
#include "windrow/detail/senders.hpp"
#include "windrow/job.hpp"
#include "windrow/types.hpp"

namespace windrow {

/// What may be sent to a mailbox: plain bytes of at most 512, or `std::span<const U>` or `std::string_view`
/// of any size. Alignment is at most 16.
template <class T>
concept mailbox_item = detail::variable_item<T> // text travels as std::string_view, elements as std::span
                       || (transferable<T> && sizeof(T) <= 512 && alignof(T) <= 16);

/// What a handler may do besides computing: send on and reply. It has nothing that waits, so a handler that
/// keeps to it cannot deadlock. It is made for one call of a handler and must not be kept.
template <mailbox_item... Ts>
class courier final : public detail::senders<courier<Ts...>, std::index_sequence_for<Ts...>, Ts...> {
  using by_type = detail::senders<courier, std::index_sequence_for<Ts...>, Ts...>;

 public:
  using mailboxes = std::array<detail::mailbox_state, sizeof...(Ts)>;

  courier(mailboxes& group, pe_t from) : mailboxes_(group), from_(from) {}
  courier(const courier&) = delete;
  courier& operator=(const courier&) = delete;

  template <std::size_t I>
  using item = std::tuple_element_t<I, std::tuple<Ts...>>;

  /// Sends to the mailbox of the item's type. Never waits: what finds no free block is kept aside, up to
  /// WINDROW_SPILL_LIMIT.
  using by_type::send;
  /// Sends to mailbox I, otherwise as above.
  template <std::size_t I>
  void send(pe_t to, const item<I>& value) {
    mailboxes_[I].send_from_handler(to, value);
  }
  /// Sends to the PE that sent what is being handled.
  using by_type::reply;
  template <std::size_t I>
  void reply(const item<I>& value) {
    mailboxes_[I].reply_from_handler(from_, value);
  }

 private:
  mailboxes& mailboxes_;
  pe_t from_;
};

/// A group of mailboxes, one for each of the item types Ts (a type may occur several times), after the actors
/// of the FA-BSP model (Paul, Hayashi, Chen and Sarkar, "A Scalable Actor-based Programming System for PGAS
/// Runtimes", 2021). Messages travel through the aggregation engine as the operations of contexts do.
///
/// *Handlers*, one per mailbox, take an item (T), an item and its sender (T, pe_t), or a batch of items of
/// one sender, in place (std::span<const T>, pe_t); each form may begin with the courier, `auto& out`,
/// through which it sends on. The item's type is to be written out. A handler of a PE runs in library calls
/// of that PE, between the beginning and the end of `run`, one at a time: it needs no lock and no atomics for
/// the PE's own data. Items arrive exactly once. Those of one mailbox from one PE to another are handled in
/// the order in which the body has sent them, and in that in which handlers have; otherwise in any order. A
/// handler may also use aggregated contexts and, through what it captures, other selectors in their `run`. It
/// must not wait (completion, barriers, collectives, run, complete), which ends the job, and must not throw.
/// Views that it is given are valid while it runs.
///
/// *Items of any size* (std::span<const U>, std::string_view) are handled in place if they fit into a block
/// (16 KiB in small jobs, at least 1 KiB). Larger ones travel in fragments and are put together at their
/// owner, in memory of their size from their first fragment to the end of their handler.
///
/// *Memory* is bounded as for contexts: a body that sends faster than others handle waits in `send`, and
/// serves its inbox meanwhile. What handlers send never waits; a PE that cannot get rid of it handles no more
/// while others work on it, and the job ends with a sentence if more than WINDROW_SPILL_LIMIT finds no way
/// out.
///
/// *Construction and destruction* are local, in the same order on all PEs.
///
/// *Tasks* of a body, or of a handler, may send too, on any worker and all at a time (task.hpp); they count
/// as the body. Those of a body must end with it: put a `finish` around them. Everything else is for the PE's
/// own thread. Misuse (a PE that is not there, sending outside `run` or to a mailbox that is done) ends the
/// job with a sentence.
template <mailbox_item... Ts>
class selector final : public detail::senders<selector<Ts...>, std::index_sequence_for<Ts...>, Ts...> {
  using by_type = detail::senders<selector, std::index_sequence_for<Ts...>, Ts...>;

 public:
  template <std::size_t I>
  using item = std::tuple_element_t<I, std::tuple<Ts...>>;

  /// `handlers` in the order of the mailboxes.
  template <class... Handlers>
    requires(sizeof...(Handlers) == sizeof...(Ts))
  explicit selector(job& j, Handlers... handlers)
      : job_(j),
        mailboxes_{detail::make_mailbox<courier<Ts...>, Ts>(j, std::move(handlers), &mailboxes_)...} {}
  selector(const selector&) = delete;
  selector& operator=(const selector&) = delete;

  /// Collective: an epoch. Begins when every PE has come, runs `body`, which sends, and returns when the body
  /// of every PE has ended and every message, those that handlers sent in turn included, has been handled.
  /// Nothing else is under way either: operations that bodies or handlers issued on contexts have happened
  /// and their results are there. Runs of different selectors may be nested, in the same way on all PEs.
  ///
  /// An exception that leaves `body` leaves `run` at once. The selector cannot be used any more, and messages
  /// that this PE has not handled yet are dropped. A program that goes on after that must have left the run
  /// in that way on all PEs.
  template <std::invocable Body>
  void run(Body&& body) {
    detail::begin_run(job_, mailboxes_);
    try {
      std::invoke(std::forward<Body>(body));
    } catch (...) { // the other PEs may be anywhere
      detail::abandon_run(mailboxes_);
      throw;
    }
    detail::end_run(job_, mailboxes_);
  }

  /// In a body: sends to the mailbox that takes the item's type. Returns at once, or when there is room
  /// again. Handlers may run before it returns: what an item of any size refers to must stay as it is; one of
  /// fixed size is copied first.
  using by_type::send;
  /// Sends to mailbox I, otherwise as above.
  template <std::size_t I>
  void send(pe_t to, const item<I>& value) {
    mailboxes_[I].send_from_body(to, value);
  }

  /// In a body: it sends no more to mailbox I in this run (handlers may). The end of the body says so for
  /// all.
  template <std::size_t I>
  void done() {
    static_assert(I < sizeof...(Ts), "this selector has no mailbox of that number");
    detail::body_done(mailboxes_[I]);
  }
  template <class T>
  void done() {
    done<detail::index_of<T, Ts...>()>();
  }
  void done()
    requires(sizeof...(Ts) == 1)
  {
    done<0>();
  }

  /// Collective, in a body: returns when the stage of mailbox I is over, here and everywhere. Every message
  /// sent so far has been handled, by whom and to which mailbox whatever, and nobody sends to the mailboxes
  /// up to I any more in this run. What follows may use the results, and send to later mailboxes.
  template <std::size_t I>
  void complete() {
    static_assert(I < sizeof...(Ts), "this selector has no mailbox of that number");
    detail::complete_stages(job_, std::span(mailboxes_).template first<I + 1>());
  }
  template <class T>
  void complete() {
    complete<detail::index_of<T, Ts...>()>();
  }

  /// Collective: returns when every message sent so far to mailbox I, by any PE, and all that its handler
  /// sent to it in turn, have been handled. The mailbox stays open, and nothing else is waited for: other
  /// mailboxes, contexts, deferred code and tasks may go on; what they send to this mailbox meanwhile may be
  /// handled later.
  template <std::size_t I>
  void drain() {
    mailbox_at<I>().drain(nullptr);
  }
  template <class T>
  void drain() {
    drain<detail::index_of<T, Ts...>()>();
  }
  void drain()
    requires(sizeof...(Ts) == 1)
  {
    drain<0>();
  }
  /// Drains messages that members of the team have sent to members. Collective over the team.
  template <std::size_t I>
  void drain(const team& members) {
    mailbox_at<I>().drain(&members);
  }
  template <class T>
  void drain(const team& members) {
    drain<detail::index_of<T, Ts...>()>(members);
  }
  void drain(const team& members)
    requires(sizeof...(Ts) == 1)
  {
    drain<0>(members);
  }

 private:
  template <std::size_t I>
  detail::mailbox_state& mailbox_at() {
    static_assert(I < sizeof...(Ts), "this selector has no mailbox of that number");
    return mailboxes_[I];
  }

  job& job_;
  typename courier<Ts...>::mailboxes mailboxes_;
};

} // namespace windrow
