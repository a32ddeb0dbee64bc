// SPDX-License-Identifier: BSD-3-Clause
// The user-defined kinds of a PE, which all its workers send.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "aggregation/run.hpp"
#include "os/zeroed_array.hpp"
#include "pgas/strided_pes.hpp"
#include "windrow/detail/operations.hpp"
#include "windrow/detail/writer.hpp"
#include "windrow/types.hpp"

namespace windrow::aggregation {

inline bool is_user_defined(kind_id kind) {
  return kind >= builtin_kinds && kind < first_own_function;
}

/// Closed at first, as a writer of zeros is.
using writers_by_pe = os::zeroed_array<writer>;

/// What each sender of the PE knows of a kind of its own: where the next items go, and how many have left.
struct user_kind {
  kind_entry entry;
  writers_by_pe writers;                             ///< a row for nobody, then one for each sender, by PE
  os::zeroed_array<std::atomic<std::uint64_t>> sent; ///< items: the same
  os::zeroed_array<std::uint64_t> handled;           ///< items on this PE, by the PE that has sent them
};

/// Kinds are added and removed by the PE's own thread, while other threads use those that they know of: what
/// is in the table stays where it is.
class user_kinds {
 public:
  user_kinds(int senders, pe_t pes)
      : senders_(static_cast<std::size_t>(senders)), pes_(static_cast<std::size_t>(pes)) {}

  /// The number may be one that was removed before.
  kind_id add(const kind_entry&);
  /// The number will be used again.
  void remove(kind_id);

  bool any() const { return count_ > free_.size(); }

  user_kind& at(kind_id kind) const {
    const auto place = kind - builtin_kinds;
    return chunks_[place / chunk_kinds][place % chunk_kinds];
  }
  /// The writers of one sender, by PE.
  writer* writers_of(kind_id kind, int sender) const {
    return writers_of_nobody(kind) + static_cast<std::size_t>(1 + sender) * pes_;
  }
  /// Those of threads that are no senders, always closed.
  writer* writers_of_nobody(kind_id kind) const { return at(kind).writers.data(); }
  /// Bytes from these to the writers of a sender, of any kind.
  std::ptrdiff_t row_of(int sender) const {
    return static_cast<std::ptrdiff_t>(static_cast<std::size_t>(1 + sender) * pes_ * sizeof(writer));
  }
  void count_sent(kind_id kind, int sender, pe_t to, std::uint32_t items) {
    auto& sent = at(kind).sent[static_cast<std::size_t>(sender) * pes_ + static_cast<std::size_t>(to)];
    sent.store(sent.load(std::memory_order_relaxed) + items, std::memory_order_relaxed);
  }
  /// Items that all senders have sent so far to these PEs, and that have been handled of theirs.
  std::uint64_t sent(kind_id, const pgas::strided_pes&) const;
  std::uint64_t handled(kind_id, const pgas::strided_pes&) const;

 private:
  static constexpr kind_id chunk_kinds = 64, most_chunks = 1024;

  kind_id new_number();

  std::size_t senders_;
  std::size_t pes_;
  std::array<std::unique_ptr<user_kind[]>, most_chunks> chunks_;
  kind_id count_ = 0;         ///< numbers that have been given out
  std::vector<kind_id> free_; ///< the one that was removed last is used first
};

} // namespace windrow::aggregation
