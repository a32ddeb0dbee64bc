// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "apps/kernels/kmers/kmer.hpp"

namespace windrow::apps {

/// How often each k-mer was counted: a hash table of one PE, open addressing with linear probing, that
/// doubles when it is two thirds full. Places come from the low bits of the hash; owners come from the high
/// ones.
class kmer_table {
 public:
  kmer_table() : slots_(1024) {}

  void count(kmer k) {
    auto& found = slot_of(k);
    found.key = k;
    if (found.count++ == 0 && ++used_ > slots_.size() / 3 * 2) grow();
  }
  std::uint64_t operator[](kmer k) { return slot_of(k).count; }
  std::uint64_t size() const { return used_; }
  void clear() { *this = {}; }

  /// Calls `visit(kmer, count)` for each, in no order.
  template <class Visit>
  void for_each(Visit visit) const {
    for (const auto& s : slots_) {
      if (s.count != 0) visit(s.key, s.count);
    }
  }

 private:
  struct slot {
    kmer key;
    std::uint64_t count; ///< 0: free
  };

  /// Where k is, or where it belongs.
  slot& slot_of(kmer k) {
    const auto mask = slots_.size() - 1;
    auto place = kmer_hash(k) & mask;
    while (slots_[place].count != 0 && slots_[place].key != k) place = (place + 1) & mask;
    return slots_[place];
  }

  void grow() {
    const auto old = std::exchange(slots_, std::vector<slot>(2 * slots_.size()));
    for (const auto& s : old) {
      if (s.count != 0) slot_of(s.key) = s;
    }
  }

  std::vector<slot> slots_; ///< a power of two of them
  std::uint64_t used_ = 0;
};

} // namespace windrow::apps
