// SPDX-License-Identifier: BSD-3-Clause
#include "deferral/chunk_store.hpp"

namespace windrow::deferral {

namespace {

constexpr std::size_t chunks_per_slab = 16;

} // namespace

void chunk_store::release::operator()(std::byte* slab) const {
  ::operator delete(slab, chunk_alignment);
}

void chunk_store::grow() {
  auto* slab = static_cast<std::byte*>(::operator new(chunks_per_slab * chunk_bytes, chunk_alignment));
  slabs_.emplace_back(slab);
  for (std::size_t i = chunks_per_slab; i-- > 0;)
    give(new (slab + i * chunk_bytes) chunk{nullptr, nullptr, 0, 1});
}

} // namespace windrow::deferral
