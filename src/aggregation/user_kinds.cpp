// SPDX-License-Identifier: BSD-3-Clause
#include "aggregation/user_kinds.hpp"

#include <fmt/format.h>

#include "base/fatal.hpp"

namespace windrow::aggregation {

kind_id user_kinds::add(const kind_entry& entry) {
  const auto kind = new_number();
  at(kind) = {.entry = entry,
              .writers = writers_by_pe((1 + senders_) * pes_),
              .sent = os::zeroed_array<std::atomic<std::uint64_t>>(senders_ * pes_),
              .handled = os::zeroed_array<std::uint64_t>(pes_)};
  return kind;
}

kind_id user_kinds::new_number() {
  if (!free_.empty()) {
    const auto kind = free_.back();
    free_.pop_back();
    return kind;
  }
  if (count_ == chunk_kinds * most_chunks)
    base::fatal(fmt::format(
        "there are already {} streams and mailboxes, the most that a job can have at one time", count_));
  auto& chunk = chunks_[count_ / chunk_kinds];
  if (chunk == nullptr) chunk = std::make_unique<user_kind[]>(chunk_kinds);
  return builtin_kinds + count_++;
}

void user_kinds::remove(kind_id kind) {
  at(kind).writers = {};
  free_.push_back(kind);
}

std::uint64_t user_kinds::sent(kind_id kind, const pgas::strided_pes& to) const {
  std::uint64_t all = 0;
  for (std::size_t s = 0; s < senders_; ++s)
    for (pe_t m = 0; m < to.size; ++m)
      all += at(kind).sent[s * pes_ + static_cast<std::size_t>(to.at(m))].load(std::memory_order_relaxed);
  return all;
}

std::uint64_t user_kinds::handled(kind_id kind, const pgas::strided_pes& from) const {
  std::uint64_t all = 0;
  for (pe_t m = 0; m < from.size; ++m) all += at(kind).handled[static_cast<std::size_t>(from.at(m))];
  return all;
}

} // namespace windrow::aggregation
