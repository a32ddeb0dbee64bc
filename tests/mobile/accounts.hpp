// SPDX-License-Identifier: BSD-3-Clause
// Objects that meet in multicasts: what they give each other is not lost.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace windrow::test {

struct account {
  std::uint64_t index = 0;
  std::int64_t balance = 1000;
  std::uint64_t meetings = 0, notes = 0, wrong = 0;

  void note() { ++notes; }
};

inline void transfer(account& from, account& to, std::int64_t amount, std::string_view text) {
  from.balance -= amount;
  to.balance += amount;
  ++from.meetings, ++to.meetings;
  from.wrong += text != "a transfer";
}
/// The first one gets a part of each.
inline void collect(std::span<account* const> all, std::uint64_t first, std::int64_t part) {
  all.front()->wrong += all.front()->index != first;
  for (auto* a : all) {
    ++a->meetings;
    a->balance -= part;
    all.front()->balance += part;
  }
}

} // namespace windrow::test
