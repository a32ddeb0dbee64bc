// SPDX-License-Identifier: BSD-3-Clause
// The deprecated collectives, whose members are given by three numbers. Each active set becomes a team when
// it is first used, and stays one; its numbers tell it apart from others, whatever work array they use.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <iterator>
#include <map>
#include <memory>
#include <tuple>

#include "base/fatal.hpp"
#include "pgas/team_state.hpp"
#include "shmem/active_sets.hpp"
#include "shmem/collectives.hpp"
#include "shmem/define.hpp"
#include "shmem/ordering.hpp"
#include "shmem/reductions.hpp"
#include "shmem/work_arrays.hpp"

namespace windrow::shmem {

namespace {

using pgas::strided_pes;

/// How the members of one set agree on a team slot, in one round or more.
struct agreement {
  std::uint64_t set;  ///< its numbers; 0: of none yet
  std::uint64_t used; ///< slots that are not free on all members
  /// Members, twice in a round: with what they have free, and with what they have taken.
  std::uint64_t arrived;
  std::uint64_t refused;  ///< the last round in which a member could not take the slot any more
  std::uint64_t decision; ///< how often all have arrived, and the slot of this round
};
using agreements = agreement[transport::max_teams];

/// Each PE has those of the sets that begin with it. A global variable of a program, hence symmetric.
constinit agreements own_agreements{};
agreements* agreements_here = &own_agreements;

/// The members add to it in the memory of the set's first PE.
class slot_agreement {
 public:
  /// Members look for the set from the first place on, and no place is given up, so that all find the same
  /// one.
  slot_agreement(const strided_pes& set, const char* routine) : set_(set) {
    auto* const there = *remote(agreements_here, set.start, routine);
    const auto numbers = set_number(set);
    for (auto* at = there; at != there + transport::max_teams && at_ == nullptr; ++at)
      if (std::uint64_t found = 0;
          remote_word(&at->set).compare_exchange_strong(found, numbers) || found == numbers)
        at_ = at;
  }

  /// Takes a slot that is free on all members, or returns -1. Another thread may take it meanwhile for
  /// another team; then there is another round.
  int agree(const pgas::team_state& world) {
    if (at_ == nullptr) return -1;
    for (std::uint64_t round = 1;; ++round) {
      remote_word(&at_->used).fetch_or(~world.free_slots());
      const auto slot = arrive();
      if (slot == transport::max_teams) return -1;
      const bool mine = world.take_slot(slot);
      if (!mine) remote_word(&at_->refused).store(round);
      arrive();
      if (remote_word(&at_->refused).load() != round) return static_cast<int>(slot);
      if (mine) world.give_slot_back(slot);
    }
  }

 private:
  /// Returns when all have arrived: the slot that who came last has chosen.
  std::uint32_t arrive() {
    ++times_;
    const auto all = times_ * static_cast<std::uint64_t>(set_.size);
    if (remote_word(&at_->arrived).fetch_add(1) + 1 == all) decide();
    const remote_word decision(&at_->decision);
    hot.core->wait({pgas::for_collective}, [&] { return decision.load() / slots >= times_; });
    return static_cast<std::uint32_t>(decision.load() % slots);
  }
  void decide() {
    const auto first_free = std::countr_one(remote_word(&at_->used).load());
    remote_word(&at_->decision).store(times_ * slots + static_cast<std::uint64_t>(first_free));
    for (int m = 0; m < set_.size; ++m)
      if (set_.at(m) != hot.pe) hot.core->link().ring(set_.at(m));
  }

  static constexpr std::uint64_t slots = transport::max_teams + 1; ///< the last stands for none

  strided_pes set_;
  agreement* at_ = nullptr;
  std::uint64_t times_ = 0; ///< arrived
};

using set_key = std::tuple<int, int, int>;
std::map<set_key, windrow::team>& known_sets() {
  static auto* const sets = new std::map<set_key, windrow::team>; // never destroyed: the teams outlive main
  return *sets;
}

strided_pes checked(int start, int log_stride, int size, const char* routine) {
  const auto& j = running_job(routine);
  const bool possible = log_stride >= 0 && log_stride < 31 && size >= 1;
  const strided_pes set{start, possible && size > 1 ? 1 << log_stride : 1, size};
  if (!possible || !set.lies_within(j.pes()))
    base::fatal(fmt::format(
        "{}: the active set (PE_start {}, logPE_stride {}, PE_size {}) leaves the job, which has PEs "
        "0 to {}",
        routine, start, log_stride, size, j.pes() - 1));
  if (set.member(j.pe()) < 0)
    base::fatal(fmt::format("{}: PE {} is not in the active set (PE_start {}, logPE_stride {}, PE_size {})",
                            routine, j.pe(), start, log_stride, size));
  return set;
}

windrow::team make_team(const strided_pes& set, const char* routine) {
  auto& world = cold.job->world().state();
  const int slot = slot_agreement(set, routine).agree(world);
  if (slot < 0)
    base::fatal(fmt::format("{}: more than {} teams and active sets include the same PE", routine,
                            transport::max_teams));
  return windrow::team(std::make_shared<pgas::team_state>(world, static_cast<std::uint32_t>(slot), set));
}

const windrow::team* known_team(const strided_pes& set) {
  if (set.size == cold.job->pes()) return &cold.job->world();
  const auto lock = hot.core->exclusive();
  const auto known = known_sets().find({set.start, set.stride, set.size});
  return known == known_sets().end() ? nullptr : &known->second;
}

const windrow::team& team_of(const strided_pes& set, const char* routine) {
  if (const auto* known = known_team(set)) return *known;
  auto team = make_team(set, routine);
  const auto lock = hot.core->exclusive();
  return known_sets().emplace(set_key{set.start, set.stride, set.size}, std::move(team)).first->second;
}

/// With SHMEM_DEBUG: work arrays must hold SHMEM_SYNC_VALUE.
void require_clean(long* pSync, const char* routine) {
  if (!cold.debug) return;
  symmetric_offset(pSync, SHMEM_SYNC_SIZE * sizeof(long), routine);
  for (int i = 0; i < SHMEM_SYNC_SIZE; ++i)
    if (const long word = std::atomic_ref(pSync[i]).load(); word != SHMEM_SYNC_VALUE)
      base::fatal(
          fmt::format("{}: pSync at {} holds {} in element {} instead of SHMEM_SYNC_VALUE: in use, or not "
                      "initialized",
                      routine, static_cast<void*>(pSync), word, i));
}

/// Carries out a collective over an active set.
template <class Action>
void over(int start, int log_stride, int size, long* pSync, caller by, Action action) {
  const auto set = checked(start, log_stride, size, by.operation);
  const array_use use(pSync, set, array_use::once, by.operation);
  require_clean(pSync, by.operation);
  action(group(team_of(set, by.operation), by));
}

// A barrier may use the same array again at once.
void barrier(int start, int log_stride, int size, long* pSync, caller by) {
  const auto set = checked(start, log_stride, size, by.operation);
  const array_use use(pSync, set, array_use::at_once_again, by.operation);
  require_clean(pSync, by.operation);
  group(team_of(set, by.operation), by).meet();
}

} // namespace

// A library that was opened by dlopen has no symmetric variables, but there is the heap.
void open_active_sets() {
  if (find_symmetric(&own_agreements, sizeof own_agreements)) return;
  const auto offset = hot.core->symmetric_heap().allocate(sizeof own_agreements, 64);
  if (!offset) base::fatal("shmem_init: the symmetric heap is too small: raise WINDROW_SYMMETRIC_SIZE");
  agreements_here = reinterpret_cast<agreements*>(hot.heap + *offset);
  close_active_sets();
}

void close_active_sets() {
  known_sets().clear();
  std::fill(std::begin(*agreements_here), std::end(*agreements_here), agreement{});
}

namespace routines {

namespace {

template <std::size_t bytes>
WINDROW_INLINE void broadcast_over(routine by, void* dest, const void* source, std::size_t count, int root,
                                   int start, int log_stride, int size, long* pSync) {
  const auto each = total_bytes(count, bytes, by.name);
  over(start, log_stride, size, pSync, by.called(),
       [=](const group& g) { shmem::broadcast(g, dest, source, each, root, at_root::leave); });
}
template <std::size_t bytes>
WINDROW_INLINE void collect_over(routine by, void* dest, const void* source, std::size_t count, int start,
                                 int log_stride, int size, long* pSync) {
  const auto each = total_bytes(count, bytes, by.name);
  over(start, log_stride, size, pSync, by.called(),
       [=](const group& g) { shmem::collect(g, dest, source, each); });
}
template <std::size_t bytes>
WINDROW_INLINE void fcollect_over(routine by, void* dest, const void* source, std::size_t count, int start,
                                  int log_stride, int size, long* pSync) {
  const auto each = total_bytes(count, bytes, by.name);
  over(start, log_stride, size, pSync, by.called(),
       [=](const group& g) { shmem::fcollect(g, dest, source, each); });
}
template <std::size_t bytes>
WINDROW_INLINE void alltoall_over(routine by, void* dest, const void* source, std::size_t count, int start,
                                  int log_stride, int size, long* pSync) {
  const auto each = total_bytes(count, bytes, by.name);
  over(start, log_stride, size, pSync, by.called(),
       [=](const group& g) { shmem::alltoall(g, dest, source, each); });
}
template <std::size_t bytes>
WINDROW_INLINE void alltoalls_over(routine by, void* dest, const void* source, std::ptrdiff_t to,
                                   std::ptrdiff_t from, std::size_t count, int start, int log_stride,
                                   int size, long* pSync) {
  over(start, log_stride, size, pSync, by.called(),
       [=](const group& g) { shmem::alltoalls(g, dest, source, to, from, count, bytes); });
}
template <class Op, class T>
WINDROW_INLINE void reduce_over(routine by, T* dest, const T* source, int count, int start, int log_stride,
                                int size, T*, long* pSync) {
  if (count < 0) base::fatal(fmt::format("{}: nreduce is {}; it must not be negative", by.name, count));
  over(start, log_stride, size, pSync, by.called(), [=](const group& g) {
    shmem::reduce(g, dest, source, static_cast<std::size_t>(count), combining_by<Op, T>);
  });
}

} // namespace

} // namespace routines

} // namespace windrow::shmem

using namespace windrow::shmem; // everything below is the C interface

SHMEM_FUNCTION(void, shmem_barrier, (int PE_start, int logPE_stride, int PE_size, long* pSync)) {
  require_running(ROUTINE);
  SYNCHRONIZES;
  complete_begun();
  barrier(PE_start, logPE_stride, PE_size, pSync, CALL);
}
SHMEM_FUNCTION(void, shmem_sync, (int PE_start, int logPE_stride, int PE_size, long* pSync)) {
  barrier(PE_start, logPE_stride, PE_size, pSync, CALL);
}

WINDROW_SHMEM_OLD_COLLECTIVES(32, 4)
WINDROW_SHMEM_OLD_COLLECTIVES(64, 8)
WINDROW_SHMEM_OLD_INTEGERS(WINDROW_SHMEM_OLD_REDUCE, _and, )
WINDROW_SHMEM_OLD_INTEGERS(WINDROW_SHMEM_OLD_REDUCE, _or, )
WINDROW_SHMEM_OLD_INTEGERS(WINDROW_SHMEM_OLD_REDUCE, _xor, )
WINDROW_SHMEM_OLD_ORDERED(WINDROW_SHMEM_OLD_REDUCE, _max, )
WINDROW_SHMEM_OLD_ORDERED(WINDROW_SHMEM_OLD_REDUCE, _min, )
WINDROW_SHMEM_OLD_ARITHMETIC(WINDROW_SHMEM_OLD_REDUCE, _sum, )
WINDROW_SHMEM_OLD_ARITHMETIC(WINDROW_SHMEM_OLD_REDUCE, _prod, )
