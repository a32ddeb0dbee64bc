// SPDX-License-Identifier: BSD-3-Clause
// Collections whose indices come and go.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "base/fatal.hpp"
#include "mobile/gather.hpp"
#include "windrow/detail/object_core.hpp"

namespace windrow::mobile {

void refuse_index(std::uint64_t index, std::uint64_t most) {
  base::fatal(fmt::format("index {} is out of range; those of the collection are below {}", index, most));
}

void refuse_erased(std::uint64_t index) {
  base::fatal(fmt::format("index {} of a collection was erased; an index is used once", index));
}

std::uint64_t core::promise(std::uint64_t count) {
  if (count >= promised - next_promised_)
    base::fatal("collection: it may get more indices than there are left; let `most` be less");
  return std::exchange(next_promised_, next_promised_ + count);
}

std::size_t core::add_collection(std::unique_ptr<index_set> all) {
  collections_.push_back(std::move(all));
  return collections_.size() - 1;
}

object_id core::insert(std::size_t collection, std::uint64_t i, cell* c) {
  const auto& all = *collections_[collection];
  if (i >= all.most) refuse_index(i, all.most);
  if (all.was_erased(i)) refuse_erased(i);
  const auto id = i < all.begun_with() ? 0 : all.promised_id(i);
  trace_made(id, *c);
  const guard locked(*this);
  if (id == 0 || protocol_.was_made(id))
    base::fatal(fmt::format("index {} of a collection is inserted, and is there already", i));
  changes_.push_back({static_cast<std::uint32_t>(collection), 0, i});
  protocol_.insert(id, c);
  return id;
}

void core::erase(std::size_t collection, std::uint64_t i, object_id id) {
  if (collections_[collection]->was_erased(i)) refuse_erased(i);
  {
    const guard locked(*this);
    changes_.push_back({static_cast<std::uint32_t>(collection), 1, i});
  }
  send(id, what::destroy, 0, [](std::byte*) {});
}

namespace {

void require_once(const std::vector<std::uint64_t>& indices, const char* what) {
  const auto twice = std::ranges::adjacent_find(indices);
  if (twice != indices.end())
    base::fatal(fmt::format("index {} of a collection was {} twice; an index is used once", *twice, what));
}

} // namespace

void core::agree_on_indices() {
  for (const auto& c : gather(job_.world(), std::exchange(changes_, {}))) {
    auto& all = *collections_[c.collection];
    (c.is_end == 1 ? all.erased : all.inserted).push_back(c.index);
  }
  for (const auto& all : collections_) {
    if (all == nullptr) continue;
    std::ranges::sort(all->inserted);
    std::ranges::sort(all->erased);
    require_once(all->inserted, "inserted");
    require_once(all->erased, "erased");
  }
}

} // namespace windrow::mobile
