// SPDX-License-Identifier: BSD-3-Clause
// The owner's side of the built-in operations.
#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <utility>

#include "aggregate/range_fetch.hpp"
#include "aggregate/run.hpp"
#include "windrow/detail/atomic_access.hpp"
#include "windrow/detail/notes.hpp"
#include "windrow/detail/plain_access.hpp"

namespace windrow::aggregation {

namespace {

// How far ahead the places of a run are fetched into the cache. Atomic instructions do not overlap, so their
// cache misses would otherwise be paid one after the other; plain ones overlap by themselves up to the size
// of the processor's window, which this widens.
constexpr std::uint32_t prefetch_distance = 32;

template <class Access, verb V, form F, class T>
T execute(T& place, const item<V, F, T>& value, [[maybe_unused]] T constant) {
  constexpr auto operands = item_layout<V, F, T>::operands;
  if constexpr (V == verb::fetch)
    return std::atomic_ref<T>(place).load(std::memory_order_relaxed);
  else if constexpr (V == verb::compare_swap)
    return Access::template compare_swap<T>(place, value.operand[0], value.operand[1]);
  else if constexpr (operands == 0)
    return Access::template change<V, T>(place, constant);
  else if constexpr (replies(V))
    return Access::template change<V, T>(place, value.operand[0]);
  else
    return Access::template change<V, T>(place, value.operand);
}

template <class Access, verb V, form F, class T>
void apply_items(run_header& run, std::byte* segment) {
  using item_type = item<V, F, T>;
  auto* places = reinterpret_cast<T*>(segment);
  auto* items = reinterpret_cast<item_type*>(run.items());
  const T constant = from_bits<T>(run.operand);
  const auto one = [&](item_type& value) {
    const T old = execute<Access, V, F, T>(places[value.index], value, constant);
    if constexpr (replies(V)) std::memcpy(&value, &old, sizeof old);
  };
  const auto ahead = run.count > prefetch_distance ? run.count - prefetch_distance : 0;
#pragma GCC unroll 8
  for (std::uint32_t i = 0; i < ahead; ++i) {
    __builtin_prefetch(&places[items[i + prefetch_distance].index], V != verb::fetch);
    one(items[i]);
  }
  for (std::uint32_t i = ahead; i < run.count; ++i) one(items[i]);
}

template <verb V, form F, class T>
void apply(run_header& run, const work& w, void*) {
  if (w.exclusive)
    apply_items<plain_access, V, F, T>(run, w.segment);
  else
    apply_items<atomic_access, V, F, T>(run, w.segment);
}

template <class T>
void deliver_stretch(const stretch_note& s, const std::byte* replies, std::size_t size) {
  auto* slot = s.slot;
#pragma GCC unroll 4
  for (std::uint32_t i = 0; i < s.items; ++i, slot += s.distance, replies += size)
    std::memcpy(slot, replies, sizeof(T));
}

std::uint64_t note_at(const std::byte* notes) {
  std::uint64_t note;
  std::memcpy(&note, notes, sizeof note);
  return note;
}

// Replies with one counter, as those that follow one another mostly have: from the item at `at`, whose note
// is counted, up to the first with another. Returns where that is. Most of the work is to see that it is
// still the same one, so that is asked once for several.
template <class T, std::size_t Size>
std::size_t deliver_counted(const std::byte* notes, const std::byte* replies, std::size_t at,
                            std::size_t bytes) {
  constexpr std::size_t together = 4;
  auto* const counter = address_of(note_at(notes + at));
  const auto same = address_bits_of(note_at(notes + at));
  const auto first = at;
  const auto deliver_at = [&](std::size_t item) {
    std::memcpy(counter + distance_of(note_at(notes + item)), replies + item, sizeof(T));
  };
  const auto differs = [&](std::size_t item) {
    return address_bits_of(note_at(notes + item) ^ same >> (64 - note_address_bits));
  };
  for (; at + together * Size <= bytes; at += together * Size) {
    if ((differs(at) | differs(at + Size) | differs(at + 2 * Size) | differs(at + 3 * Size)) != 0) break;
    for (std::size_t i = 0; i < together; ++i) deliver_at(at + i * Size);
  }
  for (; at < bytes && differs(at) == 0; at += Size) deliver_at(at);
  std::uint32_t pending;
  std::memcpy(&pending, counter, sizeof pending);
  pending -= static_cast<std::uint32_t>((at - first) / Size);
  std::memcpy(counter, &pending, sizeof pending);
  return at;
}

template <verb V, form F, class T>
void deliver(run_header& run, const std::byte* notes) {
  constexpr auto size = sizeof(item<V, F, T>);
  const auto* const replies = run.items();
  const std::size_t bytes =
      run.count * size; // what is stored below could be the header, for all the compiler knows
  for (std::size_t at = 0; at < bytes;) {
    const auto note = note_at(notes + at);
    if (is_stretch(note)) {
      const auto s = load_stretch(notes + at);
      deliver_stretch<T>(s, replies + at, size);
      at += s.items * size;
    } else if (is_counted(note)) {
      at = deliver_counted<T, size>(notes, replies, at, bytes);
    } else {
      std::memcpy(address_of(note), replies + at, sizeof(T));
      at += size;
    }
  }
}

template <verb V, form F, class T>
constexpr bool exists =
    !(std::is_floating_point_v<T> && integers_only<V>) && !(F == form::constant && operands_of(V) == 2);

using kind_table = std::array<kind_entry, builtin_kinds>;

template <verb V, form F, class T>
constexpr void enter(kind_table& table) {
  if constexpr (exists<V, F, T>) {
    auto& entry = table[kind_of<V, T>(F)];
    entry.apply = apply<V, F, T>;
    if constexpr (replies(V)) entry.deliver = deliver<V, F, T>;
    entry.item_bytes = sizeof(item<V, F, T>);
    entry.gated = true;
  }
}

template <verb V, class T>
constexpr void enter_forms(kind_table& table) {
  enter<V, form::constant, T>(table);
  enter<V, form::varying, T>(table);
  enter<V, form::wide, T>(table);
}

template <class T, std::size_t... V>
constexpr void enter_verbs(kind_table& table, std::index_sequence<V...>) {
  (enter_forms<static_cast<verb>(V), T>(table), ...);
}

template <class... T>
constexpr kind_table make_table() {
  kind_table table{};
  (enter_verbs<T>(table, std::make_index_sequence<verbs>{}), ...);
  table[range_kind] = {
      .apply = read_ranges, .deliver = deliver_ranges, .item_bytes = range_unit, .gated = true};
  return table;
}

constexpr kind_table table =
    make_table<std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t, float, double>();

} // namespace

const kind_entry& builtin_kind(kind_id kind) {
  return table[kind];
}

} // namespace windrow::aggregation
