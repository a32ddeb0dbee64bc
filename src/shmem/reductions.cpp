// SPDX-License-Identifier: BSD-3-Clause
#include "shmem/reductions.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <utility>
#include <vector>

#include "shmem/define.hpp"
#include "shmem/neighbours.hpp"
#include "transport/host/host_memory.hpp"

namespace windrow::shmem {

namespace {

using pgas::collective;

/// Bytes of results that are kept in the first cache until all members have them. Larger ones are written by
/// ways that do not read what they overwrite (base/copy.cpp), which pays when that is no longer in a cache.
constexpr std::size_t piece_bytes(std::size_t bytes) {
  constexpr std::size_t cached = 1024 * 1024;
  return bytes <= cached ? 8 * 1024 : 16 * 1024;
}
constexpr std::size_t largest_piece_bytes = 16 * 1024;

/// Combines elements of several members, a piece at a time.
class pieces {
 public:
  pieces(const group& g, const combining& how) : g_(g), how_(how) {}

  /// The `bytes` bytes at `source` of members 0 … end - 1, two at least, combined. Until the next call.
  const std::byte* of(const std::byte* source, std::size_t bytes, int end) {
    const auto count = bytes / how_.size;
    auto *into = buffers_[0], *spare = buffers_[1];
    how_.all(into, g_.look(0, source, bytes, spare), g_.look(1, source, bytes, buffers_[2]), count);
    for (int pe = 2; pe < end; ++pe) {
      how_.all(spare, into, g_.look(pe, source, bytes, buffers_[2]), count);
      std::swap(into, spare);
    }
    return into;
  }

 private:
  const group& g_;
  const combining& how_;
  alignas(64) std::byte buffers_[3][largest_piece_bytes];
};

/// Each member, of at least two, reduces its share of the elements and writes the results to all. A place is
/// read and written by one member only, until all meet.
void reduce_shares(const group& g, std::byte* dest, const std::byte* source, std::size_t bytes,
                   const combining& how) {
  constexpr std::size_t line = 64;
  const auto members = static_cast<std::size_t>(g.size());
  const auto share = ((bytes / how.size + members - 1) / members * how.size + line - 1) / line * line;
  const auto begin = [&](int p) { return std::min(bytes, share * static_cast<std::size_t>(p)); };
  const neighbours n(g, bytes);
  const auto piece = piece_bytes(bytes);
  pieces results(g, how);
  for (auto at = begin(g.me()); at < begin(g.me() + 1); at += piece) {
    const auto part = std::min(piece, begin(g.me() + 1) - at);
    const auto* const result = results.of(source + at, part, g.size());
    const auto put = [&](int member) { g.put(member, dest + at, result, part); };
    if (n.share())
      n.for_direct_receivers(g.me(), put);
    else
      for (int p = 0; p < g.size(); ++p) put(p);
  }
  g.meet();
  if (!n.share()) return;
  for (int p = 0; p < g.size(); ++p)
    if (!n.has(p) && begin(p) < bytes)
      g.get(n.in_charge_of(p), dest + begin(p), dest + begin(p), begin(p + 1) - begin(p));
  g.meet();
}

/// In the slots of the team.
template <std::size_t size>
void reduce_few(const group& g, void* dest, const void* source, std::size_t count, const combining& how) {
  using element = std::array<std::byte, size>;
  const auto one = [&](const element& a, const element& b) {
    element result;
    how.all(&result, &a, &b, 1);
    return result;
  };
  g.team().reduce(std::span(static_cast<const element*>(source), count),
                  std::span(static_cast<element*>(dest), count), one);
}

void reduce_in_slots(const group& g, void* dest, const void* source, std::size_t count,
                     const combining& how) {
  switch (how.size) {
    case 1:
      return reduce_few<1>(g, dest, source, count, how);
    case 2:
      return reduce_few<2>(g, dest, source, count, how);
    case 4:
      return reduce_few<4>(g, dest, source, count, how);
    case 8:
      return reduce_few<8>(g, dest, source, count, how);
    case 16:
      return reduce_few<16>(g, dest, source, count, how);
    default:
      return reduce_few<32>(g, dest, source, count, how);
  }
}

} // namespace

void reduce(const group& g, void* dest, const void* source, std::size_t count, const combining& how) {
  const auto bytes = total_bytes(count, how.size, g.by().operation);
  g.require_symmetric(dest, bytes);
  g.require_symmetric(source, bytes);
  if (bytes <= transport::inline_bytes) return reduce_in_slots(g, dest, source, count, how);
  g.meet_for({collective::reduce, 0, bytes});
  if (g.size() > 1)
    return reduce_shares(g, static_cast<std::byte*>(dest), static_cast<const std::byte*>(source), bytes, how);
  g.get(0, dest, source, bytes);
  g.meet();
}

void scan(const group& g, void* dest, const void* source, std::size_t count, const combining& how,
          bool inclusive) {
  const auto bytes = total_bytes(count, how.size, g.by().operation);
  g.require_symmetric(dest, bytes);
  if (count != 0) symmetric_offset(source, bytes, g.by().operation); // before memory is taken for so many
  std::vector<std::byte> sums(bytes);
  g.meet_for({inclusive ? collective::scan : collective::exclusive_scan, 0, bytes});
  const int end = g.me() + (inclusive ? 1 : 0);
  const auto* const from = static_cast<const std::byte*>(source);
  if (end == 1) g.get(0, sums.data(), source, bytes);
  if (end > 1) {
    pieces combined(g, how);
    for (std::size_t at = 0; at < bytes; at += largest_piece_bytes) {
      const auto part = std::min(largest_piece_bytes, bytes - at);
      std::memcpy(sums.data() + at, combined.of(from + at, part, end), part);
    }
  }
  g.meet(); // all have read, so that a dest that is a source may be written
  std::copy(sums.begin(), sums.end(), static_cast<std::byte*>(dest));
}

namespace routines {

namespace {

template <class Op, class T>
WINDROW_INLINE int reduce(routine by, shmem_team_t team, T* dest, const T* source, std::size_t count) {
  shmem::reduce(members(team, by), dest, source, count, combining_by<Op, T>);
  return 0;
}
template <class T>
WINDROW_INLINE int inclusive_sum(routine by, shmem_team_t team, T* dest, const T* source, std::size_t count) {
  scan(members(team, by), dest, source, count, combining_by<by_sum, T>, true);
  return 0;
}
template <class T>
WINDROW_INLINE int exclusive_sum(routine by, shmem_team_t team, T* dest, const T* source, std::size_t count) {
  scan(members(team, by), dest, source, count, combining_by<by_sum, T>, false);
  return 0;
}

} // namespace

} // namespace routines

} // namespace windrow::shmem

using namespace windrow::shmem; // everything below is the C interface

WINDROW_SHMEM_BITWISE_REDUCE_TYPES(WINDROW_SHMEM_REDUCE, _and, )
WINDROW_SHMEM_BITWISE_REDUCE_TYPES(WINDROW_SHMEM_REDUCE, _or, )
WINDROW_SHMEM_BITWISE_REDUCE_TYPES(WINDROW_SHMEM_REDUCE, _xor, )
WINDROW_SHMEM_ORDERED_REDUCE_TYPES(WINDROW_SHMEM_REDUCE, _max, )
WINDROW_SHMEM_ORDERED_REDUCE_TYPES(WINDROW_SHMEM_REDUCE, _min, )
WINDROW_SHMEM_ARITHMETIC_REDUCE_TYPES(WINDROW_SHMEM_REDUCE, _sum, )
WINDROW_SHMEM_ARITHMETIC_REDUCE_TYPES(WINDROW_SHMEM_REDUCE, _prod, )
WINDROW_SHMEM_ARITHMETIC_REDUCE_TYPES(WINDROW_SHMEM_SCAN, , )
