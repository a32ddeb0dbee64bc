// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "windrow/detail/inline.hpp"

namespace windrow::mobile {

/// Records by their `id`, which is never 0: open addressing, so that a look-up is mostly one cache line. An
/// insertion moves records.
template <class Record>
class id_map {
 public:
  WINDROW_INLINE Record* find(std::uint64_t id) {
    auto* const slots = slots_.data();
    for (std::size_t at = start(id);; at = (at + 1) & mask()) {
      if (slots[at].id == id) return &slots[at];
      if (slots[at].id == 0) return nullptr;
    }
  }
  const Record* find(std::uint64_t id) const { return const_cast<id_map*>(this)->find(id); }
  /// For an id that is not there.
  Record& insert(const Record& r) {
    if (4 * ++size_ > 3 * slots_.size()) grow();
    return place(r);
  }
  /// Removes those for which `gone(record)`, and the room that they had.
  template <class Gone>
  void erase_if(Gone gone) {
    const auto stays = [&](const Record& r) { return r.id != 0 && !gone(r); };
    size_ = static_cast<std::size_t>(std::ranges::count_if(slots_, stays));
    auto bits = first_bits;
    while (2 * size_ > std::size_t{1} << bits) ++bits;
    const auto old = std::exchange(slots_, std::vector<Record>(std::size_t{1} << bits));
    shift_ = 64 - bits;
    for (const auto& r : old)
      if (stays(r)) place(r);
  }
  template <class Visit>
  void for_each(Visit visit) {
    for (auto& r : slots_)
      if (r.id != 0) visit(r);
  }
  template <class Visit>
  void for_each(Visit visit) const {
    for (const auto& r : slots_)
      if (r.id != 0) visit(r);
  }
  std::size_t size() const { return size_; }

 private:
  std::size_t mask() const { return slots_.size() - 1; }
  // Multiplication spreads neighbouring numbers (Knuth's multiplicative hashing).
  std::size_t start(std::uint64_t id) const {
    return static_cast<std::size_t>(id * 0x9e3779b97f4a7c15 >> shift_);
  }
  Record& place(const Record& r) {
    auto at = start(r.id);
    while (slots_[at].id != 0) at = (at + 1) & mask();
    return slots_[at] = r;
  }
  void grow() {
    auto old = std::exchange(slots_, std::vector<Record>(2 * slots_.size()));
    --shift_;
    for (const auto& r : old)
      if (r.id != 0) place(r);
  }

  static constexpr int first_bits = 4;

  std::vector<Record> slots_ = std::vector<Record>(std::size_t{1} << first_bits);
  int shift_ = 64 - first_bits; ///< leaves as many bits of a product as a place has
  std::size_t size_ = 0;
};

} // namespace windrow::mobile
