// SPDX-License-Identifier: BSD-3-Clause
// Collectives over a team. Members read what they need straight from the others' symmetric sources, between
// two barriers; contributions that fit into a team slot travel there, with one barrier.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "pgas/synchronization.hpp"
#include "pgas/team_state.hpp"
#include "shmem/remote_access.hpp"
#include "shmem/teams.hpp"
#include "transport/host/host_memory.hpp"
#include "windrow/team.hpp"

namespace windrow::shmem {

class group {
 public:
  group(const windrow::team& team, caller by)
      : team_(team), by_(by), call_(*hot.core, by, team.state().id()) {
    note_call();
  }
  group(const group&) = delete;
  group& operator=(const group&) = delete;

  int me() const { return team_.pe(); }
  int size() const { return team_.pes(); }
  const windrow::team& team() const { return team_; }
  caller by() const { return by_; }
  void meet() const { team_.barrier(); }
  /// Copies `bytes` bytes of a symmetric object from, or to, the copy of `member`, unless they are there.
  void get(int member, void* to, const void* object, std::size_t bytes) const {
    if (to == object && member == me()) return;
    direct::get_bytes(*hot.map, at(member, object, bytes), to, bytes, until::complete, by_);
  }
  void put(int member, void* object, const void* from, std::size_t bytes) const {
    direct::put_bytes(*hot.map, at(member, object, bytes), from, bytes, until::complete, by_);
  }
  /// The elements of `member`, or a copy of them in `scratch`, if `needs_scratch`.
  template <class T>
  const T* look(int member, const T* object, std::size_t bytes, T* scratch) const {
    return static_cast<const T*>(look_at(at(member, object, bytes), bytes, scratch, by_));
  }
  static bool needs_scratch() { return hot.map->plain_pes == 0; }
  /// Objects that not every path reaches through these.
  void require_symmetric(const void* object, std::size_t bytes) const {
    if (bytes == 0) return;
    if (object == nullptr) inspect_local(object, bytes, local_use::read, "an array", by_.operation);
    symmetric_in_debug(object, bytes, by_.operation);
  }
  void require_root(int root) const;

 private:
  detail::place at(int member, const void* object, std::size_t bytes) const {
    return place_of(object, bytes, job_pe(team_, member), by_.operation);
  }

  const windrow::team& team_;
  caller by_;
  pgas::synchronization call_; ///< it is one collective
};

/// What `broadcast` does at the root: team collectives fill its dest too, those of active sets do not.
enum class at_root { copy, leave };

void broadcast(const group&, void* dest, const void* source, std::size_t bytes, int root, at_root);
void collect(const group&, void* dest, const void* source, std::size_t bytes);
void fcollect(const group&, void* dest, const void* source, std::size_t bytes);
void alltoall(const group&, void* dest, const void* source, std::size_t bytes_each);
void alltoalls(const group&, void* dest, const void* source, std::ptrdiff_t to_stride,
               std::ptrdiff_t from_stride, std::size_t count, std::size_t size);

// Operations of reductions.
struct bitwise_and {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(a & b);
  }
};
struct bitwise_or {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(a | b);
  }
};
struct bitwise_xor {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(a ^ b);
  }
};
struct larger {
  template <class T>
  T operator()(T a, T b) const {
    return a < b ? b : a;
  }
};
struct smaller {
  template <class T>
  T operator()(T a, T b) const {
    return b < a ? b : a;
  }
};
struct sum {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(a + b);
  }
};
struct product {
  template <class T>
  T operator()(T a, T b) const {
    return static_cast<T>(a * b);
  }
};

template <class T, class Op>
void fold(std::span<T> into, const T* from, Op op) {
  for (std::size_t i = 0; i < into.size(); ++i) into[i] = op(into[i], from[i]);
}

/// Each member reduces its share of the elements and writes the results to all. A source may be its dest,
/// since a place is read and written by one member only. In order of PE number, so results are the same in
/// every run.
template <class T, class Op>
void reduce_share(const group& g, T* dest, const T* source, std::size_t count, Op op) {
  constexpr std::size_t line = std::max<std::size_t>(64 / sizeof(T), 1), piece = 8192 / sizeof(T);
  const auto members = static_cast<std::size_t>(g.size());
  const auto share = ((count + members - 1) / members + line - 1) / line * line;
  const auto begin = std::min(count, share * static_cast<std::size_t>(g.me()));
  const auto end = std::min(count, begin + share);
  T results[piece], fetched[piece];
  for (auto at = begin; at < end; at += piece) {
    const std::span<T> part(results, std::min(piece, end - at));
    g.get(0, results, source + at, part.size_bytes());
    for (int pe = 1; pe < g.size(); ++pe) fold(part, g.look(pe, source + at, part.size_bytes(), fetched), op);
    for (int pe = 0; pe < g.size(); ++pe) g.put(pe, dest + at, results, part.size_bytes());
  }
}

template <class T, class Op>
void reduce(const group& g, T* dest, const T* source, std::size_t count, Op op) {
  g.require_symmetric(dest, count * sizeof(T));
  g.require_symmetric(source, count * sizeof(T));
  if (count * sizeof(T) <= transport::inline_bytes)
    return g.team().reduce(std::span<const T>(source, count), std::span<T>(dest, count), op);
  g.meet();
  reduce_share(g, dest, source, count, op);
  g.meet();
}

/// The sum over the members before this one, and this one too if `inclusive`.
template <class T>
void scan(const group& g, T* dest, const T* source, std::size_t count, bool inclusive) {
  g.require_symmetric(dest, count * sizeof(T));
  const auto bytes = count * sizeof(T);
  std::vector<T> results(count), fetched(group::needs_scratch() ? count : 0);
  g.meet();
  const int end = g.me() + (inclusive ? 1 : 0);
  for (int pe = 0; pe < end; ++pe)
    fold(std::span<T>(results), g.look(pe, source, bytes, fetched.data()), sum());
  g.meet(); // all have read, so that a dest that is a source may be written
  std::copy(results.begin(), results.end(), dest);
}

} // namespace windrow::shmem
