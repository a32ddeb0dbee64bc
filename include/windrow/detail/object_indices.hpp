// SPDX-License-Identifier: BSD-3-Clause
// What all PEs know of the indices of a collection: which there are, and which object each one is.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "windrow/detail/mobile_protocol.hpp"
#include "windrow/types.hpp"

namespace windrow::mobile {

/// Neighbours in a collection that were made on one PE.
struct block {
  std::uint64_t first; ///< index
  object_id id_of_0;   ///< that object 0 would have if it were one of them
};

struct object_type;

/// The indices of a collection. From one barrier to the next all PEs have the same.
struct index_set {
  static constexpr std::uint64_t none = ~std::uint64_t{0};

  const object_type* type = nullptr;   ///< of its objects; null: it has ended
  std::vector<block> blocks;           ///< of those that it began with, by the PE that made them; behind the
                                       ///< last, one that begins with their number
  std::uint64_t most = 0;              ///< all indices are below
  std::uint64_t first_promised = 0;    ///< serials of those that are inserted later begin here
  std::vector<std::uint64_t> inserted; ///< those of them that there are, in order
  std::vector<std::uint64_t> erased;   ///< ever, in order

  std::uint64_t begun_with() const { return blocks.back().first; }
  std::uint64_t count() const {
    const auto gone = std::ranges::lower_bound(erased, begun_with()) - erased.begin();
    return begun_with() - static_cast<std::uint64_t>(gone) + inserted.size();
  }
  bool contains(std::uint64_t i) const { return i < begun_with() ? !has(erased, i) : has(inserted, i); }
  bool was_erased(std::uint64_t i) const { return has(erased, i); }

  /// Of an index that is inserted later. They are dealt out to PEs, which know where each of them is.
  object_id promised_id(std::uint64_t i) const {
    return make_id(static_cast<pe_t>(i % makers()), promised | (first_promised + i / makers()));
  }
  /// Of an object; `none` if it is none of this collection.
  std::uint64_t index(object_id id) const {
    const auto maker = static_cast<std::uint64_t>(home_of(id));
    if (maker >= makers()) return none;
    if (is_promised(id)) {
      const auto row = (serial_of(id) & ~promised) - first_promised;
      const auto i = row * makers() + maker;
      return row <= most / makers() && i >= begun_with() && i < most ? i : none;
    }
    const auto* const b = &blocks[maker];
    const auto i = id - b->id_of_0;
    return i >= b->first && i < b[1].first ? i : none;
  }
  /// Calls `visit(i)` for each index that there is, in order.
  template <class Visit>
  void for_each(Visit visit) const {
    auto gone = erased.begin();
    for (std::uint64_t i = 0; i < begun_with(); ++i) {
      while (gone != erased.end() && *gone < i) ++gone;
      if (gone == erased.end() || *gone != i) visit(i);
    }
    for (const auto i : inserted) visit(i);
  }

 private:
  std::uint64_t makers() const { return blocks.size() - 1; }
  static bool has(const std::vector<std::uint64_t>& all, std::uint64_t i) {
    return std::binary_search(all.begin(), all.end(), i);
  }
};

} // namespace windrow::mobile
