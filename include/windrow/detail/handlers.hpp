// SPDX-License-Identifier: BSD-3-Clause
// From a run of items to the calls of their handler: one instantiation per handler, so that the handler is
// inlined into the loop over the run.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

#include "windrow/detail/mailbox_state.hpp"

namespace windrow::detail {

/// The forms of a handler for single items, in the order in which they are tried. Those with a courier come
/// first, so that it may be declared `auto&`.
template <class Handler, class Courier, class T>
inline constexpr bool takes_item =
    std::disjunction_v<std::is_invocable<Handler&, Courier&, const T&>,
                       std::is_invocable<Handler&, Courier&, const T&, pe_t>,
                       std::is_invocable<Handler&, const T&>, std::is_invocable<Handler&, const T&, pe_t>>;

template <class Handler, class Courier, class T>
inline constexpr bool takes_batch =
    std::disjunction_v<std::is_invocable<Handler&, Courier&, std::span<const T>, pe_t>,
                       std::is_invocable<Handler&, std::span<const T>, pe_t>>;

template <class Handler, class Courier, class T>
void hand_over_item(Handler& handler, Courier& out, const T& item, [[maybe_unused]] pe_t from) {
  if constexpr (std::is_invocable_v<Handler&, Courier&, const T&>)
    handler(out, item);
  else if constexpr (std::is_invocable_v<Handler&, Courier&, const T&, pe_t>)
    handler(out, item, from);
  else if constexpr (std::is_invocable_v<Handler&, const T&>)
    handler(item);
  else if constexpr (std::is_invocable_v<Handler&, const T&, pe_t>)
    handler(item, from);
}

template <class Handler, class Courier, class T>
void hand_over_batch(Handler& handler, Courier& out, std::span<const T> batch, pe_t from) {
  if constexpr (std::is_invocable_v<Handler&, Courier&, std::span<const T>, pe_t>)
    handler(out, batch, from);
  else if constexpr (std::is_invocable_v<Handler&, std::span<const T>, pe_t>)
    handler(batch, from);
}

/// A handler and what it needs. `handle` is what the engine calls.
template <class Handler, class Courier, class T>
class receiver {
 public:
  static constexpr std::size_t unit_bytes = sizeof(T);

  receiver(Handler handler, typename Courier::mailboxes* group)
      : handler_(std::move(handler)), group_(group) {
    static_assert(takes_item<Handler, Courier, T> || takes_batch<Handler, Courier, T>,
                  "a handler takes an item (T), an item and its sender (T, pe_t), or a batch and its sender "
                  "(std::span<const T>, pe_t); before them it may take a courier&");
  }

  static void handle(aggregation::run_header& run, const aggregation::work& w, void* object) noexcept {
    auto& self = *static_cast<receiver*>(object);
    Courier out(*self.group_, w.from);
    const std::span batch(reinterpret_cast<const T*>(run.items()), run.count);
    if constexpr (takes_item<Handler, Courier, T>)
      for (const T& item : batch) hand_over_item(self.handler_, out, item, w.from);
    else
      hand_over_batch(self.handler_, out, batch, w.from);
  }

 private:
  Handler handler_;
  typename Courier::mailboxes* group_; ///< of the selector
};

template <class Handler, class Courier, variable_item View>
class receiver<Handler, Courier, View> {
 public:
  static constexpr std::size_t unit_bytes = unit_of<View>;

  receiver(Handler handler, typename Courier::mailboxes* group)
      : handler_(std::move(handler)), group_(group) {
    static_assert(
        !requires { Handler::may_wait; },
        "a handler of items of any size cannot be declared by may_wait: let it copy what it needs "
        "and spawn a light thread");
    static_assert(takes_item<Handler, Courier, View>,
                  "a handler of items of any size takes an item (T), or an item and its sender (T, pe_t); "
                  "before them it may take a courier&");
  }

  static void handle(aggregation::run_header& run, const aggregation::work& w, void* object) noexcept {
    auto& self = *static_cast<receiver*>(object);
    Courier out(*self.group_, w.from);
    const auto whole = [&](const std::byte* content, std::size_t bytes) {
      hand_over_item(self.handler_, out, view(content, bytes), w.from);
    };
    for_each_variable(run, unit_of<View>, whole, [&](const std::byte* content, std::uint32_t bytes) {
      if (const auto item = self.assembly_.add(w.from, content, bytes))
        whole(item->content.get(), item->bytes);
    });
  }

 private:
  using value = typename viewed<View>::value;
  static View view(const std::byte* content, std::size_t bytes) {
    return View(reinterpret_cast<const value*>(content), bytes / sizeof(value));
  }

  Handler handler_;
  typename Courier::mailboxes* group_;
  assembly assembly_;
};

/// One mailbox of a selector, with the handler given.
template <class Courier, class T, class Handler>
mailbox_state make_mailbox(job& j, Handler handler, typename Courier::mailboxes* group) {
  using receiver = detail::receiver<Handler, Courier, T>;
  return mailbox_state(j, receiver::unit_bytes, receiver::handle,
                       std::make_shared<receiver>(std::move(handler), group));
}

} // namespace windrow::detail
