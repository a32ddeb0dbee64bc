// SPDX-License-Identifier: BSD-3-Clause
#include "aggregation/range_fetch.hpp"

#include <fmt/format.h>

#include "aggregation/engine.hpp"
#include "base/fatal.hpp"
#include "windrow/detail/notes.hpp"
#include "windrow/detail/range_fetch.hpp"
#include "windrow/detail/round_up.hpp"

namespace windrow::aggregation {

namespace {

/// What travels there; it takes at least as much room as the elements that come back.
struct range_item {
  std::uint64_t offset; ///< in the owner's segment
  std::uint32_t bytes;
  std::uint32_t width; ///< of an element
};
/// What the sender remembers about it, in no more room.
class range_note {
 public:
  range_note() = default;
  range_note(std::byte* out, std::uint32_t bytes, range_listener listener)
      : out_and_bytes_(reinterpret_cast<std::uintptr_t>(out) | std::uint64_t{bytes} << note_address_bits),
        listener_(listener) {}

  std::byte* out() const { return address_of(out_and_bytes_); }
  std::uint32_t bytes() const { return static_cast<std::uint32_t>(out_and_bytes_ >> note_address_bits); }
  range_listener listener() const { return listener_; }

 private:
  std::uint64_t out_and_bytes_;
  range_listener listener_ = nullptr;
};
static_assert(sizeof(range_item) % range_unit == 0 && sizeof(range_note) == sizeof(range_item));

/// Of the elements that one item asks for: so a block that is nearly full is not sent with much unused.
constexpr std::uint32_t largest_answer = 2048;

/// How far ahead, in items, the owner fetches elements into its cache.
constexpr int prefetch_distance = 4;

std::uint32_t room_for(std::uint32_t bytes) {
  return std::max<std::uint32_t>(sizeof(range_item), detail::round_up(bytes, range_unit));
}

template <class T>
T load(const std::byte* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

/// Goes ahead of those that are overwritten.
class lookahead {
 public:
  lookahead(const std::byte* first, const std::byte* end, const std::byte* segment)
      : at_(first), end_(end), segment_(segment) {
    for (int i = 0; i < prefetch_distance; ++i) next();
  }
  void next() {
    if (at_ == end_) return;
    const auto item = load<range_item>(at_);
    prefetch_range(segment_ + item.offset, item.bytes);
    at_ += room_for(item.bytes);
  }

 private:
  const std::byte* at_;
  const std::byte* end_;
  const std::byte* segment_;
};

} // namespace

void read_ranges(run_header& run, const work& w, void*) {
  auto* at = run.items();
  const auto* const end = at + std::size_t{run.count} * range_unit;
  lookahead ahead(at, end, w.segment);
  while (at != end) {
    const auto item = load<range_item>(at);
    ahead.next();
    copy_elements(at, w.segment + item.offset, item.bytes, item.width);
    at += room_for(item.bytes);
  }
}

void deliver_ranges(run_header& run, const std::byte* notes) {
  const auto* const items = run.items();
  const std::size_t end = std::size_t{run.count} * range_unit;
  for (std::size_t at = 0; at != end;) {
    const auto note = load<range_note>(notes + at);
    std::memcpy(note.out(), items + at, note.bytes());
    note.listener().piece_is_there(note.bytes());
    at += room_for(note.bytes());
  }
}

void range_listener::piece_is_there(std::uint32_t bytes) const {
  if (counter_or_waiter_ == 0) return;
  if ((counter_or_waiter_ & is_waiter) == 0) {
    --counter();
    return;
  }
  auto& waiter = *reinterpret_cast<range_waiter*>(counter_or_waiter_ & ~is_waiter);
  waiter.left -= bytes;
  if (waiter.left == 0) waiter.all_there(waiter);
}

void bad_alignment(std::uint64_t offset, std::uint32_t width) {
  base::fatal(fmt::format("get: offset {} is not a multiple of the elements' {} bytes", offset, width));
}

range_fetch::range_fetch(lanes& by, pe_t owner, std::uint64_t offset, std::size_t bytes, std::uint32_t width,
                         std::byte* out, range_listener listener)
    : by_(by), owner_(owner), width_(width), offset_(offset), left_(bytes), out_(out), listener_(listener) {}

std::size_t range_fetch::largest_piece() const {
  return std::min(by_.largest_item(), largest_answer);
}

writer& range_fetch::make_room() {
  auto& open = by_.range_writer(owner_);
  const auto room = room_for(next_piece());
  return open.has_room(room) ? open : by_.make_room(range_kind, owner_, 0, room);
}

void range_fetch::append(writer& w) {
  const auto bytes = next_piece();
  const range_item item{offset_, bytes, width_};
  const range_note note(out_, bytes, listener_);
  listener_.piece_leaves();
  auto* const place = w.take(room_for(bytes));
  std::memcpy(place, &item, sizeof item);
  std::memcpy(w.note_of(place), &note, sizeof note);
  offset_ += bytes;
  out_ += bytes;
  left_ -= bytes;
}

} // namespace windrow::aggregation
