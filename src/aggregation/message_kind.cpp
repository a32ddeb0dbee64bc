// SPDX-License-Identifier: BSD-3-Clause
#include "windrow/detail/message_kind.hpp"

#include "aggregation/engine.hpp"
#include "pgas/owner_process.hpp"
#include "pgas/synchronization.hpp"

namespace windrow::detail {

static constexpr transport::wait_kind for_stream{.text = "the items of stream {object} to be handled",
                                                 .suspends = true};

message_kind::message_kind(job& j, std::size_t unit_bytes, aggregation::run_function apply, void* object)
    : job_(j),
      lanes_(j.engine().items()),
      id_(j.engine().add_kind(
          {.apply = apply, .object = object, .item_bytes = static_cast<std::uint32_t>(unit_bytes)})),
      pes_(static_cast<unsigned>(j.pes())),
      largest_(lanes_.largest_item()),
      writers_(j.engine().kinds().writers_of_nobody(id_)) {}

aggregation::writer& message_kind::make_room(const aggregation::writer* full, std::uint32_t bytes) {
  return aggregation::lanes_of_thread->make_room(id_, static_cast<pe_t>(full - row()), 0, bytes);
}

message_kind::~message_kind() {
  if (!abandoned_) job_.engine().remove_kind(id_);
}

void message_kind::abandon() {
  if (abandoned_) return;
  abandoned_ = true;
  job_.engine().close_kind(id_);
}

void message_kind::leave(bool unwinding) {
  const bool closed = job_.map().bytes == 0; // by `finalize`, which has waited for all messages
  if (unwinding || closed || pgas::in_forked_child())
    abandon();
  else
    quiesce();
}

void message_kind::quiesce() const {
  const pgas::synchronization call(job_.core(), {"stream::barrier", __builtin_return_address(0)}, number());
  job_.engine().quiesce(job_.world(), {for_stream, -1, number()});
}

void message_kind::drain(const team& members) const {
  const pgas::synchronization call(job_.core(), {"drain", __builtin_return_address(0)}, number());
  job_.engine().drain(id_, members, {for_stream, -1, number()});
}

} // namespace windrow::detail
