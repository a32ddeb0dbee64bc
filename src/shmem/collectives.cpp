// SPDX-License-Identifier: BSD-3-Clause
#include "shmem/collectives.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <numeric>
#include <vector>

#include "base/fatal.hpp"
#include "shmem/define.hpp"
#include "shmem/neighbours.hpp"
#include "shmem/ordering.hpp"

namespace windrow::shmem {

namespace {

using pgas::collective;

constexpr auto inline_bytes = transport::inline_bytes;

const std::byte* bytes_of(const void* p) {
  return static_cast<const std::byte*>(p);
}
std::byte* bytes_of(void* p) {
  return static_cast<std::byte*>(p);
}

/// A root that need not fill its own dest takes its share of the copies: so many bytes, the last, of each
/// member's. Between hosts all goes through the root anyway.
std::size_t pushed_by_root(const group& g, std::size_t bytes) {
  constexpr std::size_t line = 64, worth_sharing = 32 * 1024;
  if (bytes < worth_sharing || hot.core->remote_hosts() != nullptr) return 0;
  return bytes / static_cast<std::size_t>(g.size()) / line * line;
}

void push(const group& g, void* dest, const void* source, std::size_t bytes) {
  for (int p = 0; p < g.size(); ++p)
    if (p != g.me()) g.put(p, dest, source, bytes);
}

void copy_own(void* to, const void* from, std::size_t bytes) {
  if (to != from) detail::copy_bytes(to, from, bytes);
}

/// Those of a host without the root get a share each from it, and then those of each other.
void broadcast_between_hosts(const group& g, const neighbours& n, std::byte* dest, const void* source,
                             std::size_t bytes, int root, bool receives) {
  if (n.has(root)) {
    if (receives) g.get(root, dest, source, bytes);
    return g.meet();
  }
  const auto& here = n.here();
  const auto begin = [&](std::size_t k) {
    return bytes / here.size() * k + std::min(k, bytes % here.size());
  };
  const auto get = [&](std::size_t k, int from, const std::byte* object) {
    g.get(from, dest + begin(k), object + begin(k), begin(k + 1) - begin(k));
  };
  get(n.number(g.me()), root, bytes_of(source));
  g.meet();
  for (std::size_t k = 0; k < here.size(); ++k) get(k, here[k], dest);
}

/// Every member p has `source`, at begin(p) … begin(p + 1) of every dest.
template <class Begin>
void gather(const group& g, std::byte* dest, const void* source, Begin begin) {
  const auto get = [&](int p, int from, const void* object) {
    if (begin(p) < begin(p + 1)) g.get(from, dest + begin(p), object, begin(p + 1) - begin(p));
  };
  const neighbours n(g, begin(g.size()));
  const auto somebody_gets = [&](int p) { return n.share() && !n.has(p); };
  for (int p = 0; p < g.size(); ++p)
    if (!somebody_gets(p) || n.in_charge_of(p) == g.me()) get(p, p, source);
  g.meet();
  if (!n.share()) return;
  for (int p = 0; p < g.size(); ++p)
    if (somebody_gets(p)) get(p, n.in_charge_of(p), dest + begin(p));
  g.meet();
}

} // namespace

void group::require_root(int root) const {
  if (root < 0 || root >= size())
    base::fatal(fmt::format("{}: the root, PE {}, is not a member; they are PEs 0 to {}", by_.operation, root,
                            size() - 1));
}

void broadcast(const group& g, void* dest, const void* source, std::size_t bytes, int root, at_root what) {
  g.require_root(root);
  g.require_symmetric(dest, bytes);
  g.require_symmetric(source, bytes);
  const bool receives = g.me() != root || what == at_root::copy;
  if (bytes <= inline_bytes) {
    std::byte message[inline_bytes];
    if (g.me() == root) copy_own(message, source, bytes);
    g.team().broadcast(std::span<std::byte>(message, bytes), root);
    if (receives) copy_own(dest, message, bytes);
    return;
  }
  const bool root_is_idle = what == at_root::leave || dest == source;
  const auto pushed = root_is_idle ? pushed_by_root(g, bytes) : 0;
  g.meet_for({collective::broadcast, root, bytes});
  if (const neighbours n(g, bytes); n.share())
    broadcast_between_hosts(g, n, bytes_of(dest), source, bytes, root, receives);
  else if (receives)
    g.get(root, dest, source, g.me() == root ? bytes : bytes - pushed);
  if (g.me() == root && pushed > 0)
    push(g, bytes_of(dest) + (bytes - pushed), bytes_of(source) + (bytes - pushed), pushed);
  g.meet();
}

void fcollect(const group& g, void* dest, const void* source, std::size_t bytes) {
  const auto members = static_cast<std::size_t>(g.size());
  const auto all = total_bytes(members, bytes, g.by().operation);
  g.require_symmetric(dest, all);
  g.require_symmetric(source, bytes);
  auto* const to = bytes_of(dest);
  if (bytes <= inline_bytes)
    return g.team().allgather(std::span<const std::byte>(bytes_of(source), bytes),
                              std::span<std::byte>(to, all));
  g.meet_for({collective::allgather, 0, bytes});
  gather(g, to, source, [&](int p) { return static_cast<std::size_t>(p) * bytes; });
}

void collect(const group& g, void* dest, const void* source, std::size_t bytes) {
  const auto sizes = g.team().allgather(bytes); // also the synchronisation before the sources are read
  std::vector<std::size_t> begins(sizes.size() + 1);
  std::partial_sum(sizes.begin(), sizes.end(), begins.begin() + 1);
  g.require_symmetric(dest, begins.back());
  gather(g, bytes_of(dest), source, [&](int p) { return begins[static_cast<std::size_t>(p)]; });
}

void alltoall(const group& g, void* dest, const void* source, std::size_t bytes_each) {
  const auto members = static_cast<std::size_t>(g.size());
  const auto all = total_bytes(members, bytes_each, g.by().operation);
  g.require_symmetric(dest, all);
  g.require_symmetric(source, all);
  auto* const to = bytes_of(dest);
  if (all == 0 || (all <= inline_bytes && dest != source)) // where nothing moves, PEs may have any addresses
    return g.team().alltoall(std::span<const std::byte>(bytes_of(source), all),
                             std::span<std::byte>(to, all));
  const auto* mine = bytes_of(source) + static_cast<std::size_t>(g.me()) * bytes_each;
  g.meet_for({collective::alltoall, 0, bytes_each});
  for (std::size_t p = 0; p < members; ++p) g.get(static_cast<int>(p), to + p * bytes_each, mine, bytes_each);
  g.meet();
}

void alltoalls(const group& g, void* dest, const void* source, std::ptrdiff_t to_stride,
               std::ptrdiff_t from_stride, std::size_t count, std::size_t size) {
  const auto bytes = total_bytes(count, size, g.by().operation);
  const auto block = static_cast<std::ptrdiff_t>(bytes);
  const auto s = in_bytes(to_stride, from_stride, 1, count, size, g.by().operation);
  if (dest == nullptr) g.require_symmetric(dest, bytes);
  const auto* mine = bytes_of(source) + g.me() * from_stride * block;
  g.meet_for({collective::alltoall, 0, bytes});
  for (int p = 0; p < g.size(); ++p) {
    auto* to = bytes_of(dest) + p * to_stride * block;
    get_strided(to, mine, s, job_pe(g.team(), p), until::complete, g.by());
  }
  g.meet();
}

namespace routines {

namespace {

template <std::size_t size>
WINDROW_INLINE int broadcast(routine by, shmem_team_t team, void* dest, const void* source, std::size_t count,
                             int root) {
  shmem::broadcast(members(team, by), dest, source, total_bytes(count, size, by.name), root, at_root::copy);
  return 0;
}
template <std::size_t size>
WINDROW_INLINE int collect(routine by, shmem_team_t team, void* dest, const void* source, std::size_t count) {
  shmem::collect(members(team, by), dest, source, total_bytes(count, size, by.name));
  return 0;
}
template <std::size_t size>
WINDROW_INLINE int fcollect(routine by, shmem_team_t team, void* dest, const void* source,
                            std::size_t count) {
  shmem::fcollect(members(team, by), dest, source, total_bytes(count, size, by.name));
  return 0;
}
template <std::size_t size>
WINDROW_INLINE int alltoall(routine by, shmem_team_t team, void* dest, const void* source,
                            std::size_t count) {
  shmem::alltoall(members(team, by), dest, source, total_bytes(count, size, by.name));
  return 0;
}
template <std::size_t size>
WINDROW_INLINE int alltoalls(routine by, shmem_team_t team, void* dest, const void* source, std::ptrdiff_t to,
                             std::ptrdiff_t from, std::size_t count) {
  shmem::alltoalls(members(team, by), dest, source, to, from, count, size);
  return 0;
}

} // namespace

} // namespace routines

} // namespace windrow::shmem

using namespace windrow::shmem; // everything below is the C interface

SHMEM_FUNCTION(void, shmem_barrier_all, (void)) {
  auto& j = running_job(ROUTINE);
  SYNCHRONIZES;
  complete_begun();
  note_call();
  j.world().barrier();
}
SHMEM_FUNCTION(void, shmem_sync_all, (void)) {
  auto& j = running_job(ROUTINE);
  SYNCHRONIZES;
  note_call();
  j.world().barrier();
}

WINDROW_SHMEM_RMA_TYPES(WINDROW_SHMEM_TYPED_COLLECTIVES, , )
WINDROW_SHMEM_UNTYPED_COLLECTIVES(void, 1)
