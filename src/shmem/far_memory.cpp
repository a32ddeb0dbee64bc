// SPDX-License-Identifier: BSD-3-Clause
#include "shmem/far_memory.hpp"

#include "transport/hosts/other_hosts.hpp"

namespace windrow::shmem {

namespace {

struct place {
  pe_t pe;
  std::size_t offset;
};

/// Of an address among the segments; a PE that does not exist for any other.
place place_of(const void* at) {
  const auto distance =
      reinterpret_cast<std::uintptr_t>(at) - reinterpret_cast<std::uintptr_t>(hot.map->first);
  const auto pe = distance / hot.map->stride;
  return {pe < hot.pes ? static_cast<pe_t>(pe) : -1, distance % hot.map->stride};
}

} // namespace

bool lies_elsewhere(const void* at) {
  const auto pe = place_of(at).pe;
  return pe >= 0 && hot.elsewhere->has(pe);
}

void copy_elsewhere(void* to, const void* from, std::size_t bytes) {
  if (lies_elsewhere(to)) {
    const auto there = place_of(to);
    hot.elsewhere->put(there.pe, there.offset, from, bytes);
  } else if (lies_elsewhere(from)) {
    const auto there = place_of(from);
    hot.elsewhere->get(there.pe, there.offset, to, bytes);
  } else {
    detail::copy_bytes(to, from, bytes);
  }
}

void begin_copy_elsewhere(void* to, const void* from, std::size_t bytes) {
  if (lies_elsewhere(to)) {
    const auto there = place_of(to);
    hot.elsewhere->put_later(there.pe, there.offset, from, bytes);
  } else if (lies_elsewhere(from)) {
    const auto there = place_of(from);
    hot.elsewhere->get_later(there.pe, there.offset, to, bytes);
  } else {
    detail::copy_bytes(to, from, bytes);
  }
}

void wait_for_elsewhere() {
  hot.elsewhere->complete();
}

const void* look_at(const void* at, std::size_t bytes, void* scratch) {
  if (!is_elsewhere(at)) return at;
  copy_elsewhere(scratch, at, bytes);
  return scratch;
}

std::uint64_t change_elsewhere(void* at, const detail::atomic_change& change) {
  const auto there = place_of(at);
  return hot.elsewhere->change(there.pe, there.offset, change);
}

void begin_change_elsewhere(void* at, const detail::atomic_change& change, void* before, std::size_t bytes) {
  const auto there = place_of(at);
  hot.elsewhere->change_later(there.pe, there.offset, change, before, bytes);
}

} // namespace windrow::shmem
