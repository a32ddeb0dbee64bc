// SPDX-License-Identifier: BSD-3-Clause
// Items of any size in a run: each is a length, in a unit of its own, and the bytes, filled up to whole
// units. What is larger than a block travels in fragments.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "windrow/detail/message_kind.hpp"
#include "windrow/detail/round_up.hpp"
#include "windrow/types.hpp"

namespace windrow::detail {

template <class T>
struct viewed {
  using value = void;
};
template <transferable T>
  requires(alignof(T) <= 16)
struct viewed<std::span<const T>> {
  using value = T;
};
template <>
struct viewed<std::string_view> {
  using value = char;
};

/// Types of items of any size.
template <class T>
concept variable_item = !std::is_void_v<typename viewed<T>::value>;

template <variable_item View>
inline constexpr std::uint32_t unit_of =
    std::max<std::uint32_t>(sizeof(std::uint32_t), alignof(typename viewed<View>::value));

inline constexpr std::uint32_t fragment_flag = std::uint32_t{1} << 31; ///< in the length: not a whole item

inline void store_length(std::byte* at, std::uint32_t length) {
  std::memcpy(at, &length, sizeof length);
}

/// Sends `bytes`, too many for one block, as fragments of the sender's large item number `number`.
void send_fragments(message_kind&, std::uint32_t unit, std::uint64_t number, std::size_t to,
                    const std::byte* item, std::size_t bytes);

/// Appends an item; `large_items` counts those in fragments.
template <variable_item View>
void append_variable(message_kind& kind, std::atomic<std::uint64_t>& large_items, std::size_t to, View item) {
  constexpr auto unit = unit_of<View>;
  const auto bytes = item.size() * sizeof(typename viewed<View>::value);
  if (bytes + std::size_t{2} * unit > kind.largest()) [[unlikely]] // the length, and filling up
    return send_fragments(kind, unit, large_items.fetch_add(1, std::memory_order_relaxed), to,
                          reinterpret_cast<const std::byte*>(item.data()), bytes);
  std::byte* place =
      kind.append_space(to, static_cast<std::uint32_t>(unit + round_up<std::size_t>(bytes, unit)));
  store_length(place, static_cast<std::uint32_t>(bytes));
  if (bytes > 0) std::memcpy(place + unit, item.data(), bytes);
}

/// Calls `whole(content, bytes)` or `fragment(content, bytes)` for each item of a run.
template <class Whole, class Fragment>
void for_each_variable(aggregation::run_header& run, std::uint32_t unit, Whole whole, Fragment fragment) {
  const std::byte* at = run.items();
  const std::byte* end = at + std::size_t{run.count} * unit;
  while (at != end) {
    std::uint32_t length;
    std::memcpy(&length, at, sizeof length);
    const auto bytes = length & ~fragment_flag;
    at += unit;
    if (length == bytes) [[likely]]
      whole(at, bytes);
    else
      fragment(at, bytes);
    at += round_up<std::size_t>(bytes, unit);
  }
}

/// Makes fragments whole items again. Those of one item arrive in order, mixed with those of others. Holds
/// the items that have begun to arrive.
class assembly {
 public:
  struct item {
    std::unique_ptr<std::byte[]> content;
    std::size_t bytes;
  };
  /// The item, if this was the last fragment of it.
  std::optional<item> add(pe_t from, const std::byte* fragment, std::uint32_t bytes);

 private:
  struct part {
    item whole;
    std::size_t missing;
  };
  std::map<std::pair<pe_t, std::uint64_t>, part> parts_; ///< by sender and its number
};

} // namespace windrow::detail
