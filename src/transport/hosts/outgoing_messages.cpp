// SPDX-License-Identifier: BSD-3-Clause
#include "transport/hosts/outgoing_messages.hpp"

#include <cstring>
#include <utility>

#include "windrow/detail/round_up.hpp"

namespace windrow::transport {

record to_pe(record_kind kind, pe_t from, pe_t to) {
  record r{};
  r.kind = kind;
  r.from = from;
  r.to = to;
  return r;
}

record read_record(const std::byte* text) {
  record r{};
  std::memcpy(&r, text, wire_bytes(record_kind::bye));
  std::memcpy(&r, text, wire_bytes(r.kind));
  return r;
}

outgoing_messages::message outgoing_messages::fresh() {
  message made;
  if (spare_.empty()) {
    made.text = std::make_unique_for_overwrite<std::byte[]>(message_bytes);
  } else {
    made.text = std::move(spare_.back());
    spare_.pop_back();
  }
  return made;
}

void outgoing_messages::keep(std::unique_ptr<std::byte[]> text) {
  if (spare_.size() < most_spare) spare_.push_back(std::move(text));
}

std::byte* outgoing_messages::append(const record& r) {
  const auto head = wire_bytes(r.kind);
  const auto bytes = head + detail::round_up(std::size_t{r.bytes}, std::size_t{8});
  if (waiting_.empty() || waiting_.back().bytes + bytes > message_bytes) waiting_.push_back(fresh());
  auto& last = waiting_.back();
  auto* const place = last.text.get() + last.bytes;
  last.bytes += bytes;
  last.full = message_bytes - last.bytes < bytes;
  if (r.kind == record_kind::home)
    last.urgent |= ++last.homes == homes_together;
  else
    last.urgent |= r.kind != record_kind::block;
  std::memcpy(place, &r, head);
  return place + head;
}

// Blocks wait for company while a message is under way, as in Nagle's algorithm (RFC 896).
bool outgoing_messages::may_leave(bool all) const {
  if (waiting_.empty() || under_way_.size() >= most_under_way) return false;
  const auto& next = waiting_.front();
  return waiting_.size() > 1 || next.full || next.urgent || (all && under_way_.empty());
}

bool outgoing_messages::send(bool all) {
  bool any = false;
  while (!under_way_.empty() && net_.is_sent(under_way_.front().number)) {
    keep(std::move(under_way_.front().text));
    under_way_.pop_front();
    any = true;
  }
  while (may_leave(all)) {
    auto& next = waiting_.front();
    next.number = net_.send(rank_, next.text.get(), next.bytes);
    under_way_.push_back(std::move(next));
    waiting_.pop_front();
    any = true;
  }
  return any;
}

} // namespace windrow::transport
