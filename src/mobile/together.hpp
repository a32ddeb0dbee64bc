// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <exception>
#include <span>
#include <string>

#include "windrow/error.hpp"
#include "windrow/team.hpp"

namespace windrow::mobile {

/// Collective: calls `work`, which runs the user's code, on all members. What it throws on one, all throw, as
/// windrow::error.
template <class Work>
void together(const team& members, Work work) {
  std::string failure;
  try {
    work();
  } catch (const std::exception& e) { // the user's code may throw what it likes
    failure = *e.what() != 0 ? e.what() : "an exception without a text";
  } catch (...) {
    failure = "an exception that is none of the standard library's";
  }
  const auto pes = static_cast<std::size_t>(members.pes());
  const auto failed = members.allgather(static_cast<std::uint8_t>(failure.empty() ? 0 : 1));
  const auto first = static_cast<std::size_t>(std::ranges::find(failed, 1) - failed.begin());
  if (first == pes) return;
  std::array<char, 400> sentence{};
  failure.copy(sentence.data(), sentence.size() - 1);
  members.broadcast(std::span<char>(sentence), static_cast<pe_t>(first));
  throw error(failure.empty() ? sentence.data() : failure);
}

} // namespace windrow::mobile
