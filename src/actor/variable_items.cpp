// SPDX-License-Identifier: BSD-3-Clause
#include "windrow/detail/variable_items.hpp"

#include <fmt/format.h>

#include <new>

#include "base/fatal.hpp"
#include "base/options.hpp"

namespace windrow::detail {

namespace {

/// What a fragment begins with.
struct fragment_header {
  std::uint64_t number; ///< of the item, among the large ones of its sender
  std::uint64_t bytes;  ///< of the whole item
  std::uint64_t offset; ///< of this fragment in it
};

std::unique_ptr<std::byte[]> memory_for(std::size_t bytes, pe_t from) {
  auto* memory = new (std::nothrow) std::byte[bytes];
  if (memory == nullptr)
    base::fatal(fmt::format("mailbox: no memory for an item of {} from PE {}; send smaller items",
                            base::format_size(bytes), from));
  return std::unique_ptr<std::byte[]>(memory);
}

} // namespace

void send_fragments(message_kind& kind, std::uint32_t unit, std::uint64_t number, std::size_t to,
                    const std::byte* item, std::size_t bytes) {
  const std::size_t room = (kind.largest() - unit - sizeof(fragment_header)) / unit * unit;
  for (std::size_t offset = 0; offset < bytes; offset += room) {
    const fragment_header header{number, bytes, offset};
    const auto length = std::min(room, bytes - offset);
    const auto content = static_cast<std::uint32_t>(sizeof header + length);
    std::byte* place =
        kind.append_space(to, static_cast<std::uint32_t>(unit + round_up<std::size_t>(content, unit)));
    store_length(place, content | fragment_flag);
    std::memcpy(place + unit, &header, sizeof header);
    std::memcpy(place + unit + sizeof header, item + offset, length);
  }
}

std::optional<assembly::item> assembly::add(pe_t from, const std::byte* fragment, std::uint32_t bytes) {
  fragment_header header;
  std::memcpy(&header, fragment, sizeof header);
  const auto length = bytes - sizeof header;
  const auto [found, is_new] = parts_.try_emplace({from, header.number});
  auto& [whole, missing] = found->second;
  if (is_new) {
    whole = {memory_for(header.bytes, from), header.bytes};
    missing = header.bytes;
  }
  std::memcpy(whole.content.get() + header.offset, fragment + sizeof header, length);
  missing -= length;
  if (missing > 0) return {};
  auto complete = std::move(whole);
  parts_.erase(found);
  return complete;
}

} // namespace windrow::detail
