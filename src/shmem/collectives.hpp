// SPDX-License-Identifier: BSD-3-Clause
// Collectives over a team. Members read what they need straight from the others' symmetric sources, between
// two barriers; contributions that fit into a team slot travel there, with one barrier.
#pragma once

#include <cstddef>

#include "pgas/collective_call.hpp"
#include "pgas/synchronization.hpp"
#include "pgas/team_state.hpp"
#include "shmem/remote_access.hpp"
#include "shmem/teams.hpp"
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
  /// Like `meet`, before all members read what the others bring to `call`: with SHMEM_DEBUG all must make the
  /// same call.
  void meet_for(const pgas::collective_call& call) const {
    if (hot.core->checks()) return team_.state().step(call);
    meet();
  }
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
    const int pe = job_pe(team_, member);
    const auto in_heap = range_in_heap(object, bytes, pe);
    return in_heap.plain ? in_heap : place_of(object, bytes, pe, by_.operation);
  }

  const windrow::team& team_;
  caller by_;
  pgas::synchronization call_; ///< it is one collective
};

/// The members of a team, for one collective of a routine.
WINDROW_INLINE group members(shmem_team_object* team, routine by) {
  return group(*valid(team, by.name).members, by.called());
}

/// What `broadcast` does at the root: team collectives fill its dest too, those of active sets do not.
enum class at_root { copy, leave };

void broadcast(const group&, void* dest, const void* source, std::size_t bytes, int root, at_root);
void collect(const group&, void* dest, const void* source, std::size_t bytes);
void fcollect(const group&, void* dest, const void* source, std::size_t bytes);
void alltoall(const group&, void* dest, const void* source, std::size_t bytes_each);
void alltoalls(const group&, void* dest, const void* source, std::ptrdiff_t to_stride,
               std::ptrdiff_t from_stride, std::size_t count, std::size_t size);

} // namespace windrow::shmem
