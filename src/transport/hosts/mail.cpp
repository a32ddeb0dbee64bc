// SPDX-License-Identifier: BSD-3-Clause
#include "transport/hosts/mail.hpp"

#include <cstring>
#include <utility>

#include "windrow/detail/round_up.hpp"

namespace windrow::transport {

outgoing_mail::letter outgoing_mail::fresh() {
  letter made;
  if (spare_.empty()) {
    made.text = std::make_unique_for_overwrite<std::byte[]>(letter_bytes);
  } else {
    made.text = std::move(spare_.back());
    spare_.pop_back();
  }
  return made;
}

std::byte* outgoing_mail::append(const record& r) {
  const auto bytes = sizeof r + detail::round_up(std::size_t{r.bytes}, std::size_t{8});
  if (waiting_.empty() || waiting_.back().bytes + bytes > letter_bytes) waiting_.push_back(fresh());
  auto& last = waiting_.back();
  auto* const place = last.text.get() + last.bytes;
  last.bytes += bytes;
  std::memcpy(place, &r, sizeof r);
  return place + sizeof r;
}

bool outgoing_mail::send() {
  bool any = false;
  while (!under_way_.empty() && net_.is_sent(under_way_.front().number)) {
    spare_.push_back(std::move(under_way_.front().text));
    under_way_.pop_front();
    any = true;
  }
  while (!waiting_.empty() && under_way_.size() < most_under_way) {
    auto& next = waiting_.front();
    next.number = net_.send(rank_, next.text.get(), next.bytes);
    under_way_.push_back(std::move(next));
    waiting_.pop_front();
    any = true;
  }
  return any;
}

} // namespace windrow::transport
