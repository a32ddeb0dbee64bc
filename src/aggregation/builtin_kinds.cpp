// SPDX-License-Identifier: BSD-3-Clause
// The owner's side of the built-in operations.
#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <utility>

#include "aggregation/range_fetch.hpp"
#include "aggregation/run.hpp"
#include "windrow/detail/apply.hpp"
#include "windrow/detail/notes.hpp"

namespace windrow::aggregation {

namespace {

/// What an item has, or else its run.
template <verb V, form F, class T>
void read_operands(const item<V, F, T>& value, T constant, T* operands) {
  constexpr auto count = item_layout<V, F, T>::operands;
  if constexpr (count == 0)
    operands[0] = constant;
  else if constexpr (replies(V))
    std::memcpy(operands, value.operand, count * sizeof(T));
  else
    operands[0] = value.operand;
}

template <class Access, verb V, form F, class T>
T execute(T& place, const item<V, F, T>& value, [[maybe_unused]] T constant) {
  if constexpr (V == verb::fetch) return std::atomic_ref<T>(place).load(std::memory_order_relaxed);
  T operands[2];
  read_operands<V, F, T>(value, constant, operands);
  return apply_to<Access, V, T>(place, operands);
}

template <class Access, verb V, form F, class T>
void apply_items(run_header& run, std::byte* segment) {
  using item_type = item<V, F, T>;
  auto* places = reinterpret_cast<T*>(segment);
  const T constant = from_bits<T>(run.operand);
  const auto place_of = [=](const std::byte* at) {
    return &places[reinterpret_cast<const item_type*>(at)->index];
  };
  for_each_item<V>(run.items(), run.count, sizeof(item_type), place_of, [=](std::byte* at) {
    const auto& value = *reinterpret_cast<const item_type*>(at);
    const T old = execute<Access, V, F, T>(places[value.index], value, constant);
    if constexpr (replies(V)) std::memcpy(at, &old, sizeof old);
  });
}

template <verb V, form F, class T>
void apply(run_header& run, const work& w, void*) {
  with_access(w, [&](auto access) { apply_items<typename decltype(access)::type, V, F, T>(run, w.segment); });
}

// What is delivered are bytes: the functions that follow exist once for each size of a value and of its item,
// whatever the verb, form and type.

template <std::size_t Value>
void deliver_stretch(const stretch_note& s, const std::byte* replies, std::size_t size) {
  auto* slot = s.slot;
#pragma GCC unroll 4
  for (std::uint32_t i = 0; i < s.items; ++i, slot += s.distance, replies += size)
    std::memcpy(slot, replies, Value);
}

std::uint64_t note_at(const std::byte* notes) {
  std::uint64_t note;
  std::memcpy(&note, notes, sizeof note);
  return note;
}

// Replies with one counter, as those that follow one another mostly have: from the item at `at`, whose note
// is counted, up to the first with another. Returns where that is. Most of the work is to see that it is
// still the same one, so that is asked once for several.
template <std::size_t Value, std::size_t Size>
std::size_t deliver_counted(const std::byte* notes, const std::byte* replies, std::size_t at,
                            std::size_t bytes) {
  constexpr std::size_t together = 4;
  auto* const counter = address_of(note_at(notes + at));
  const auto same = address_bits_of(note_at(notes + at));
  const auto first = at;
  const auto deliver_at = [&](std::size_t item) {
    std::memcpy(counter + distance_of(note_at(notes + item)), replies + item, Value);
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

template <std::size_t Value, std::size_t Size>
void deliver(run_header& run, const std::byte* notes) {
  const auto* const replies = run.items();
  const std::size_t bytes =
      run.count * Size; // what is stored below could be the header, for all the compiler knows
  for (std::size_t at = 0; at < bytes;) {
    const auto note = note_at(notes + at);
    if (is_stretch(note)) {
      const auto s = load_stretch(notes + at);
      deliver_stretch<Value>(s, replies + at, Size);
      at += s.items * Size;
    } else if (is_counted(note)) {
      at = deliver_counted<Value, Size>(notes, replies, at, bytes);
    } else {
      std::memcpy(address_of(note), replies + at, Value);
      at += Size;
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
    if constexpr (replies(V)) entry.deliver = deliver<sizeof(T), sizeof(item<V, F, T>)>;
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
