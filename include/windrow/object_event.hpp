// SPDX-License-Identifier: BSD-3-Clause
// Messages to mobile objects that wait for signals.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "windrow/mobile.hpp"

namespace windrow {

namespace mobile {

[[noreturn]] void refuse_signal();
[[noreturn]] void refuse_null_event();

/// A message that is kept until it has been signalled so often: an object like others, which signals find.
struct kept_message {
  object_id self = 0, target = 0;
  std::uint64_t left = 0; ///< signals
  std::uint64_t shares = 0;
  std::vector<std::byte> body{};

  /// Its time would have another unit than the loads that classes of the program tell.
  static double load() { return 0; }
  void signal() {
    if (left == 0) refuse_signal();
    if (--left == 0) deliver();
  }
  void deliver() const {
    auto& c = this_core();
    const auto write = [&](std::byte* place) { std::memcpy(place, body.data(), body.size()); };
    c.send(target, what::message, body.size(), write, shares != 0);
    mobile_ptr<kept_message>(self).destroy();
  }
};

// It travels by its own means, where there is no cereal, too.

inline void save(const kept_message& m, std::vector<std::byte>& to) {
  const std::uint64_t head[] = {m.self, m.target, m.left, m.shares};
  append_bytes(to, head, sizeof head);
  append_bytes(to, m.body.data(), m.body.size());
}
inline void load(kept_message& m, std::span<const std::byte> from) {
  std::uint64_t head[4];
  std::memcpy(head, from.data(), sizeof head);
  m = {head[0], head[1], head[2], head[3], {from.begin() + sizeof head, from.end()}};
}

} // namespace mobile

/// An event that signals make true, from any PE: then a message is delivered to an object. 8 bytes that mean
/// the same on every PE and may travel in messages.
class object_event {
 public:
  object_event() = default;
  explicit object_event(mobile::object_id id) : id_(id) {}
  bool operator==(const object_event&) const = default;

  /// One of the signals that it waits for; where `send` may be called. It is a message, and handled as those
  /// to objects are. One more than the event was made for, or one for a null event, ends the job with a
  /// sentence.
  void signal() const {
    if (id_ == 0) [[unlikely]]
      mobile::refuse_null_event();
    mobile_ptr<mobile::kept_message>(id_).send<&mobile::kept_message::signal>();
  }

 private:
  mobile::object_id id_ = 0;
};
template <>
inline constexpr bool is_transferable<object_event> = true;

/// Sends `to` the message `Function(args…)` once the event that it gives has been signalled `signals` times,
/// on whichever PEs: `auto ready = send_after<&region::refine>(all[7], 2, 0.1)`. With 0 signals it is sent at
/// once, and the event is null. Nothing is said about its order and that of other messages. An event that is
/// not signalled often enough keeps its message for ever; `run` and `barrier` do not wait for it. To be
/// called where `send` may be.
template <auto Function, class T, class... Args>
object_event send_after(mobile_ptr<T> to, std::uint64_t signals, const Args&... args) {
  using method = mobile::method<T, Function>;
  if (!to) mobile::refuse_null();
  if (signals == 0) {
    to.template send<Function>(args...);
    return {};
  }
  auto& core = mobile::this_core();
  const auto serial = core.reserve(1);
  const auto self = core.id_of(serial);
  auto* const kept = new mobile::cell_of<mobile::kept_message>(
      mobile::kept_message{self, to.id(), signals, method::shares ? std::uint64_t{1} : std::uint64_t{0},
                           method::bytes_of(args...)});
  core.create(serial, kept);
  return object_event(self);
}

} // namespace windrow
