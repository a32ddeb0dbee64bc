// SPDX-License-Identifier: BSD-3-Clause
// Collections whose indices come and go.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "base/fatal.hpp"
#include "windrow/detail/object_core.hpp"

namespace windrow::mobile {

void refuse_index(std::uint64_t index, std::uint64_t most) {
  base::fatal(fmt::format("index {} is out of range; those of the collection are below {}", index, most));
}

void refuse_erased(std::uint64_t index) {
  base::fatal(fmt::format("index {} of a collection was erased; an index is used once", index));
}

std::uint64_t core::promise(std::uint64_t count) {
  if (const auto left = promised - next_promised_; count >= left)
    base::fatal(fmt::format(
        "collection: it may get {} indices for each PE, and fewer than {} are left; let `most` be less",
        count, left));
  return std::exchange(next_promised_, next_promised_ + count);
}

std::size_t core::add_collection(std::unique_ptr<index_set> all) {
  const guard locked(*this); // handlers on workers insert into others
  collections_.push_back(std::move(all));
  return collections_.size() - 1;
}

object_id core::insert(std::size_t collection, std::uint64_t i, cell* c) {
  this_core();
  const guard locked(*this);
  const auto& all = *collections_[collection];
  if (i >= all.most) refuse_index(i, all.most);
  if (all.was_erased(i)) refuse_erased(i);
  const auto id = i < all.begun_with() ? 0 : all.promised_id(i);
  trace_made(id, *c);
  if (id == 0 || protocol_.was_made(id))
    base::fatal(fmt::format("index {} of a collection is inserted, and is there already", i));
  changes_.push_back({static_cast<std::uint32_t>(collection), 0, i});
  c->id = id;
  protocol_.insert(id, c);
  return id;
}

core::numbered core::find_index(object_id id) const {
  for (std::size_t c = 0; c < index_sets(); ++c)
    if (const auto* const all = index_set_of(c); all != nullptr)
      if (const auto i = all->index(id); i != index_set::none) return {c, i};
  return {0, index_set::none};
}

// Guarded. Whoever has ended the object, and if that did not know that it has an index.
void core::note_end(object_id id) {
  if (const auto at = find_index(id); at.index != index_set::none)
    changes_.push_back({static_cast<std::uint32_t>(at.collection), 1, at.index});
}

namespace {

void require_once(const std::vector<std::uint64_t>& inserted) {
  const auto twice = std::ranges::adjacent_find(inserted);
  if (twice != inserted.end())
    base::fatal(fmt::format("index {} of a collection was inserted twice; an index is used once", *twice));
}

/// Puts those that have been added in their places among the first `sorted`, of which there may be millions.
void sort_added(std::vector<std::uint64_t>& indices, std::size_t sorted) {
  if (sorted == indices.size()) return;
  const auto added = indices.begin() + static_cast<std::ptrdiff_t>(sorted);
  std::sort(added, indices.end());
  const auto first = std::lower_bound(indices.begin(), added, *added); // before it all stays in its place
  std::vector<std::uint64_t> all(static_cast<std::size_t>(indices.end() - first));
  std::merge(first, added, added, indices.end(), all.begin());
  std::ranges::copy(all, first);
}

/// Both in order.
void remove(std::vector<std::uint64_t>& from, const std::vector<std::uint64_t>& gone) {
  auto next = gone.begin();
  std::erase_if(from, [&](std::uint64_t i) {
    next = std::lower_bound(next, gone.end(), i);
    return next != gone.end() && *next == i;
  });
}

} // namespace

void core::agree_on_indices() {
  std::map<index_set*, std::pair<std::size_t, std::size_t>> sorted; // inserted and erased, of what changes
  for (const auto& c : job_.world().allgatherv(std::exchange(changes_, {})).elements()) {
    auto& all = *index_set_of(c.collection);
    sorted.try_emplace(&all, all.inserted.size(), all.erased.size());
    (c.is_end == 1 ? all.erased : all.inserted).push_back(c.index);
  }
  for (const auto& [all, counts] : sorted) {
    sort_added(all->inserted, counts.first);
    require_once(all->inserted);
    std::vector<std::uint64_t> ended(all->erased.begin() + static_cast<std::ptrdiff_t>(counts.second),
                                     all->erased.end());
    std::ranges::sort(ended);
    remove(all->inserted, ended);
    sort_added(all->erased, counts.second);
  }
}

} // namespace windrow::mobile
